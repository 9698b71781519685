/** A page on which the reader plays from a position, with cards of text beside the board: the base of lessons and of all kinds of puzzles. */

import { drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { turnWheel } from "../mill_wheel.js";
import { offerShortcuts } from "../shortcuts/shortcuts.js";
import { playSound } from "../sound.js";
import { Hands } from "./hands.js";
import { LineBoard } from "./line_board.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Explored } from "../protocol.js" */

export class ExercisePage {
  /** What comes next by itself; it is cancelled when the page is closed. */
  timer = 0;
  hands = new Hands();
  mover = element("p", { class: "puzzle-mover" });
  task = element("h1", { class: "step-title puzzle-task" });
  answer = element("p", { class: "step-answer", role: "status", hidden: true });
  buttons = element("div", { class: "extra" });
  #stopWaiting = () => {};
  #stopShortcuts = () => {};

  /**
   * @param {Connection} connection
   * @param {string} game From the address.
   * @param {string} title
   * @param {string} [classes]
   */
  constructor(connection, game, title, classes = "puzzles-page") {
    this.connection = connection;
    this.game = game;
    this.title = title;
    const seats = {
      nameOf: (/** @type {number} */ seat) => seatName(this.gameInfo, seat),
      colourOf: (/** @type {number} */ seat) => seatColour(this.gameInfo, seat),
    };
    this.board = new LineBoard(connection, seats, {
      played: (move, told) => this.played(move, told),
      shown: () => this.hands.show(this.board.reserves, this.gameInfo),
      laidOut: (aspect) => this.element.style.setProperty("--aspect", aspect.toFixed(4)),
    });
    this.side = element("div", { class: "learn-side" });
    this.element = element("div", { class: `learn-page ${classes}` }, this.board.element, this.side);
    this.element.hidden = true;
  }

  /** Called when the games are known, and after reconnections. */
  begin() {}

  /** The reader has entered a move. @param {string} _move Its text. @param {Explored} _told The position after it. */
  played(_move, _told) {}

  get gameInfo() {
    return this.connection.games.find(({ name }) => name === this.game);
  }

  open() {
    document.title = `${this.title} · Millrace`;
    this.#stopShortcuts = offerShortcuts({ title: this.title, shortcuts: this.board.shortcuts, isActive: () => true });
    this.#stopWaiting = this.connection.whenKnown(() => this.begin());
  }

  close() {
    clearTimeout(this.timer);
    this.#stopShortcuts();
    this.#stopWaiting();
  }

  /** Show something else instead. @param {...HTMLElement} parts */
  showInstead(...parts) {
    this.element.hidden = false;
    this.element.className = "";
    this.element.replaceChildren(...parts);
  }

  /** Say whose turn it is. @param {number} seat */
  showMover(seat) {
    this.mover.replaceChildren(drawMan(seatColour(this.gameInfo, seat), "choice-man"), " ", gettext("{player} to move", { player: seatName(this.gameInfo, seat) }), this.board.turnButton());
  }

  /** @param {string} stage @param {string} words */
  say(stage, words) {
    const isNews = stage !== this.answer.dataset.stage;
    if (isNews && (stage === "right" || stage === "wrong" || stage === "solved")) playSound(stage, this.board.shape);
    if (isNews && stage === "solved") turnWheel("notch");
    this.answer.hidden = words === "";
    this.answer.dataset.stage = stage;
    this.answer.textContent = words;
  }

  /** Let the reader play from the position after some moves, once more. @param {number} ply */
  goBackTo(ply) {
    clearTimeout(this.timer);
    this.board.advised = [];
    this.board.isOpen = true;
    this.board.backTo(ply);
    this.board.refresh();
  }

  /** Play the opponent's answer, and let the reader go on. @param {string} reply @param {() => boolean} isStillShown */
  async reply(reply, isStillShown) {
    await this.board.advance(reply);
    if (!isStillShown()) return;
    this.board.isOpen = true;
    this.board.refresh();
  }
}
