/**
 * The layout of a board, computed from its geometry; the unit is the distance between neighbouring cells.
 *
 * No DOM. A turned board is seen from the other side.
 */

/** @import { Board as Geometry } from "../protocol.js" */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ text: string, x: number, y: number }} Label */

/** Margin around the outermost cells, for the frame and its labels. */
const MARGIN = { points: 0.8, squares: 0.84, hexes: 0.66 };
const LABEL_DISTANCE = { points: 0.58, squares: 0.67, hexes: 0 };

/** Distance from a hexagon's centre to its corners. */
export const HEX_RADIUS = 1 / Math.sqrt(3);

export class Layout {
  /** @param {Geometry} geometry @param {boolean} isTurned */
  constructor(geometry, isTurned) {
    this.shape = geometry.shape;
    this.lines = geometry.lines;
    const sign = isTurned ? -1 : 1;
    /** By cell, in the order of the geometry. @type {ReadonlyMap<string, Point>} */
    this.points = new Map(geometry.cells.map(([name, x, y]) => [name, { x: sign * x, y: sign * y }]));
    this.names = geometry.cells.map(([name]) => name);
    const all = [...this.points.values()];
    const margin = MARGIN[this.shape];
    this.left = Math.min(...all.map(({ x }) => x)) - margin;
    this.top = Math.min(...all.map(({ y }) => y)) - margin;
    this.width = Math.max(...all.map(({ x }) => x)) + margin - this.left;
    this.height = Math.max(...all.map(({ y }) => y)) + margin - this.top;
  }

  /** @param {string} cell @returns {Point} */
  at(cell) {
    return this.points.get(cell) ?? { x: 0, y: 0 };
  }

  /** The cell nearest to a point, unless it is off the board. @param {Point} point @returns {string | null} */
  cellAt({ x, y }) {
    let [nearest, least] = [/** @type {string | null} */ (null), 0.62];
    for (const [name, point] of this.points) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance < least) [nearest, least] = [name, distance];
    }
    return nearest;
  }

  /**
   * The cell to which an arrow key leads: the nearest within 45 degrees of its direction.
   * @param {string} cell
   * @param {Point} direction Of length 1.
   * @returns {string | null}
   */
  step(cell, direction) {
    const from = this.at(cell);
    let [best, least] = [/** @type {string | null} */ (null), Infinity];
    for (const [name, { x, y }] of this.points) {
      const ahead = (x - from.x) * direction.x + (y - from.y) * direction.y;
      const aside = Math.abs((x - from.x) * direction.y - (y - from.y) * direction.x);
      const cost = ahead + 2 * aside;
      if (ahead > 1e-6 && aside <= ahead && cost < least) [best, least] = [name, cost];
    }
    return best;
  }

  /** Column letters below and row numbers at the left, if the cell names contain them. @returns {Label[]} */
  labels() {
    const columns = this.#shared(/^[a-z]+/, "x");
    const rows = this.#shared(/\d+$/, "y");
    if (this.shape === "hexes" || columns === null || rows === null) return [];
    const aside = MARGIN[this.shape] - LABEL_DISTANCE[this.shape];
    const bottom = this.top + this.height - aside;
    return [
      ...Array.from(columns, ([text, x]) => ({ text, x, y: bottom })),
      ...Array.from(rows, ([text, y]) => ({ text, x: this.left + aside, y })),
    ];
  }

  /** The corners of the hexagon around a cell, in the board's orientation. @returns {Point[]} */
  hexCorners() {
    const first = this.#neighbourAngle() + Math.PI / 6;
    return Array.from({ length: 6 }, (_, index) => ({
      x: HEX_RADIUS * Math.cos(first + (index * Math.PI) / 3),
      y: HEX_RADIUS * Math.sin(first + (index * Math.PI) / 3),
    }));
  }

  #neighbourAngle() {
    const all = [...this.points.values()];
    for (const from of all) {
      const to = all.find((point) => Math.abs(Math.hypot(point.x - from.x, point.y - from.y) - 1) < 0.01);
      if (to) return Math.atan2(to.y - from.y, to.x - from.x);
    }
    return 0;
  }

  /**
   * The part of the names shared by all cells of a column or row, with its coordinate; null if not shared.
   * @param {RegExp} part
   * @param {"x" | "y"} axis
   * @returns {Map<string, number> | null}
   */
  #shared(part, axis) {
    /** @type {Map<string, number>} */
    const places = new Map();
    for (const [name, point] of this.points) {
      const text = part.exec(name)?.[0];
      if (text === undefined || Math.abs((places.get(text) ?? point[axis]) - point[axis]) > 1e-6) return null;
      places.set(text, point[axis]);
    }
    return places;
  }
}
