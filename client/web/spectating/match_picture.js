/**
 * A match as a picture: its current board from the reader's side, its players and its result; part of a link to it.
 *
 * Its viewers do not count as spectators.
 */

import { Board } from "../board/board.js";
import { drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { pastScene } from "../match/board_scene.js";
import { MatchState } from "../match/match_state.js";
import { sitsAcross } from "../match/sides.js";
import { playerName, playerTitle, resultText } from "../match/match_texts.js";
import { ratingParts } from "../ratings/rating_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { GameInfo } from "../protocol.js" */

const NO_HANDLERS = { click: () => {}, drop: () => {}, wheel: () => {}, cancel: () => false };

export class MatchPicture {
  #picture = element("span", { class: "small-picture" });
  #players = element("span", { class: "small-players" });
  #note = element("span", { class: "small-note" });
  /** From top to bottom. Screen readers read the names and the game, not the board. */
  elements;
  /** Called whenever the board has been drawn. */
  onShown = () => {};
  /** @type {Board | null} */
  #board = null;
  /** @type {MatchState | null} */
  #state = null;
  #unfollow = () => {};

  /** @param {Connection} connection @param {GameInfo} game */
  constructor(connection, game) {
    this.connection = connection;
    this.game = game;
    const introduction = element("span", { class: "visually-hidden" }, gettext("Watch {game}:", { game: game.title }), " ");
    this.elements = [this.#picture, introduction, this.#players, this.#note];
  }

  /** The match that is shown; null for none. @returns {string | null} */
  get match() {
    return this.#state?.id ?? null;
  }

  /** @param {string | null} match The match to show from now on; null for none. */
  follow(match) {
    if (match === this.match) return;
    this.#unfollow();
    this.#unfollow = () => {};
    this.#state = this.#board = null;
    if (match === null) return;
    const state = (this.#state = new MatchState(match, () => this.connection.player?.id));
    this.#unfollow = this.connection.follow(state.request(true), (message) => this.#receive(state, message));
  }

  close() {
    this.follow(null);
  }

  /** @param {MatchState} state @param {MatchMessage} message */
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
    const isAcross = sitsAcross(state.ownSeats[0] ?? 0, state.players.length, state.positions[0]);
    const isNew = this.#board?.geometry !== geometry;
    const board = isNew ? this.#make(new Board(geometry, colourOf, NO_HANDLERS, isAcross)) : /** @type {Board} */ (this.#board);
    board.show({ ...pastScene(state, state.plies.length, { nameOf, colourOf }), isSudden: isNew });
    this.#players.replaceChildren(...state.players.flatMap((_, seat) => this.#player(state, seat)));
    this.#note.textContent = state.end === null ? this.game.title : resultText(state, (seat) => playerTitle(state.players, seat, this.game)).headline;
    this.onShown();
  }

  /** Prepare a board as a picture without controls. @param {Board} board */
  #make(board) {
    this.#board = board;
    board.element.setAttribute("aria-hidden", "true");
    for (const cell of board.element.querySelectorAll(".cell")) cell.removeAttribute("tabindex");
    this.#picture.replaceChildren(board.element);
    return board;
  }

  /** @param {MatchState} state @param {number} seat @returns {Node[]} */
  #player(state, seat) {
    const isToMove = state.end === null && state.toMove === seat;
    const player = element(
      "span",
      { class: isToMove ? "small-player to-move" : "small-player" },
      drawMan(seatColour(this.game, seat), "choice-man"),
      element("span", { class: "small-name" }, playerName(state.players[seat])),
      " ",
      element("span", { class: "live-rating" }, ...ratingParts(state.ratings[seat] ?? null, null)),
    );
    return seat === 0 ? [player] : [element("span", { class: "visually-hidden" }, ` ${gettext("against")} `), player];
  }
}
