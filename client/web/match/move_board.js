/**
 * A board on which moves are entered: by clicks, drags and keys on it, and by the choices beside it.
 *
 * What a position looks like is `scene.js`'s to say, what becomes of a click the page's. Imported by the pages of a match
 * and of the analysis board.
 */

import { BoardArea } from "./board_area.js";
import { ChoicePanel } from "./choice_panel.js";
import { MoveEntry } from "./move_entry.js";

/** @import { Scene } from "../board/board.js" */
/** @import { Board as Geometry, MoveTree } from "../protocol.js" */

/**
 * @typedef {object} MoveBoardHandlers
 * @property {(key: string) => void} click A cell or a choice.
 * @property {() => boolean} drop Take the clicks back; returns whether there were any.
 * @property {() => void} changed The amount to choose has changed.
 * @property {(aspect: number) => void} laidOut How many times as wide as high a new board is.
 */

export class MoveBoard {
  entry = new MoveEntry([]);
  choicePanel;
  #area;
  /** On which moves are entered. @type {Geometry | null} */
  #geometry = null;

  /**
   * @param {MoveBoardHandlers} handlers
   * @param {(seat: number) => string} colourOf
   */
  constructor(handlers, colourOf) {
    const { click, drop } = handlers;
    this.handlers = handlers;
    this.choicePanel = new ChoicePanel(click, handlers.changed);
    this.#area = new BoardArea({ click, drop, wheel: (steps) => this.choicePanel.turn(steps), cancel: drop }, colourOf, handlers.laidOut);
    this.element = this.#area.element;
  }

  /**
   * @param {Geometry} geometry Another one, as after an opening, begins the entering anew.
   * @param {MoveTree | null} moves
   * @param {MoveTree | null} barred
   */
  offer(geometry, moves, barred) {
    if (geometry !== this.#geometry) this.entry = new MoveEntry(geometry.cells.map(([name]) => name));
    this.#geometry = geometry;
    this.entry.offer(moves, barred);
  }

  /** @param {boolean} canChoose Whether what is shown is what moves are entered for. */
  showChoices(canChoose) {
    this.choicePanel.show(canChoose ? this.entry.choices : []);
  }

  /** @param {Scene} scene */
  show(scene) {
    this.#area.show(scene, this.choicePanel.amount !== undefined);
  }

  /** Show the board from the other side from the next scene on. */
  turn() {
    this.#area.turn();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} Whether the key is none for anything else on the page.
   */
  press(event) {
    const { target, key } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    const isOnButton = target instanceof HTMLButtonElement && key === "Enter";
    if (key === "Escape") this.handlers.drop();
    else if (!hasModifier && !isOnButton && this.choicePanel.press(key)) event.preventDefault();
    else return false;
    return true;
  }
}
