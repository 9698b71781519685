/**
 * Where the board is: it makes the board for the geometry that is shown, turned as the reader has it, and draws scenes.
 *
 * What a scene has is `scene.js`'s to say, what a click means the page's.
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
  #isDrawn = false;

  /**
   * @param {BoardHandlers} handlers
   * @param {(seat: number) => string} colourOf
   * @param {(aspect: number) => void} onLayout Told how many times as wide as high a new board is.
   */
  constructor(handlers, colourOf, onLayout) {
    this.handlers = handlers;
    this.colourOf = colourOf;
    this.onLayout = onLayout;
  }

  /** Show the board from the other side from the next scene on. */
  turn() {
    this.#isTurned = !this.#isTurned;
    this.#board = null;
  }

  /**
   * During an opening the geometry is another than later.
   * @param {Scene} scene Of a position whose geometry is known.
   * @param {boolean} isChoosing Whether a number is being asked for.
   */
  show(scene, isChoosing) {
    const geometry = /** @type {Geometry} */ (scene.position.board);
    const board = this.#board?.geometry === geometry ? this.#board : this.#make(geometry);
    board.element.dataset.choosing = String(isChoosing);
    board.show({ ...scene, isSudden: !this.#isDrawn });
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
