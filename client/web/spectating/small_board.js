/**
 * A game's featured match as a small live board with its players; a link to watch it.
 *
 * Its viewers do not count as spectators. If nothing is played, it can ask for an exhibition while the tab is visible.
 */

import { Board } from "../board/board.js";
import { drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { element } from "../element.js";
import { pastScene } from "../match/board_scene.js";
import { MatchState } from "../match/match_state.js";
import { playerName, playerTitle, resultText } from "../match/match_texts.js";
import { ratingParts } from "../ratings/rating_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { GameInfo } from "../protocol.js" */

const NO_HANDLERS = { click: () => {}, drop: () => {}, wheel: () => {}, cancel: () => false };

export class SmallBoard {
  #picture = element("div", { class: "small-picture" });
  #players = element("span", { class: "small-players" });
  #note = element("span", { class: "small-note" });
  /** @type {Board | null} */
  #board = null;
  /** @type {MatchState | null} */
  #state = null;
  #unfollow = () => {};
  #unfollowMatch = () => {};

  /**
   * @param {Connection} connection
   * @param {GameInfo} game
   * @param {boolean} [wantsExhibition] Whether bots should play if nobody else does.
   */
  constructor(connection, game, wantsExhibition = false) {
    this.connection = connection;
    this.game = game;
    this.wantsExhibition = wantsExhibition;
    this.element = element(
      "a",
      { class: "card small-board", href: `/watch/${game.name}`, hidden: true },
      this.#picture,
      this.#players,
      this.#note,
    );
    this.onVisibility = () => this.#ask();
  }

  open() {
    if (this.wantsExhibition) document.addEventListener("visibilitychange", this.onVisibility);
    this.#ask();
  }

  #ask() {
    const exhibition = this.wantsExhibition && document.visibilityState === "visible";
    this.#unfollow = this.connection.follow({ type: "watch_featured", game: this.game.name, exhibition }, ({ match }) => this.#follow(match));
  }

  close() {
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.#unfollow();
    this.#leave();
  }

  /** @param {string | null} match */
  #follow(match) {
    if (match === this.#state?.id) return;
    this.#leave();
    this.element.hidden = match === null;
    if (match === null) return;
    const state = (this.#state = new MatchState(match, () => this.connection.player?.id));
    this.#unfollowMatch = this.connection.follow(state.request(true), (message) => this.#receive(state, message));
  }

  #leave() {
    this.#unfollowMatch();
    this.#state = this.#board = null;
  }

  /**
   * @param {MatchState} state
   * @param {MatchMessage} message
   */
  #receive(state, message) {
    state.receive(message);
    if (state !== this.#state || !state.isLoaded || state.position.board === null) return;
    if (message.type !== "audience_update") this.#show(state);
  }

  /** @param {MatchState} state A loaded match. */
  #show(state) {
    const colourOf = (/** @type {number} */ seat) => seatColour(this.game, seat);
    const nameOf = (/** @type {number} */ seat) => seatName(this.game, seat);
    const geometry = /** @type {import("../protocol.js").Board} */ (state.position.board);
    const isNew = this.#board?.geometry !== geometry;
    const board = isNew ? this.#make(new Board(geometry, colourOf, NO_HANDLERS, false)) : /** @type {Board} */ (this.#board);
    board.show({ ...pastScene(state, state.plies.length, { nameOf, colourOf }), isSudden: isNew });
    this.#players.replaceChildren(...state.players.map((_, seat) => this.#player(state, seat)));
    this.#note.textContent = state.end === null ? this.game.title : resultText(state, (seat) => playerTitle(state.players, seat, this.game)).headline;
    this.element.setAttribute("aria-label", `Watch ${this.game.title}: ${state.players.map(playerName).join(" against ")}`);
  }

  /**
   * Prepare a board as a picture without controls.
   * @param {Board} board
   */
  #make(board) {
    this.#board = board;
    board.element.setAttribute("aria-hidden", "true");
    for (const cell of board.element.querySelectorAll(".cell")) cell.removeAttribute("tabindex");
    this.#picture.replaceChildren(board.element);
    return board;
  }

  /**
   * @param {MatchState} state
   * @param {number} seat
   */
  #player(state, seat) {
    const isToMove = state.end === null && state.toMove === seat;
    return element(
      "span",
      { class: isToMove ? "small-player to-move" : "small-player" },
      drawMan(seatColour(this.game, seat), "choice-man"),
      element("span", { class: "small-name" }, playerName(state.players[seat])),
      element("span", { class: "live-rating" }, ...ratingParts(state.ratings[seat] ?? null, null)),
    );
  }
}
