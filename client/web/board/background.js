/**
 * Drawing the board under the pieces, which never changes during a match.
 *
 * The style sheets set the colours.
 */

import { svgElement } from "../element.js";
import { disc } from "./pieces.js";

/** @import { Layout, Point } from "./layout.js" */

const CORNER = 0.16;
/** Width of the frame around the panel; it carries the labels. */
const FRAME = { points: 0.4, squares: 0.34, hexes: 0 };
/** From the middle of a hexagon to its name. */
const NAME_BELOW = 0.44;

/** @param {Layout} layout @returns {SVGGElement} */
export function drawBackground(layout) {
  const draw = { points: drawPoints, squares: drawSquares, hexes: drawHexes }[layout.shape];
  const labels = layout.labels().map(({ text, x, y }) => svgElement("text", { class: "label", x, y }, text));
  // The sprites of pixel art fit hexagons that stand on a corner.
  const isTilted = layout.shape === "hexes" && layout.hexCorners().every(({ x }) => Math.abs(x) > 1e-6);
  return svgElement("g", { class: `ground ${layout.shape}${isTilted ? " tilted" : ""}`, "aria-hidden": "true" }, ...draw(layout), ...labels);
}

/** @param {Layout} layout */
function drawPoints(layout) {
  const lines = layout.lines.map(([from, to]) => {
    const [start, end] = [layout.at(layout.names[from]), layout.at(layout.names[to])];
    return `M${start.x} ${start.y}L${end.x} ${end.y}`;
  });
  const d = lines.join("");
  return [
    ...drawPlate(layout),
    path("grain", grain(layout)),
    path("veins", veins(layout)),
    path("groove-light", d),
    path("groove", d),
    ...layout.names.map((name) => disc("point", 0.095, layout.at(name))),
  ];
}

/** @param {Layout} layout */
function drawSquares(layout) {
  const squares = layout.names.map((name) => {
    const { x, y } = layout.at(name);
    const isDark = Math.round(Math.abs(x) + Math.abs(y)) % 2 === 1;
    return svgElement("rect", { class: isDark ? "square dark" : "square", x: x - 0.5, y: y - 0.5, width: 1, height: 1 });
  });
  const rings = layout.names.map((name, index) => endGrain(layout.at(name), index));
  return [...drawPlate(layout), ...squares, path("grain", rings.join("")), path("veins", veins(layout))];
}

/** A board's frame with its mitred corners, a key across each, on its shade and its edge. @param {Layout} layout */
function drawPlate({ left, top, width, height, shape }) {
  const frame = FRAME[shape];
  const box = (/** @type {string} */ name, /** @type {number} */ inset, dy = 0) =>
    svgElement("rect", { class: name, x: left + inset, y: top + inset + dy, width: width - 2 * inset, height: height - 2 * inset, rx: inset ? 0.03 : CORNER });
  const corners = [0, 1].flatMap((right) => [0, 1].map((low) => ({ x: left + right * width, y: top + low * height, right: 1 - 2 * right, down: 1 - 2 * low })));
  const mitres = corners.map(({ x, y, right, down }) => `M${x + 0.05 * right} ${y + 0.05 * down}l${(frame - 0.05) * right} ${(frame - 0.05) * down}`);
  const keys = corners.map(({ x, y, right, down }) => {
    const [middle, long, wide] = [frame / 2, frame * 0.22, frame * 0.1];
    // A bow tie whose axis crosses the mitre.
    const at = (/** @type {number} */ along, /** @type {number} */ aside) => `${x + (middle + along + aside) * right} ${y + (middle - along + aside) * down}`;
    return `M${at(-long, -wide)}L${at(0, -wide / 3)}L${at(long, -wide)}L${at(long, wide)}L${at(0, wide / 3)}L${at(-long, wide)}Z`;
  });
  return [box("plate-shade", 0, 0.11), box("plate-edge", 0, 0.065), box("plate", 0), box("panel", frame), path("mitre", mitres.join("")), path("key", keys.join(""))];
}

/** Lines of grain along the panel, in waves. @param {Layout} layout */
function grain({ left, top, width, height, shape }) {
  const [x, across] = [left + FRAME[shape], width - 2 * FRAME[shape]];
  const [y, down] = [top + FRAME[shape], height - 2 * FRAME[shape]];
  const count = Math.round(down * 3.2);
  return Array.from({ length: count }, (_, line) => {
    const at = y + (down * (line + 0.35 + 0.3 * chance(line))) / count;
    const bend = 0.3 * Math.sin(line * 0.7) * chance(line / 4);
    return `M${x} ${at.toFixed(3)}q${across / 4} ${bend.toFixed(3)} ${across / 2} 0t${across / 2} 0`;
  }).join("");
}

/** Year rings around one of the corners of a block. @param {Point} middle @param {number} index */
function endGrain({ x, y }, index) {
  const [right, down] = [chance(index) < 0.5 ? 1 : -1, chance(index + 0.5) < 0.5 ? 1 : -1];
  return [0.2, 0.36, 0.5, 0.66, 0.78, 0.94].map((radius) => {
    const size = radius + 0.06 * (chance(index + radius) - 0.5);
    return `M${x - 0.5 * right + size * right} ${y - 0.5 * down}a${size} ${size} 0 0 ${right === down ? 1 : 0} ${-size * right} ${size * down}`;
  }).join("");
}

/** Veins of marble that wander across the board, each with a branch. @param {Layout} layout */
function veins({ left, top, width, height }) {
  return Array.from({ length: 9 }, (_, vein) => {
    const points = Array.from({ length: 17 }, (_, step) => ({
      x: (step * width) / 16,
      y: height * (vein * 0.2 - 0.72 + step * 0.055 + 0.07 * chance(vein * 17 + step)),
    })).filter(({ y }) => y > 0.1 && y < height - 0.1);
    const text = points.map(({ x, y }) => `${(left + x).toFixed(2)} ${(top + y).toFixed(2)}`);
    const fork = text[Math.floor(text.length / 2)];
    return text.length < 6 ? "" : `M${text.join("L")}M${fork}l-.3 ${0.2 + 0.3 * chance(vein)}l-.4 .1`;
  }).join("");
}

/** A number from 0 to 1 that looks random, the same for the same seed. @param {number} seed */
function chance(seed) {
  const value = Math.sin(seed * 12.9898 + 4) * 43758.5453;
  return value - Math.floor(value);
}

/** @param {string} name @param {string} d */
function path(name, d) {
  return svgElement("path", { class: name, d });
}

/** @param {Layout} layout */
function drawHexes(layout) {
  const corners = layout.hexCorners();
  const parts = (/** @type {string} */ kind, /** @type {(point: Point, index: number) => string} */ draw) =>
    layout.names.map((name, index) => svgElement("path", { class: kind, d: draw(layout.at(name), index), "data-of": name }));
  const pixels = (/** @type {string} */ kind, /** @type {string} */ sprite) =>
    layout.names.map((name, index) => svgElement("use", { class: `pixels ${kind} tone-${toneOf(index)}`, href: sprite, ...layout.at(name), "data-of": name }));
  return [
    // Layers: shade, hedge and fields. Each is drawn cell by cell, because missing tiles lack all of them.
    svgElement("g", { class: "shades" }, ...parts("pasture-shade", (point) => hedge(point, corners)), ...pixels("pasture-shade", "#pixel-shade")),
    ...parts("hedge", (point) => hedge(point, corners)),
    ...pixels("hedge", "#pixel-hedge"),
    ...layout.names.map((name, index) => svgElement("path", { class: `hex tone-${toneOf(index)}`, d: outline(layout.at(name), corners), "data-of": name })),
    ...pixels("field", "#pixel-field"),
    ...parts("grass", blades),
    ...layout.names.map((name) => {
      const { x, y } = layout.at(name);
      return svgElement("text", { class: "label", x, y: y + NAME_BELOW, "data-of": name }, name);
    }),
  ];
}

/** The shade of green of a field. @param {number} index */
function toneOf(index) {
  return (index * 7) % 3;
}

/** Bushes along the sides of a hexagon; those between two fields lie under them. @param {Point} centre @param {Point[]} corners */
function hedge(centre, corners) {
  const bushes = corners.flatMap((corner, index) => {
    const next = corners[(index + 1) % 6];
    return [1, 2, 3].map((third) => ({ x: corner.x + ((next.x - corner.x) * third) / 3, y: corner.y + ((next.y - corner.y) * third) / 3 }));
  });
  return `${outline(centre, corners.slice(0, 1)).slice(0, -1)}${bushes.map(({ x, y }) => `A.1 .1 0 0 1 ${(centre.x + x).toFixed(3)} ${(centre.y + y).toFixed(3)}`).join("")}Z`;
}

/** Blades of grass, in other places on each cell. @param {Point} centre @param {number} index */
function blades({ x, y }, index) {
  return [0, 1, 2, 3].map((blade) => {
    const [angle, distance] = [index * 2.4 + blade * 1.9, 0.2 + 0.06 * ((index + blade) % 4)];
    return `M${(x + distance * Math.cos(angle)).toFixed(3)} ${(y + distance * Math.sin(angle)).toFixed(3)}l.02-.05l.01 .05l.04-.04`;
  }).join("");
}

/** @param {Point} centre @param {Point[]} corners */
function outline(centre, corners) {
  const points = corners.map(({ x, y }) => `${(centre.x + x).toFixed(4)} ${(centre.y + y).toFixed(4)}`);
  return `M${points.join("L")}Z`;
}
