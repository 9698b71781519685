/**
 * A board with background, marks, pieces and one focusable element per cell.
 *
 * It knows no rules and no match: it shows scenes and reports clicks.
 */

import { svgElement } from "../element.js";
import { gettext } from "../language/texts.js";
import { NOBODY } from "../protocol.js";
import { drawBackground } from "./background.js";
import { listen } from "./input.js";
import { Drawings } from "./drawings.js";
import { Layout } from "./layout.js";
import { Lights } from "./lights.js";
import { PIECE_RADIUS, Pieces, disc, emblemOf } from "./pieces.js";
import { PlanMarks } from "./plan_marks.js";
import { SceneQueue } from "./scene_queue.js";

/** @import { Board as Geometry } from "../protocol.js" */
/** @import { Drawing } from "./drawings.js" */
/** @import { Point } from "./layout.js" */
/** @import { Tray } from "./pieces.js" */
/** @import { Position } from "./position.js" */

/**
 * A mark on a cell. Of the last move: `origin`, `target`, `taken`, `turned`. Of the move being entered: `picked`.
 * Clickable: `pick` an own piece, `go` to a cell, `take` a piece, `barred` with an explanation. Others: `planned` by a
 * premove, `advised` by the engine. Of an exercise: `asked`, and the answers `right` and `wrong`.
 * @typedef {"origin" | "target" | "taken" | "turned" | "picked" | "pick" | "go" | "take" | "barred" | "planned" | "plannable" | "advised" | "blocked" | "blocking" | "asked" | "right" | "wrong"} Mark
 */
/**
 * @typedef {object} Scene
 * @property {Position} position
 * @property {ReadonlyMap<string, ReadonlySet<Mark>>} marks By cell.
 * @property {string | null} colour The colour of the seat whose move is being entered.
 * @property {boolean} acceptsPremove Whether any cell may be clicked to enter a premove.
 * @property {{ moves: readonly (readonly string[])[], colour: string } | null} plans The clicks of the reader's premoves.
 * @property {boolean} isSudden Whether to skip animations.
 * @property {boolean} [isQueued] Whether to wait until the pieces of the scene before have arrived.
 * @property {(cell: string) => string} describe The accessible name of a cell.
 * @property {readonly Drawing[]} [drawings] The reader's arrows and circles.
 */
/**
 * @typedef {object} BoardHandlers
 * @property {(cell: string) => void} click
 * @property {() => void} drop Escape was pressed, or a click missed the cells.
 * @property {(steps: number) => void} wheel
 * @property {() => boolean} cancel The right button was pressed; returns whether there were clicks to undo.
 * @property {(cell: string) => void} [discard] The piece on a cell was dragged off the board.
 * @property {(drawing: Drawing) => void} [draw] The reader has drawn an arrow or a circle. Without it nothing is drawn.
 * @property {(seat: number, tray: Tray) => DOMRect | null} [trayOf] Where a seat's pieces lie beside the board.
 */

/** @type {Mark[]} */
const CLICKABLE = ["pick", "go", "take", "barred"];

export class Board {
  /** @type {Map<string, SVGGElement>} */
  #cells = new Map();
  #focused = "";
  /** Background elements by cell name, for boards built from tiles. @type {Map<string, Element[]>} */
  #grounds = new Map();
  #queue = new SceneQueue((scene) => this.#draw(scene));
  #lights;
  #plans;
  drawings;

  /**
   * @param {Geometry} geometry
   * @param {(seat: number) => string} colourOf
   * @param {BoardHandlers} handlers
   * @param {boolean} isTurned
   */
  constructor(geometry, colourOf, handlers, isTurned) {
    this.geometry = geometry;
    this.colourOf = colourOf;
    this.layout = new Layout(geometry, isTurned);
    this.pieces = new Pieces(this.layout, colourOf, (seat, tray) => this.#middleOf(handlers.trayOf?.(seat, tray) ?? null));
    this.#lights = new Lights(this.layout);
    this.#plans = new PlanMarks(this.layout);
    this.drawings = new Drawings(this.layout);
    const { left, top, width, height } = this.layout;
    const cells = svgElement("g", { class: "cells" });
    for (const name of this.layout.names) {
      const cell = this.#drawCell(name);
      this.#cells.set(name, cell);
      cells.append(cell);
    }
    this.element = svgElement(
      "svg",
      { class: "board", viewBox: `${left} ${top} ${width} ${height}`, role: "group", "aria-label": gettext("Board") },
      drawBackground(this.layout),
      this.#lights.node,
      cells,
      this.pieces.node,
      this.#plans.node,
      this.drawings.node,
    );
    for (const drawn of this.element.querySelectorAll("[data-of]")) {
      const name = drawn.getAttribute("data-of") ?? "";
      this.#grounds.set(name, [...(this.#grounds.get(name) ?? []), drawn]);
    }
    this.#focus(this.layout.names[0], false);
    listen(this, handlers);
  }

  /** @param {Scene} scene */
  show(scene) {
    this.#queue.show(scene);
  }

  /** @param {Scene} scene @returns {boolean} Whether pieces move. */
  #draw({ position, marks, colour, acceptsPremove, plans, isSudden, describe, drawings }) {
    this.element.dataset.plannable = String(acceptsPremove);
    if (this.element.dataset.colour !== (colour ?? "")) this.#setGhosts(colour);
    this.element.dataset.colour = colour ?? "";
    this.#showGround(position);
    for (const [name, cell] of this.#cells) {
      const pile = position.piles.get(name);
      cell.dataset.seat = pile === undefined ? "" : String(pile.seat);
      cell.dataset.size = String(pile?.size ?? 0);
      cell.dataset.marks = [...(marks.get(name) ?? [])].join(" ");
      cell.setAttribute("aria-label", describe(name));
      cell.setAttribute("aria-disabled", String(!acceptsPremove && !this.isClickable(name)));
    }
    this.#lights.show(position.highlights);
    this.#plans.show(plans?.moves ?? [], plans?.colour ?? "");
    this.drawings.show(drawings ?? []);
    return this.pieces.show(position, isSudden);
  }

  /** @param {DOMRect | null} place In pixels. @returns {Point | null} Its middle, in the board's unit. */
  #middleOf(place) {
    const matrix = this.element.getScreenCTM()?.inverse();
    if (place === null || place.width === 0 || !matrix) return null;
    const { x, y } = new DOMPoint(place.left + place.width / 2, place.top + place.height / 2).matrixTransform(matrix);
    return { x, y };
  }

  /** Show which cells have a tile, and who holds them. @param {Position} position */
  #showGround({ ground, territory }) {
    const laid = ground === null ? null : new Set(ground);
    for (const [index, name] of this.layout.names.entries()) {
      const cell = /** @type {SVGGElement} */ (this.#cells.get(name));
      const holder = territory?.[index] ?? NOBODY;
      const isLaid = laid === null || laid.has(index);
      cell.dataset.laid = String(isLaid);
      cell.dataset.held = holder === NOBODY ? "" : this.colourOf(holder);
      cell.querySelector(".claim")?.setAttribute("d", holder === NOBODY ? "" : emblemOf(this.colourOf(holder)));
      for (const drawn of this.#grounds.get(name) ?? []) drawn.classList.toggle("unlaid", !isLaid);
    }
  }

  /** Set the emblem of the ghost pieces on destinations. @param {string | null} colour */
  #setGhosts(colour) {
    const shape = colour === null ? "" : emblemOf(colour);
    for (const ghost of this.element.querySelectorAll(".ghost")) ghost.setAttribute("d", shape);
  }

  /** @param {string} cell */
  isClickable(cell) {
    return CLICKABLE.some((mark) => this.has(cell, mark));
  }

  /** Whether a press picks the cell's piece up. @param {string} cell */
  canPickUp(cell) {
    return (this.has(cell, "pick") || this.has(cell, "plannable")) && !this.has(cell, "picked");
  }

  /** Whether a piece that is dragged may be dropped on a cell. @param {string} cell */
  canDrop(cell) {
    return this.isClickable(cell) || (this.element.dataset.plannable === "true" && !this.canPickUp(cell));
  }

  /** @param {string} cell @param {Mark} mark */
  has(cell, mark) {
    return this.#cells.get(cell)?.dataset.marks?.split(" ").includes(mark) ?? false;
  }

  /** Highlight the cell under a dragged piece. @param {string | null} cell */
  aim(cell) {
    for (const [name, node] of this.#cells) node.classList.toggle("aimed", name === cell);
  }

  /** Focus the cell that the Tab key reaches. */
  focus() {
    this.#focus(this.#focused, true);
  }

  /** Move the focus by one step. @param {{ x: number, y: number }} direction */
  step(direction) {
    const next = this.layout.step(this.#focused, direction);
    if (next !== null) this.#focus(next, true);
  }

  /** Make a cell the one that Tab reaches. @param {string} cell @param {boolean} isMoved Whether to focus it now. */
  #focus(cell, isMoved) {
    this.#cells.get(this.#focused)?.setAttribute("tabindex", "-1");
    this.#focused = cell;
    const node = this.#cells.get(cell);
    node?.setAttribute("tabindex", "0");
    if (isMoved) node?.focus();
  }

  /** @param {string} name @returns {SVGGElement} */
  #drawCell(name) {
    const { x, y } = this.layout.at(name);
    const cell = svgElement(
      "g",
      { class: "cell", role: "button", tabindex: -1, "data-cell": name, transform: `translate(${x} ${y})` },
      svgElement("circle", { class: "reach", r: 0.5 }),
      disc("halo", PIECE_RADIUS + 0.085),
      svgElement("path", { class: "claim" }),
      disc("dot", PIECE_RADIUS),
      svgElement("path", { class: "ghost" }),
      svgElement("path", { class: "cross", d: "M-.13-.13L.13 .13M-.13 .13L.13-.13" }),
      svgElement("path", { class: "bar", d: "M-.2 0A.2 .2 0 1 0 .2 0A.2 .2 0 1 0-.2 0ZM-.14-.14L.14 .14" }),
    );
    cell.addEventListener("focus", () => this.#focus(name, false));
    return cell;
  }
}
