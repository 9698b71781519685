/**
 * The light on cells where a move achieved something, such as a mill that it closed.
 *
 * The server says which cells; the style sheets let them light up.
 */

import { svgElement } from "../element.js";
import { PIECE_RADIUS } from "./pieces.js";

/** @import { Highlight } from "../protocol.js" */
/** @import { Layout } from "./layout.js" */

export class Lights {
  /** @type {Layout} */
  #layout;
  #key = "";
  node = svgElement("g", { class: "lights", "aria-hidden": "true" });

  /** @param {Layout} layout */
  constructor(layout) {
    this.#layout = layout;
  }

  /**
   * Drawn anew only when other cells light up, so that a light does not flash twice.
   * @param {readonly Highlight[]} highlights
   */
  show(highlights) {
    const key = JSON.stringify(highlights.map(({ cells }) => cells));
    if (key === this.#key) return;
    this.#key = key;
    this.node.replaceChildren(...highlights.flatMap(({ cells }) => this.#draw(cells)));
  }

  /**
   * @param {readonly number[]} cells Their indices.
   * @returns {SVGElement[]}
   */
  #draw(cells) {
    const points = cells.map((index) => this.#layout.at(this.#layout.names[index]));
    const rings = points.map(({ x, y }) => svgElement("circle", { class: "light", cx: x, cy: y, r: PIECE_RADIUS + 0.1 }));
    if (this.#layout.lines.length === 0) return rings;
    const path = `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
    return [svgElement("path", { class: "light light-line", d: path }), ...rings];
  }
}
