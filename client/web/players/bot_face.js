/** The faces of the built-in bots: one head for all, which each level and personality wears in its own way and mood. */

import { svgElement } from "../element.js";

/** @import { Level } from "../protocol.js" */

/** @typedef {"neutral" | "pleased" | "sorry" | "surprised" | "win"} Mood */
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
  glad: "M15.6 23.6q3.4-6 6.8 0l-1.5.8q-1.9-3.2-3.8 0zM25.6 23.6q3.4-6 6.8 0l-1.5.8q-1.9-3.2-3.8 0z",
  sad: "M17.4 23.6a2.1 2.1 0 1 1 0 .1zM26.4 23.6a2.1 2.1 0 1 1 0 .1zM15 20.6l6-2.4.5 1.3-6 2.4zM33 20.6l-6-2.4-.5 1.3 6 2.4z",
  wide: "M14.9 22a3.8 3.8 0 1 1 0 .1zM25.5 22a3.8 3.8 0 1 1 0 .1z",
};
const MOUTHS = {
  smile: "M18 28.5q6 5.5 12 0-6 9-12 0z",
  open: "M20.5 28.5h7q0 5-3.5 5t-3.5-5z",
  flat: "M19 30h10v1.8H19z",
  smirk: "M18.5 31q6 1.4 11-3l.7 1.4q-5 5-11.7 3.3z",
  teeth: "M17.5 28.5h13v4h-13zM20.6 28.5v4M24 28.5v4M27.4 28.5v4",
  grin: "M16.5 27.5h15q-.5 8-7.5 8t-7.5-8z",
  frown: "M18 33.5q6-7 12 0-6-3.4-12 0z",
  oh: "M21.2 31.6a2.8 3.2 0 1 1 0 .1z",
};
const HATS = {
  pebbles: "M14.5 10.6a9.5 3.2 0 1 1 19 0 9.5 3.2 0 1 1-19 0M17.6 5.6a6 2.5 0 1 1 12 0 6 2.5 0 1 1-12 0M20.6 1.8a3.2 1.6 0 1 1 6.4 0 3.2 1.6 0 1 1-6.4 0",
  reed: "M21.4 12V7h1.4v5zM20 6.8V2.6a2.1 2.1 0 0 1 4.2 0v4.2zM24.4 12Q25 5.6 31.4 2.6 31 9 26.4 12zM19.6 12Q18 8.4 13.6 6.6 13.8 10.8 17.6 12z",
  ripple: "M10.6 17.5Q8.6 8.5 16 10.4 15.8 3.4 23 5.6 25.6-.6 31.4 3.6 30 5.6 31.6 8 40 6.4 37.4 17.5 34 11.6 29.4 14 24 10.6 19.6 14 14.6 12.4 10.6 17.5z",
  cog: "M15 14.5 15.1 13.3 11.8 12.2 12.8 9.2 16.1 10.3 16.7 9.2 17.5 8.3 15.5 5.5 18 3.6 20.1 6.4 21.2 5.9 22.4 5.6 22.4 2.2 25.6 2.2 25.6 5.6 26.8 5.9 27.9 6.4 30 3.6 32.5 5.5 30.5 8.3 31.3 9.2 31.9 10.3 35.2 9.2 36.2 12.2 32.9 13.3 33 14.5z",
  eddy: "M11.5 14.6Q24 8 36.5 14.6 37.6 8.6 30.6 8.4 32.6 3.2 23 1 27 4.2 20.6 6.4 12.4 6.6 11.5 14.6zM17 11Q24 9.4 29.6 8.2M20.8 6.4Q25 6 27.4 4",
  weir: "M13 3.6h3.6v12H13zM22.2 3.6h3.6v12h-3.6zM31.4 3.6H35v12h-3.6zM9.5 7.4h29v4.8h-29z",
  millstone: "M8.5 7.6v4.6a15.5 4.8 0 0 0 31 0V7.6zM8.5 7.6a15.5 4.8 0 1 1 31 0 15.5 4.8 0 1 1-31 0M20 7.6a4 1.5 0 1 1 8 0 4 1.5 0 1 1-8 0M12.4 6.4l5 .6M35.6 6.4l-5 .6M24 12.4V9.8",
  torrent: "M10 17Q6.4 2.4 21.6 1.4 32.4.8 35 8.4 30.4 5.6 27.6 7.4 37.6 7 38.4 17 33.6 12 29.4 15 25 11.4 20.6 15 15 11.8 10 17z",
  band: "M11 15.5q13-5.5 26 0l-.5 3.4q-12.5-5-25 0zM36.5 16l6-2.6-1.4 3.4 2.2 2.4-6-.6z",
  glasses: "M14.5 18h8v8.5h-8zM25.5 18h8v8.5h-8zM22.5 21.2h3",
  feather: "M11 14.5q13-6 26 0l-2-5Q30 5 24 5.2T13 9.6zM33.5 9Q40 6 39 .8 33.6 1.6 31.6 7.6",
  visor: "M11.5 12.5q3-8 12.5-8t12.5 8v4.8h-25zM15 14.4h18M24 4.5v-3",
  shield: "M24 3.4l8.5 3v4.4q0 4.6-8.5 7-8.5-2.4-8.5-7V6.4zM24 3.4v14",
  top: "M15.5 13V3h17v10zM10 13h28v2.8H10zM15.5 9.8h17v2h-17z",
  die: "M17.5 1.5h13v13h-13zM20.4 4.4v2.2h2.2V4.4zM25.4 9.4v2.2h2.2V9.4z",
  night: "M12.5 14.5Q15 4 27 4.4q9 .4 13 8.8-6-4.4-9.4 1.3zM40 15.4a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4",
};

/** The eyes and the mouth of each mood. @type {Record<Exclude<Mood, "neutral">, [string, string]>} */
const MOODS = {
  pleased: [EYES.glad, MOUTHS.smile],
  sorry: [EYES.sad, MOUTHS.frown],
  surprised: [EYES.wide, MOUTHS.oh],
  win: [EYES.glad, MOUTHS.grin],
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
 * @param {Mood} [mood]
 * @returns {SVGSVGElement}
 */
export function botFace(level, mood = "neutral") {
  const own = (typeof level === "number" ? LEVELS[Math.min(level, LEVELS.length) - 1] : PERSONALITIES[level]) ?? LEVELS[0];
  const [eyes, mouth] = mood === "neutral" ? [own.eyes, own.mouth] : MOODS[mood];
  return svgElement(
    "svg",
    { class: `bot-face tone-${own.tone}`, viewBox: "0 0 48 48", "aria-hidden": "true", "data-mood": mood },
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
