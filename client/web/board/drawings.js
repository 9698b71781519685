/** Arrows and circles that the reader draws on a board, and the one that is being drawn. */

import { svgElement } from "../element.js";

/** @import { Layout, Point } from "./layout.js" */

/** @typedef {"green" | "red" | "blue" | "yellow"} DrawingColour */
/**
 * A circle around a cell, or an arrow to another one.
 * @typedef {object} Drawing
 * @property {DrawingColour} colour
 * @property {string} from
 * @property {string | null} to Null for a circle.
 */

const CIRCLE_RADIUS = 0.45;
const HEAD = 0.3;

export class Drawings {
  /** @type {Layout} */
  #layout;
  #key = "";
  /** @type {readonly Drawing[]} */
  #drawings = [];
  node = svgElement("g", { class: "drawings", "aria-hidden": "true" });

  /** @param {Layout} layout */
  constructor(layout) {
    this.#layout = layout;
  }

  /** @param {readonly Drawing[]} drawings */
  show(drawings) {
    this.#drawings = drawings;
    this.draft(null);
  }

  /** @param {Drawing | null} draft What is being drawn. */
  draft(draft) {
    const all = draft === null ? this.#drawings : [...this.#drawings, draft];
    const key = JSON.stringify(all);
    if (key === this.#key) return;
    this.#key = key;
    this.node.replaceChildren(...all.flatMap((drawing) => this.#draw(drawing)));
  }

  /** @param {Drawing} drawing */
  #draw({ colour, from, to }) {
    const { points } = this.#layout;
    const [start, end] = [points.get(from), to === null ? null : points.get(to)];
    if (start === undefined || end === undefined) return [];
    if (end === null) return [svgElement("circle", { class: "drawing", "data-colour": colour, cx: start.x, cy: start.y, r: CIRCLE_RADIUS })];
    return [arrow(start, end, colour)];
  }
}

/** @param {Point} start @param {Point} end @param {DrawingColour} colour */
function arrow(start, end, colour) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [x, y] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const neck = { x: end.x - HEAD * x, y: end.y - HEAD * y };
  const corners = [end, { x: neck.x - (HEAD / 2) * y, y: neck.y + (HEAD / 2) * x }, { x: neck.x + (HEAD / 2) * y, y: neck.y - (HEAD / 2) * x }];
  const head = `M${corners.map((corner) => `${corner.x} ${corner.y}`).join("L")}Z`;
  return svgElement(
    "g",
    { class: "drawing", "data-colour": colour },
    svgElement("path", { class: "arrow-shaft", d: `M${start.x} ${start.y}L${neck.x} ${neck.y}` }),
    svgElement("path", { class: "arrow-head", d: head }),
  );
}

/**
 * Drawings with one added, or removed if it is there; another colour replaces it.
 * @param {readonly Drawing[]} drawings
 * @param {Drawing} drawn
 * @returns {Drawing[]}
 */
export function toggled(drawings, drawn) {
  const others = drawings.filter(({ from, to }) => from !== drawn.from || to !== drawn.to);
  const isSame = drawings.some(({ colour, from, to }) => from === drawn.from && to === drawn.to && colour === drawn.colour);
  return isSame ? others : [...others, drawn];
}
