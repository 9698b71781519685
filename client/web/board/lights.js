/**
 * Highlights on the cells where a move achieved something, such as closing a mill.
 *
 * The server names the cells; the style sheets animate them.
 */

import { svgElement } from "../element.js";
import { PIECE_RADIUS, disc } from "./pieces.js";

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
   * Redrawn only when the cells change, so that no highlight flashes twice.
   * @param {readonly Highlight[]} highlights
   */
  show(highlights) {
    const key = JSON.stringify(highlights.map(({ cells }) => cells));
    if (key === this.#key) return;
    this.#key = key;
    this.node.replaceChildren(...highlights.flatMap(({ cells }) => this.#draw(cells)));
  }

  /** @param {readonly number[]} cells Their indices. @returns {SVGElement[]} */
  #draw(cells) {
    const points = cells.map((index) => this.#layout.at(this.#layout.names[index]));
    const rings = points.map((point) => disc("light", PIECE_RADIUS + 0.1, point));
    if (this.#layout.lines.length === 0) return rings;
    const path = `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
    return [svgElement("path", { class: "light light-line", d: path }), ...rings];
  }
}
