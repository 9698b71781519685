/** Premoves on the board: for each a faint piece where it ends, a line from where it starts, and its number. */

import { svgElement } from "../element.js";
import { PIECE_RADIUS, drawPiece } from "./pieces.js";

/** @import { Layout, Point } from "./layout.js" */

export class PlanMarks {
  /** @type {Layout} */
  #layout;
  #key = "";
  node = svgElement("g", { class: "plans", "aria-hidden": "true" });

  /** @param {Layout} layout */
  constructor(layout) {
    this.#layout = layout;
  }

  /**
   * @param {readonly (readonly string[])[]} moves The clicks of each premove, in order.
   * @param {string} colour Of the pieces.
   */
  show(moves, colour) {
    const key = JSON.stringify([moves, colour]);
    if (key === this.#key) return;
    this.#key = key;
    this.node.replaceChildren(...moves.flatMap((clicks, index) => this.#draw(clicks, colour, moves.length === 1 ? "" : String(index + 1))));
  }

  /**
   * @param {readonly string[]} clicks Origin and destination, or the destination of a piece from the hand.
   * @param {string} colour
   * @param {string} number Empty for a single premove.
   */
  #draw(clicks, colour, number) {
    const places = clicks.slice(0, 2).flatMap((cell) => (this.#layout.points.has(cell) ? [this.#layout.at(cell)] : []));
    const target = places.at(-1);
    if (target === undefined) return [];
    const piece = svgElement("g", { class: "planned-piece", transform: at(target) }, drawPiece(colour, this.#layout.shape === "hexes"));
    const way = places.length < 2 ? [] : [svgElement("path", { class: "planned-way", d: `M${places.map(({ x, y }) => `${x} ${y}`).join("L")}` })];
    const corner = { x: target.x + PIECE_RADIUS * 0.75, y: target.y - PIECE_RADIUS * 0.75 };
    const badge = number === "" ? [] : [svgElement("g", { class: "planned-number", transform: at(corner) }, svgElement("circle", { r: 0.19 }), svgElement("text", {}, number))];
    return [...way, piece, ...badge];
  }
}

/** @param {Point} point */
function at({ x, y }) {
  return `translate(${x} ${y})`;
}
