/**
 * A board for entering moves by clicks, drags, keys and the choices beside it.
 *
 * `board_scene.js` decides what a position looks like; the page handles clicks.
 */

import { BOARD_SHORTCUTS } from "../board/input.js";
import { button } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { BoardArea } from "./board_area.js";
import { ChoicePanel } from "./choice_panel.js";
import { MoveEntry } from "./move_entry.js";
import { sitsAcross } from "./sides.js";

/** @import { Scene } from "../board/board.js" */
/** @import { Drawing } from "../board/drawings.js" */
/** @import { Tray } from "../board/pieces.js" */
/** @import { Position } from "../board/position.js" */
/** @import { Shortcut } from "../shortcuts/shortcuts.js" */
/** @import { Board as Geometry, Highlight, MoveTree } from "../protocol.js" */

/**
 * @typedef {object} MoveBoardHandlers
 * @property {(key: string) => void} click A cell or a choice.
 * @property {() => boolean} drop Undo the clicks; returns whether there were any.
 * @property {() => void} changed The chosen number or the side has changed.
 * @property {() => void} [turned] The reader has turned the board.
 * @property {(aspect: number) => void} laidOut Receives the aspect ratio of a new board.
 * @property {(drawing: Drawing) => void} [draw] The reader has drawn an arrow or a circle.
 * @property {(seat: number, tray: Tray) => DOMRect | null} [trayOf] Where a seat's pieces lie beside the board.
 */

export class MoveBoard {
  entry = new MoveEntry([]);
  choicePanel;
  #area;
  /** The board's geometry. @type {Geometry | null} */
  #geometry = null;

  /** @param {MoveBoardHandlers} handlers @param {(seat: number) => string} colourOf */
  constructor(handlers, colourOf) {
    const { click, drop, draw, trayOf } = handlers;
    this.handlers = handlers;
    this.choicePanel = new ChoicePanel(click, handlers.changed);
    const wheel = (/** @type {number} */ steps) => this.choicePanel.turn(steps);
    this.#area = new BoardArea({ click, drop, wheel, cancel: drop, draw, trayOf }, colourOf, handlers.laidOut);
    this.element = this.#area.element;
  }

  /**
   * @param {Geometry} geometry A new one, as after an opening phase, starts a new entry.
   * @param {MoveTree | null} moves
   * @param {MoveTree | null} barred
   * @param {Record<string, Highlight[]>} [highlights] What moves in progress achieve, by their clicks.
   */
  offer(geometry, moves, barred, highlights) {
    if (geometry !== this.#geometry) this.entry = new MoveEntry(geometry.cells.map(([name]) => name));
    this.#geometry = geometry;
    this.entry.offer(moves, barred, highlights);
  }

  /** @param {boolean} canChoose Whether the shown position accepts moves. */
  showChoices(canChoose) {
    this.choicePanel.show(canChoose ? this.entry.choices : []);
  }

  /** @param {Scene} scene */
  show(scene) {
    this.#area.show(scene, this.choicePanel.amount !== undefined);
  }

  /** @param {boolean} isDrawing Whether every press draws an arrow or a circle, starting with the next scene. */
  set isDrawing(isDrawing) {
    this.#area.isDrawing = isDrawing;
  }

  /** Show the board from the other side. */
  turn() {
    this.#area.turn();
    this.handlers.turned?.();
    this.handlers.changed();
  }

  /**
   * Show the side of a seat, starting with the next scene.
   * @param {number} seat
   * @param {number} seats
   * @param {Position | null} position The first one; null while it is not known.
   */
  face(seat, seats, position) {
    this.#area.face(sitsAcross(seat, seats, position));
  }

  /** Whether the board is seen from the other side. */
  get isTurned() {
    return this.#area.isTurned;
  }

  /** A button that turns the board. */
  turnButton() {
    const label = gettext("Flip the board");
    return button(icon("turn"), () => this.turn(), { class: "button icon-button", "aria-label": label, title: label });
  }

  /** @returns {Shortcut[]} */
  get shortcuts() {
    return [
      ...this.choicePanel.shortcuts,
      { keys: ["b"], label: gettext("Go to the board"), run: () => this.#area.focus() },
      { keys: ["f"], label: gettext("Flip the board"), run: () => this.turn() },
      ...BOARD_SHORTCUTS,
      { keys: ["Escape"], label: gettext("Undo the clicks of a move, or cancel a premove"), run: this.handlers.drop },
    ];
  }
}
