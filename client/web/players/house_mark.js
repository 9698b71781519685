/**
 * The house mark of a player, where bots have a face: a few strokes on a stave, as millers cut them into sacks and beams.
 *
 * It follows from the player's id alone, so that everyone sees the same one everywhere.
 */

import { svgElement } from "../element.js";

/** What crosses or crowns the stave at its top, its middle and its foot. */
const TOPS = ["M15 19L24 10L33 19", "M15 12L24 20L33 12", "M16 13H32", "M24 11A5 5 0 1 1 23.9 11", "M24 10L34 16", "M24 10L14 16"];
const MIDDLES = ["M15 25H33", "M16 29L32 21", "M16 21L32 29", "M24 21L33 28", "M24 21L15 28", "M17 20L31 30M31 20L17 30", ""];
const FEET = ["M15 38L24 29L33 38", "M16 37H32", "M24 38L33 31", "M24 38L15 31", "M17 33H31", "M24 29L32 33L24 38"];
const PAINTS = ["#8f3d2b", "#875710", "#5d6a1c", "#2b6a3d", "#1b6767", "#2f5a85", "#614a8a", "#87395f"];

/** @param {string} id The player's. @returns {SVGSVGElement} */
export function houseMark(id) {
  let seed = 2166136261;
  for (const character of id) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16777619);
  seed = Math.imul(seed ^ (seed >>> 15), 2246822519) >>> 8;
  const take = (/** @type {string[]} */ choices) => {
    const chosen = choices[seed % choices.length];
    seed = Math.floor(seed / choices.length);
    return chosen;
  };
  return svgElement(
    "svg",
    { class: "house-mark", viewBox: "0 0 48 48", "aria-hidden": "true" },
    svgElement("circle", { cx: 24, cy: 24, r: 21, fill: take(PAINTS) }),
    svgElement("path", { d: `M24 10V38${take(TOPS)}${take(MIDDLES)}${take(FEET)}` }),
  );
}
