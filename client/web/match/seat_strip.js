/** A seat beside the board: player, presence, pieces in hand and clock. */

import { drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { element } from "../element.js";
import { gameText } from "../language/game_texts.js";
import { gettext } from "../language/texts.js";
import { botText } from "../players/bot_texts.js";
import { playerFigure } from "../players/player_figure.js";
import { playerLink } from "../players/player_link.js";
import { preferences } from "../preferences.js";
import { ratingParts } from "../ratings/rating_texts.js";
import { ClockView } from "./clock_view.js";
import { playerName, scoreOf, takenBy } from "./match_texts.js";
import { MOODS, moodOf, sentenceOf } from "./reactions.js";

/** @import { Tray } from "../board/pieces.js" */
/** @import { GameInfo, Tally } from "../protocol.js" */
/** @import { Departure } from "./public_match.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { Position } from "../board/position.js" */

/** Above this, the hand is shown as a number. */
const MAX_DRAWN = 12;

export class SeatStrip {
  #clock = new ClockView();
  #face = element("span", { class: "seat-face" });
  #faceKey = "";
  #presence = element("span", { class: "presence" });
  #name = element("span", { class: "player-name" });
  #nameKey = "";
  #rating = element("span", { class: "player-rating" });
  #note = element("span", { class: "player-note" });
  #dot = element("span", { class: "dot-between", hidden: true }, " · ");
  #fact = element("span", { class: "seat-fact", hidden: true });
  #hand = element("span", { class: "hand", role: "img" });
  #taken = element("span", { class: "taken-men", role: "img", hidden: true });
  #tallies = element("span", { class: "tallies" });
  #sentence = element("q", { class: "sentence", hidden: true });
  /** Keeps its height while empty, so that nothing moves when a piece is taken or the last one is placed. */
  #tray = element("div", { class: "tray" }, this.#hand, this.#taken, this.#tallies, this.#sentence);
  #score = element("span", { class: "score" });
  #drawnInHand = -1;
  #drawnTaken = "";
  #drawnTallies = "";

  /** @param {GameInfo | undefined} game @param {number} seat */
  constructor(game, seat) {
    this.game = game;
    this.seat = seat;
    this.#note.append(element("span", { class: "seat-colour" }, seatName(game, seat)), this.#dot, this.#fact);
    this.element = element(
      "section",
      { class: "seat-strip", "data-seat": seat, "aria-label": seatName(game, seat) },
      element("div", { class: "seat-figure" }, this.#face, drawMan(seatColour(game, seat), "seat-man")),
      element(
        "div",
        { class: "player" },
        element("div", { class: "player-line" }, this.#presence, this.#name, " ", this.#rating, " ", this.#note),
        this.#tray,
      ),
      this.#score,
      this.#clock.element,
    );
  }

  /** @param {MatchState} state @param {Position} shown @param {number} ply The shown ply. */
  show(state, shown, ply) {
    const player = state.players[this.seat] ?? null;
    const isThere = state.present[this.seat] ?? false;
    this.#showName(state);
    this.#rating.replaceChildren(...ratingParts(state.ratings[this.seat] ?? null, state.rated?.changes[this.seat] ?? null));
    this.#showNote(state);
    this.element.classList.toggle("left", state.departures.has(this.seat));
    this.#presence.hidden = state.isImported || Boolean(player?.level);
    this.#presence.dataset.present = String(isThere);
    this.#presence.title = player === null ? "" : isThere ? gettext("Online") : gettext("Away");
    this.#score.textContent = state.end?.ranks ? scoreOf(state.end.ranks, this.seat) : "";
    this.element.classList.toggle("to-move", state.isStarted && state.end === null && state.toMove === this.seat);
    this.element.classList.toggle("empty", player === null);
    this.#showHand(shown.reserves[this.seat] ?? 0);
    this.#showTaken(takenBy(state, ply, this.seat));
    this.#showTallies(shown.tallies);
    this.#showReaction(state, ply);
  }

  /** Where the seat's pieces lie, in pixels. @param {Tray} tray @returns {DOMRect} */
  trayOf(tray) {
    const pieces = tray === "hand" ? this.#hand : this.#taken;
    return (pieces.querySelector(".hand-man:last-of-type") ?? this.#tray).getBoundingClientRect();
  }

  /**
   * @param {MatchState} state
   * @param {number} now_ms
   * @param {number | null} [shownPly] The shown ply; null for the live position.
   */
  tick(state, now_ms, shownPly = null) {
    if (shownPly !== null) return this.#clock.show(state.pastFace(this.seat, shownPly), false, null);
    const isRunning = state.clockSeat === this.seat;
    const delay_ms = isRunning ? state.delay_ms(now_ms) : null;
    this.#clock.show(state.clockFace(this.seat, now_ms), isRunning, delay_ms === null ? null : delay_ms / (state.clock?.delay_ms ?? 1));
  }

  /**
   * Rebuilt only for a new player, so that the focus stays. During play the link opens a new tab, so that a slip does
   * not leave the match.
   * @param {MatchState} state
   */
  #showName(state) {
    const player = state.players[this.seat] ?? null;
    const isPlaying = state.end === null && state.ownSeats.length > 0;
    const key = JSON.stringify([player, isPlaying]);
    if (key === this.#nameKey) return;
    this.#nameKey = key;
    this.#name.title = playerName(player);
    this.#name.replaceChildren(player === null ? playerName(null) : playerLink(player, isPlaying));
  }

  /** The player's figure, and what a bot says to its only opponent. @param {MatchState} state @param {number} ply The shown ply. */
  #showReaction(state, ply) {
    const player = state.players[this.seat] ?? null;
    const reacts = Boolean(player?.level) && preferences().reactions;
    const mood = reacts ? moodOf(state, this.seat, ply) : "neutral";
    const figured = player === null || state.isImported || (player.level && !reacts) ? null : player;
    const key = figured === null ? "" : `${figured.id} ${mood}`;
    if (key !== this.#faceKey) this.#face.replaceChildren(...(figured === null ? [] : [playerFigure(figured, MOODS[mood])]));
    this.#faceKey = key;
    this.#face.dataset.mood = mood;
    const speaks = reacts && state.isStarted && state.players.length === 2 && state.ownSeats.length === 1;
    const words = speaks ? sentenceOf(state, this.seat, ply) : "";
    this.#sentence.hidden = words === "";
    if (this.#sentence.textContent !== words) this.#sentence.textContent = words;
  }

  /** @param {MatchState} state */
  #showNote(state) {
    const fact = this.#describe(state);
    this.#fact.textContent = fact;
    this.#note.title = fact;
    this.#dot.hidden = this.#fact.hidden = fact === "";
  }

  /** @param {MatchState} state @returns {string} A note about the player; empty for none. */
  #describe(state) {
    const player = state.players[this.seat] ?? null;
    const leaving = state.departures.get(this.seat);
    if (leaving) return departureNote(leaving);
    if (player?.level) return botText(player, this.game);
    return state.ownSeats.length === 1 && state.isOwn(this.seat, player) ? gettext("you") : "";
  }

  /** @param {number} count */
  #showHand(count) {
    if (count === this.#drawnInHand) return;
    this.#drawnInHand = count;
    const colour = seatColour(this.game, this.seat);
    const men = Array.from({ length: Math.min(count, MAX_DRAWN) }, () => drawMan(colour, "hand-man"));
    const isMany = count > MAX_DRAWN;
    this.#hand.replaceChildren(...(isMany ? [men[0], ` × ${count}`] : men));
    this.#hand.hidden = count === 0;
    this.#hand.setAttribute("aria-label", gettext("{count} in hand", { count }));
  }

  /** @param {readonly Tally[]} tallies */
  #showTallies(tallies) {
    const key = tallies.map(({ name, counts }) => `${name} ${counts[this.seat]}`).join();
    if (key === this.#drawnTallies) return;
    this.#drawnTallies = key;
    const parts = tallies.map(({ name, counts }) => {
      const title = gameText(this.game, name);
      return element("span", { class: "tally", title: `${title}: ${counts[this.seat]}` }, element("span", { class: "tally-name" }, `${title} `), String(counts[this.seat]));
    });
    this.#tallies.replaceChildren(...parts);
  }

  /** @param {number[]} seats The owners of the pieces that this seat has taken. */
  #showTaken(seats) {
    const key = seats.join();
    if (key === this.#drawnTaken) return;
    this.#drawnTaken = key;
    const men = seats.slice(0, MAX_DRAWN).map((seat) => drawMan(seatColour(this.game, seat), "hand-man"));
    this.#taken.replaceChildren(...men, seats.length === 0 ? "" : `+${seats.length}`);
    this.#taken.hidden = seats.length === 0;
    this.#taken.setAttribute("aria-label", gettext("{count} taken", { count: seats.length }));
    this.#taken.title = gettext("{count} taken", { count: seats.length });
  }
}

/** @param {Departure} leaving */
function departureNote({ decision }) {
  if (decision === null) return gettext("left");
  return decision.choice === "bot" ? gettext("left, a bot plays on") : gettext("left, turns skipped");
}
