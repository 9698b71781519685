/** The faces of the built-in bots: one head for all, which each level and personality wears in its own way. */

import { svgElement } from "../element.js";

/** @import { Level } from "../protocol.js" */

/**
 * @typedef {object} Features
 * @property {string} tone The colour of the head, a class of the style sheet.
 * @property {number} corner The radius of the head's corners.
 * @property {string} eyes While it is in no mood.
 * @property {string} mouth
 * @property {string} hat What is above or on the head.
 */

const EYES = {
  round: "M16.5 22a3 3 0 1 1 0 .1zM28.5 22a3 3 0 1 1 0 .1z",
  dots: "M17.6 22a1.9 1.9 0 1 1 0 .1zM28.6 22a1.9 1.9 0 1 1 0 .1z",
  narrow: "M16.2 20.6l6 1.7-.2 1.7-5.8-1.2zM31.8 20.6l-6 1.7.2 1.7 5.8-1.2z",
  closed: "M16 22.4q3 2.6 6 0v1.2q-3 2.6-6 0zM26 22.4q3 2.6 6 0v1.2q-3 2.6-6 0z",
  wink: "M16.5 22a3 3 0 1 1 0 .1zM26 21.8h6v1.7h-6z",
};
const MOUTHS = {
  smile: "M18 28.5q6 5.5 12 0-6 9-12 0z",
  open: "M20.5 28.5h7q0 5-3.5 5t-3.5-5z",
  flat: "M19 30h10v1.8H19z",
  smirk: "M18.5 31q6 1.4 11-3l.7 1.4q-5 5-11.7 3.3z",
  teeth: "M17.5 28.5h13v4h-13zM20.6 28.5v4M24 28.5v4M27.4 28.5v4",
};
const HATS = {
  pebbles: "M15 11a9 3 0 1 1 18 0 9 3 0 1 1-18 0M18 6a6 2.5 0 1 1 12 0 6 2.5 0 1 1-12 0M21 2a3 1.5 0 1 1 6 0 3 1.5 0 1 1-6 0",
  reed: "M21 12V7h2v5zM20 7V3a2 2 0 0 1 4 0v4zM24 12Q25 6 31 3 31 9 26 12zM20 12Q18 8 14 7 14 11 18 12z",
  ripple: "M11 17Q9 8 16 10 16 3 23 6 26-1 31 4 30 6 32 8 40 6 37 17 34 12 29 14 24 11 20 14 15 12 11 17z",
  cog: "M15 14.5v-1.2l-3-1 1-3 3 1 1-2-2-3 2.5-2 2 3 2.5-1V2h3v3.3l2.5 1 2-3 2.5 2-2 3 1 2 3-1 1 3-3 1v1.2z",
  eddy: "M12 15Q24 8 36 15 38 9 31 8 33 3 23 1 27 4 21 6 12 7 12 15zM17 11q7-2 12-3",
  weir: "M13 4h3v12h-3zM22 4h4v12h-4zM32 4h3v12h-3zM9 7h30v5H9z",
  millstone: "M9 8v4a15 5 0 0 0 30 0V8zM9 8a15 5 0 1 1 30 0 15 5 0 1 1-30 0M20 8a4 1.5 0 1 1 8 0 4 1.5 0 1 1-8 0",
  torrent: "M10 17Q6 2 22 1 32 1 35 8 30 6 28 7 38 7 38 17 34 12 29 15 25 11 21 15 15 12 10 17z",
  band: "M11 15.5q13-5.5 26 0l-.5 3.4q-12.5-5-25 0zM36.5 16l6-2.6-1.4 3.4 2.2 2.4-6-.6z",
  glasses: "M14.5 18h8v8.5h-8zM25.5 18h8v8.5h-8zM22.5 21.2h3",
  feather: "M11 14.5q13-6 26 0l-2-5Q30 5 24 5.2T13 9.6zM33.5 9Q40 6 39 .8 33.6 1.6 31.6 7.6",
  visor: "M11.5 12.5q3-8 12.5-8t12.5 8v4.8h-25zM15 14.4h18M24 4.5v-3",
  shield: "M24 3.4l8.5 3v4.4q0 4.6-8.5 7-8.5-2.4-8.5-7V6.4zM24 3.4v14",
  top: "M15.5 13V3h17v10zM10 13h28v2.8H10zM15.5 9.8h17v2h-17z",
  die: "M17.5 1.5h13v13h-13zM20.4 4.4v2.2h2.2V4.4zM25.4 9.4v2.2h2.2V9.4z",
  night: "M12.5 14.5Q15 4 27 4.4q9 .4 13 8.8-6-4.4-9.4 1.3zM40 15.4a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4",
};

/** By level, from the lowest. @type {Features[]} */
const LEVELS = [
  features("a", 13, "round", "open", "pebbles"),
  features("b", 9, "round", "smile", "reed"),
  features("c", 12, "wink", "smile", "ripple"),
  features("d", 6, "dots", "flat", "cog"),
  features("e", 11, "narrow", "smirk", "eddy"),
  features("f", 5, "dots", "smile", "weir"),
  features("g", 8, "dots", "flat", "millstone"),
  features("h", 10, "narrow", "teeth", "torrent"),
];
/** @type {Record<string, Features>} */
const PERSONALITIES = {
  hunter: features("e", 9, "narrow", "smirk", "feather"),
  warden: features("g", 9, "dots", "flat", "visor"),
  guardian: features("b", 6, "round", "flat", "shield"),
  gambler: features("h", 9, "wink", "smirk", "top"),
  dreamer: features("f", 12, "closed", "smile", "night"),
  timekeeper: features("h", 7, "dots", "smile", "visor"),
  "classic-1": features("a", 4, "dots", "flat", "band"),
  "classic-6": features("d", 4, "dots", "flat", "visor"),
  "classic-8": features("g", 4, "dots", "flat", "glasses"),
  random: features("a", 9, "dots", "flat", "die"),
};

/**
 * @param {Level} level A number from 1, or the name of a personality; a name that is not known has the first face.
 * @param {readonly [string, string] | null} [mood] The eyes and the mouth of a mood; null for its own.
 * @returns {SVGSVGElement}
 */
export function botFace(level, mood = null) {
  const own = (typeof level === "number" ? LEVELS[Math.min(level, LEVELS.length) - 1] : PERSONALITIES[level]) ?? LEVELS[0];
  const [eyes, mouth] = mood ?? [own.eyes, own.mouth];
  return svgElement(
    "svg",
    { class: `bot-face tone-${own.tone}`, viewBox: "0 0 48 48", "aria-hidden": "true" },
    svgElement("path", { class: "bot-ears", d: "M6.5 21h5v9h-5zM36.5 21h5v9h-5z" }),
    svgElement("rect", { class: "bot-head", x: 10, y: 12, width: 28, height: 27, rx: own.corner }),
    svgElement("path", { class: "bot-neck", d: "M18 39h12l2.5 6h-17z" }),
    svgElement("path", { class: "bot-eyes", d: eyes }),
    svgElement("path", { class: "bot-mouth", d: mouth }),
    svgElement("path", { class: "bot-hat", d: own.hat }),
  );
}

/**
 * @param {string} tone
 * @param {number} corner
 * @param {keyof typeof EYES} eyes
 * @param {keyof typeof MOUTHS} mouth
 * @param {keyof typeof HATS} hat
 * @returns {Features}
 */
function features(tone, corner, eyes, mouth, hat) {
  return { tone, corner, eyes: EYES[eyes], mouth: MOUTHS[mouth], hat: HATS[hat] };
}
