/**
 * The status of the match and what the reader can do next.
 *
 * It also holds the invitation, free seats, choices in a move, votes on departed players, the final ranking, and the
 * button back to the live position.
 */

import { drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { button, element } from "../element.js";
import { inviteCode, inviteLink } from "../invitation_link.js";
import { gettext } from "../language/texts.js";
import { spinningWheel } from "../mill_wheel.js";
import { parseLevel, levelSelect } from "../players/level_select.js";
import { ratingParts } from "../ratings/rating_texts.js";
import { hostName } from "./invitation_texts.js";
import { ownOutcome, passText, playerName, readerTitle } from "./match_texts.js";
import { StandIns } from "./stand_ins.js";
import { statusText, waitsForBot } from "./status_texts.js";

/** @import { GameInfo, Level, StandIn } from "../protocol.js" */
/** @import { ChoicePanel } from "./choice_panel.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { MoveEntry } from "./move_entry.js" */

/**
 * @typedef {object} StatusHandlers
 * @property {(seat: number) => void} join
 * @property {(seat: number, level: Level) => void} fill
 * @property {() => void} goLive
 * @property {(forSeat: number, choice: StandIn) => void} chooseStandIn
 * @property {() => void} drop Undo the clicks of the move.
 */

export class StatusPanel {
  #headline = element("h1", { class: "headline" });
  /** The reader's new rating and its change. */
  #rating = element("p", { class: "own-rating", hidden: true });
  #passes = element("p", { class: "passes", hidden: true });
  #detail = element("p", { class: "detail" });
  #unrated = element("p", { class: "unrated", hidden: true });
  #repetition = element("p", { class: "repetition-note", role: "alert", hidden: true });
  #extra = element("div", { class: "extra" });
  #extraKey = "";
  #drop;
  #standIns;

  /**
   * @param {ChoicePanel} choicePanel
   * @param {StatusHandlers} handlers
   * @param {HTMLElement} tool A button beside the headline.
   */
  constructor(choicePanel, handlers, tool) {
    this.handlers = handlers;
    this.#drop = button(gettext("Undo"), handlers.drop, { class: "button quiet small drop-button", hidden: true });
    this.#standIns = new StandIns(handlers.chooseStandIn);
    this.element = element(
      "section",
      { class: "status-panel", "aria-label": gettext("Status") },
      this.#passes,
      element("div", { class: "headline-row" }, this.#headline, this.#rating),
      this.#drop,
      tool,
      this.#detail,
      this.#unrated,
      this.#repetition,
      choicePanel.element,
      this.#standIns.element,
      this.#extra,
    );
  }

  /**
   * @param {MatchState} state
   * @param {MoveEntry} entry
   * @param {GameInfo | undefined} game
   * @param {number | null} shownPly Null for the live position.
   * @param {string} whyBotsWait Why the bots of the game cannot move yet; empty if they can.
   */
  show(state, entry, game, shownPly, whyBotsWait) {
    const { headline, detail: usual, tone } = statusText(state, entry, game);
    const detail = (waitsForBot(state) && whyBotsWait) || usual;
    this.#headline.textContent = headline;
    this.#detail.textContent = detail;
    this.#detail.hidden = detail === "";
    this.element.dataset.tone = tone;
    this.#showOutcome(state);
    this.#unrated.textContent = unratedText(state);
    this.#unrated.hidden = this.#unrated.textContent === "";
    const passes = state.end === null ? passText(state, (seat) => readerTitle(state, seat, game)) : "";
    this.#passes.textContent = passes;
    this.#passes.hidden = passes === "";
    this.#repetition.hidden = entry.barred === null;
    this.#repetition.textContent = entry.barred === null ? "" : repetitionText(entry.barred);
    this.#standIns.show(state, game);
    const stage = entry.stage(state.position, state.toMove ?? 0);
    this.#drop.hidden = shownPly !== null || entry.clicks.length === 0 || (stage !== "take" && stage !== "choose");
    this.#showExtra(state, game, shownPly);
  }

  /** The reader's outcome, for the style sheet, and the rating change. @param {MatchState} state */
  #showOutcome(state) {
    const own = state.ownSeats.length === 1 ? state.ownSeats[0] : null;
    const outcome = ownOutcome(state) ?? "";
    if (outcome === "won" && this.element.dataset.outcome !== outcome) this.#headline.before(spinningWheel());
    this.element.dataset.outcome = outcome;
    const change = own === null || state.isVoid ? null : (state.rated?.changes[own] ?? null);
    this.#rating.hidden = change === null;
    if (change !== null) {
      this.#rating.replaceChildren(element("span", { class: "visually-hidden" }, gettext("Your rating:"), " "), ...ratingParts(null, change));
    }
  }

  /**
   * Rebuilt only on a change, so that the focus and a chosen level stay.
   * @param {MatchState} state
   * @param {GameInfo | undefined} game
   * @param {number | null} shownPly
   */
  #showExtra(state, game, shownPly) {
    const isPlayer = state.ownSeats.length > 0;
    const key = JSON.stringify([state.openSeats, isPlayer, shownPly, state.plies.length, game?.name, state.end?.ranks]);
    if (key === this.#extraKey) return;
    this.#extraKey = key;
    this.#extra.replaceChildren();
    if (shownPly !== null) this.#extra.append(...this.#pastParts(shownPly, state));
    if (state.openSeats.length > 0) {
      this.#extra.append(...(isPlayer ? this.#inviteParts(state, game) : this.#joinParts(state, game)));
    }
    if ((state.end?.ranks?.length ?? 0) > 2) this.#extra.append(rankList(state, game));
  }

  /** @param {number} shown @param {MatchState} state */
  #pastParts(shown, { plies, end }) {
    const text = element("p", { class: "past-note" }, gettext("Viewing move {shown} of {count}.", { shown, count: plies.length }));
    return [text, button(end === null ? gettext("Back to live") : gettext("Go to the end"), this.handlers.goLive, { class: "button primary live-button" })];
  }

  /** @param {MatchState} state @param {GameInfo | undefined} game */
  #joinParts(state, game) {
    const seats = state.openSeats.map((seat) =>
      button(gettext("Play {colour}", { colour: seatName(game, seat) }), () => this.handlers.join(seat), { class: "button primary join-button" }),
    );
    if (!game?.has_lesson || hostName(state) === null) return seats;
    return [...seats, element("a", { class: "button lesson-first", href: `/learn/${game.name}?match=${state.id}` }, gettext("Two-minute lesson"))];
  }

  /** @param {MatchState} state @param {GameInfo | undefined} game */
  #inviteParts(state, game) {
    const path = `/match/${state.id}`;
    const isOne = state.players.length === 2;
    const rows = state.openSeats.map((seat) => {
      const name = seatName(game, seat);
      const level = levelSelect(game, isOne ? gettext("Level of the bot") : gettext("Level of a bot for {name}", { name }));
      const label = isOne ? gettext("Play a bot instead") : gettext("Add a bot for {name}", { name });
      const fill = button(label, () => this.handlers.fill(seat, parseLevel(level.value)));
      return element("div", { class: "fill", "data-seat": seat }, drawMan(seatColour(game, seat), "choice-man"), level, fill);
    });
    return [inviteLink(path, gettext("Link to this match")), ...rows, inviteCode(path, gettext("QR code with the link to this match"))];
  }
}

/** @param {MatchState} state @returns {string} Why the result does not count; empty if it does. */
function unratedText({ isVoid, rated }) {
  if (isVoid) return gettext("A moderator voided this match. The result does not count.");
  const why = rated?.explanation ?? "";
  return why === "" ? "" : gettext("Ratings did not change: {reason}.", { reason: gettext(why) });
}

/** @param {string[]} clicks Of a move that is forbidden because it repeats a position. */
function repetitionText(clicks) {
  return gettext("{move} is not allowed because it would repeat an earlier position. Choose another move.", { move: clicks.join("-") });
}

/** The final ranking, for matches of more than two. @param {MatchState} state @param {GameInfo | undefined} game */
function rankList(state, game) {
  const ranks = state.end?.ranks ?? [];
  const seats = [...ranks.keys()].sort((one, other) => ranks[one] - ranks[other] || one - other);
  const isReader = (/** @type {number} */ seat) => state.ownSeats.length === 1 && state.ownSeats[0] === seat;
  const rows = seats.map((seat) =>
    element(
      "li",
      { value: ranks[seat] },
      drawMan(seatColour(game, seat), "choice-man"),
      element("span", {}, `${seatName(game, seat)} · ${isReader(seat) ? gettext("you") : playerName(state.players[seat])}`),
    ),
  );
  return element("ol", { class: "ranks", "aria-label": gettext("Result") }, ...rows);
}
