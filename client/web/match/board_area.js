/**
 * The place of the board: it creates the board for the shown geometry and draws scenes on it.
 *
 * `board_scene.js` decides what a scene contains; the page handles clicks.
 */

import { Board } from "../board/board.js";
import { element } from "../element.js";

/** @import { Board as Geometry } from "../protocol.js" */
/** @import { BoardHandlers, Scene } from "../board/board.js" */

export class BoardArea {
  element = element("div", { class: "board-area" });
  /** @type {Board | null} */
  #board = null;
  #isTurned = false;
  #isAcross = false;
  #isDrawn = false;
  /** Whether every press draws an arrow or a circle. */
  isDrawing = false;

  /**
   * @param {BoardHandlers} handlers
   * @param {(seat: number) => string} colourOf
   * @param {(aspect: number) => void} onLayout Receives the aspect ratio of a new board.
   */
  constructor(handlers, colourOf, onLayout) {
    this.handlers = handlers;
    this.colourOf = colourOf;
    this.onLayout = onLayout;
  }

  /** Show the board from the other side, starting with the next scene. */
  turn() {
    this.#isTurned = !this.#isTurned;
    this.#board = null;
  }

  /** Show the side of a reader who sits across the board, or not, unless the reader has turned it. @param {boolean} isAcross */
  face(isAcross) {
    if (isAcross !== this.#isAcross) this.turn();
    this.#isAcross = isAcross;
  }

  /** Whether the board is seen from the other side. */
  get isTurned() {
    return this.#isTurned;
  }

  /** Focus the cell that the Tab key reaches. */
  focus() {
    this.#board?.focus();
  }

  /**
   * During a game's opening phase the geometry differs from later.
   * @param {Scene} scene The position's geometry is known.
   * @param {boolean} isChoosing Whether the reader is choosing a number.
   */
  show(scene, isChoosing) {
    const geometry = /** @type {Geometry} */ (scene.position.board);
    const board = this.#board?.geometry === geometry ? this.#board : this.#make(geometry);
    board.element.dataset.choosing = String(isChoosing);
    board.element.dataset.drawing = String(this.isDrawing);
    board.show({ ...scene, isSudden: !this.#isDrawn || scene.isSudden });
    this.#isDrawn = true;
  }

  /** @param {Geometry} geometry */
  #make(geometry) {
    const board = new Board(geometry, this.colourOf, this.handlers, this.#isTurned);
    this.#board = board;
    this.#isDrawn = false;
    this.element.replaceChildren(board.element);
    this.onLayout(board.layout.width / board.layout.height);
    return board;
  }
}
