/** The faces of the built-in bots: one head for all, which each level and personality wears in its own way. */

import { svgElement } from "../element.js";

/** @import { Level } from "../protocol.js" */

/**
 * @typedef {object} Features
 * @property {string} tone The colour of the head, a class of the style sheet.
 * @property {string} eyes
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
  sprout: "M23.2 12V7.5h1.6V12zM24 7.8q-5 .6-5.6-4 5.2-.6 5.6 4M24 7.2q4.4.4 5-3.4-4.4-.6-5 3.4",
  cap: "M12.5 13.5q0-8 11.5-8t11.5 8zM33 12h9.5l-1 2.4H33z",
  bow: "M24 10l-6.5-4.2v8.4zM24 10l6.5-4.2v8.4zM24 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
  band: "M11 15.5q13-5.5 26 0l-.5 3.4q-12.5-5-25 0zM36.5 16l6-2.6-1.4 3.4 2.2 2.4-6-.6z",
  horns: "M13 14Q7.5 11 8.5 3.5 12 9 18 10.2zM35 14Q40.5 11 39.5 3.5 36 9 30 10.2z",
  glasses: "M14.5 18h8v8.5h-8zM25.5 18h8v8.5h-8zM22.5 21.2h3",
  mortar: "M24 3.2l15 5.4-15 5.4-15-5.4zM36.5 9.6v7.2M35.3 16.4h2.4v3h-2.4z",
  crown: "M12.5 14.5l-1.6-10 7.1 4.6L24 2.6l6 6.5 7.1-4.6-1.6 10z",
  feather: "M11 14.5q13-6 26 0l-2-5Q30 5 24 5.2T13 9.6zM33.5 9Q40 6 39 .8 33.6 1.6 31.6 7.6",
  visor: "M11.5 12.5q3-8 12.5-8t12.5 8v4.8h-25zM15 14.4h18M24 4.5v-3",
  shield: "M24 3.4l8.5 3v4.4q0 4.6-8.5 7-8.5-2.4-8.5-7V6.4zM24 3.4v14",
  top: "M15.5 13V3h17v10zM10 13h28v2.8H10zM15.5 9.8h17v2h-17z",
  die: "M17.5 1.5h13v13h-13zM20.4 4.4v2.2h2.2V4.4zM25.4 9.4v2.2h2.2V9.4z",
  night: "M12.5 14.5Q15 4 27 4.4q9 .4 13 8.8-6-4.4-9.4 1.3zM40 15.4a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4",
};

/** By level, from the lowest. @type {Features[]} */
const LEVELS = [
  features("a", "round", "open", "sprout"),
  features("b", "round", "smile", "cap"),
  features("c", "wink", "smile", "bow"),
  features("d", "dots", "flat", "band"),
  features("e", "narrow", "smirk", "horns"),
  features("f", "dots", "smile", "glasses"),
  features("g", "dots", "flat", "mortar"),
  features("h", "narrow", "teeth", "crown"),
];
/** @type {Record<string, Features>} */
const PERSONALITIES = {
  hunter: features("e", "narrow", "smirk", "feather"),
  warden: features("g", "dots", "flat", "visor"),
  guardian: features("b", "round", "flat", "shield"),
  gambler: features("h", "wink", "smirk", "top"),
  dreamer: features("f", "closed", "smile", "night"),
  timekeeper: features("h", "dots", "smile", "visor"),
  "classic-1": features("a", "dots", "flat", "band"),
  "classic-6": features("d", "dots", "flat", "visor"),
  "classic-8": features("g", "dots", "flat", "glasses"),
  random: features("a", "dots", "flat", "die"),
};

/**
 * @param {Level} level A number from 1, or the name of a personality; a name that is not known has the first face.
 * @returns {SVGSVGElement}
 */
export function botFace(level) {
  const { tone, eyes, mouth, hat } = (typeof level === "number" ? LEVELS[Math.min(level, LEVELS.length) - 1] : PERSONALITIES[level]) ?? LEVELS[0];
  return svgElement(
    "svg",
    { class: `bot-face tone-${tone}`, viewBox: "0 0 48 48", "aria-hidden": "true" },
    svgElement("path", { class: "bot-ears", d: "M6.5 21h5v9h-5zM36.5 21h5v9h-5z" }),
    svgElement("rect", { class: "bot-head", x: 10, y: 12, width: 28, height: 27, rx: 9 }),
    svgElement("path", { class: "bot-neck", d: "M18 39h12l2.5 6h-17z" }),
    svgElement("path", { class: "bot-eyes", d: eyes }),
    svgElement("path", { class: "bot-mouth", d: mouth }),
    svgElement("path", { class: "bot-hat", d: hat }),
  );
}

/**
 * @param {string} tone
 * @param {keyof typeof EYES} eyes
 * @param {keyof typeof MOUTHS} mouth
 * @param {keyof typeof HATS} hat
 * @returns {Features}
 */
function features(tone, eyes, mouth, hat) {
  return { tone, eyes: EYES[eyes], mouth: MOUTHS[mouth], hat: HATS[hat] };
}
