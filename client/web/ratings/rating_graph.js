/** The history of a rating, match by match, with its uncertainty as a band. */

import { element, svgElement } from "../element.js";
import { dateText } from "../dates.js";
import { gettext, ngettext } from "../language/texts.js";

/** @import { KindRating, RatingPoint } from "../protocol.js" */

const WIDTH = 640;
const HEIGHT = 240;
const MARGIN = { left: 46, right: 14, top: 12, bottom: 28 };
/** Distances between grid lines, in points; the first that gives few enough lines is used. */
const STEPS = [25, 50, 100, 200, 400, 800];
const MAX_LINES = 6;
/** Up to this many matches, each is a dot. */
const MAX_DOTS = 60;

/** @param {KindRating} rating */
export function ratingGraph({ history }) {
  const first = history[0];
  const last = history.at(-1);
  if (first === undefined || last === undefined) return element("p", { class: "note" }, gettext("No rated matches yet."));
  const scale = scaleOf(history);
  const points = history.map(([, rating, deviation], index) => ({ x: scale.x(index), rating, deviation }));
  const line = points.map(({ x, rating }) => `${x},${scale.y(rating)}`).join(" ");
  const upper = points.map(({ x, rating, deviation }) => `${x},${scale.y(rating + deviation)}`);
  const lower = points.map(({ x, rating, deviation }) => `${x},${scale.y(rating - deviation)}`).reverse();
  const graph = svgElement(
    "svg",
    { class: "history-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": spoken(history) },
    ...scale.lines.flatMap((points) => lineAcross(points, scale.y(points))),
    svgElement("polygon", { class: "graph-band", points: [...upper, ...lower].join(" ") }),
    svgElement("polyline", { class: "graph-line", points: line }),
    ...(points.length > MAX_DOTS ? [] : points.map(({ x, rating }) => svgElement("circle", { class: "graph-dot", cx: x, cy: scale.y(rating), r: 3.5 }))),
    svgElement("text", { class: "graph-date", x: MARGIN.left, y: HEIGHT - 8 }, dateText(first[0])),
    svgElement("text", { class: "graph-date", x: WIDTH - MARGIN.right, y: HEIGHT - 8, "text-anchor": "end" }, points.length > 1 ? dateText(last[0]) : ""),
  );
  return element("figure", { class: "graph" }, graph, element("figcaption", { class: "note" }, gettext("The rating after each match; the band shows its uncertainty.")));
}

/** @param {RatingPoint[]} history */
function scaleOf(history) {
  const lowest = Math.min(...history.map(([, rating, deviation]) => rating - deviation));
  const highest = Math.max(...history.map(([, rating, deviation]) => rating + deviation));
  const step = STEPS.find((each) => (highest - lowest) / each <= MAX_LINES) ?? 1600;
  const from = Math.floor(lowest / step) * step;
  const to = Math.ceil(highest / step) * step;
  const width = WIDTH - MARGIN.left - MARGIN.right;
  const height = HEIGHT - MARGIN.top - MARGIN.bottom;
  const gaps = Math.max(1, history.length - 1);
  return {
    x: (/** @type {number} */ index) => rounded(MARGIN.left + (history.length === 1 ? width / 2 : (width * index) / gaps)),
    y: (/** @type {number} */ points) => rounded(MARGIN.top + (height * (to - points)) / (to - from)),
    lines: Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step),
  };
}

/** @param {number} points @param {number} y */
function lineAcross(points, y) {
  return [
    svgElement("line", { class: "graph-across", x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y, y2: y }),
    svgElement("text", { class: "graph-points", x: MARGIN.left - 8, y: y + 4, "text-anchor": "end" }, String(points)),
  ];
}

/** @param {RatingPoint[]} history */
function spoken(history) {
  const ratings = history.map(([, rating]) => rating);
  const values = { first: ratings[0], last: ratings.at(-1) ?? 0, lowest: Math.min(...ratings), highest: Math.max(...ratings) };
  return ngettext(
    "Rating over one match: from {first} to {last}, lowest {lowest}, highest {highest}.",
    "Rating over {count} matches: from {first} to {last}, lowest {lowest}, highest {highest}.",
    history.length,
    values,
  );
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 10) / 10;
}
