/**
 * Drawing the board under the pieces, which never changes during a match.
 *
 * The style sheets set the colours.
 */

import { svgElement } from "../element.js";

/** @import { Layout, Point } from "./layout.js" */

const CORNER = 0.28;
const INSET = 0.11;
/** From the middle of a hexagon to its name. */
const NAME_BELOW = 0.41;

/** @param {Layout} layout @returns {SVGGElement} */
export function drawBackground(layout) {
  const draw = { points: drawPoints, squares: drawSquares, hexes: drawHexes }[layout.shape];
  const labels = layout.labels().map(({ text, x, y }) => svgElement("text", { class: "label", x, y }, text));
  return svgElement("g", { class: `ground ${layout.shape}`, "aria-hidden": "true" }, ...draw(layout), ...labels);
}

/** @param {Layout} layout */
function drawPoints(layout) {
  const lines = layout.lines.map(([from, to]) => {
    const [start, end] = [layout.at(layout.names[from]), layout.at(layout.names[to])];
    return `M${start.x} ${start.y}L${end.x} ${end.y}`;
  });
  const path = lines.join("");
  return [
    drawPlate(layout),
    drawInlay(layout),
    svgElement("path", { class: "groove-light", d: path, transform: "translate(0.016 0.016)" }),
    svgElement("path", { class: "groove", d: path }),
    ...layout.names.map((name) => {
      const { x, y } = layout.at(name);
      return svgElement("circle", { class: "point", cx: x, cy: y, r: 0.095 });
    }),
  ];
}

/** @param {Layout} layout */
function drawSquares(layout) {
  const squares = layout.names.map((name) => {
    const { x, y } = layout.at(name);
    const isDark = Math.round(Math.abs(x) + Math.abs(y)) % 2 === 1;
    return svgElement("rect", {
      class: isDark ? "square dark" : "square",
      x: x - 0.5,
      y: y - 0.5,
      width: 1,
      height: 1,
    });
  });
  return [drawPlate(layout), ...squares];
}

/** @param {Layout} layout */
function drawHexes(layout) {
  const corners = layout.hexCorners();
  const outlines = layout.names.map((name) => outline(layout.at(name), corners));
  const part = (/** @type {string} */ kind, /** @type {string} */ d, /** @type {number} */ index) =>
    svgElement("path", { class: kind, d, "data-of": layout.names[index] });
  return [
    // Three layers: shade, rim and cells. Each is drawn cell by cell, because missing tiles lack all of them.
    svgElement("g", { class: "shades" }, ...outlines.map((d, index) => part("pasture-shade", d, index))),
    ...outlines.map((d, index) => part("pasture-rim", d, index)),
    ...outlines.map((d, index) => part(`hex tone-${(index * 7) % 3}`, d, index)),
    ...layout.names.map((name) => {
      const { x, y } = layout.at(name);
      return svgElement("text", { class: "label", x, y: y + NAME_BELOW, "data-of": name }, name);
    }),
  ];
}

/** @param {Layout} layout */
function drawPlate({ left, top, width, height }) {
  return svgElement("rect", { class: "plate", x: left, y: top, width, height, rx: CORNER, fill: "url(#plate)" });
}

/** @param {Layout} layout */
function drawInlay({ left, top, width, height }) {
  return svgElement("rect", {
    class: "inlay",
    x: left + INSET,
    y: top + INSET,
    width: width - 2 * INSET,
    height: height - 2 * INSET,
    rx: CORNER - INSET / 2,
  });
}

/** @param {Point} centre @param {Point[]} corners */
function outline(centre, corners) {
  const points = corners.map(({ x, y }) => `${(centre.x + x).toFixed(4)} ${(centre.y + y).toFixed(4)}`);
  return `M${points.join("L")}Z`;
}
