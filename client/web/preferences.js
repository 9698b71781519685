/**
 * How this reader wants the page to look and sound, stored in the browser.
 *
 * The style sheets read the choices from attributes of the root element, such as `data-board="marble"`.
 */

import { recall, remember } from "./storage.js";

const KEY = "millrace.preferences";

/**
 * @typedef {object} Preferences
 * @property {string} board One of `BOARDS`.
 * @property {string} men One of `MEN`.
 * @property {boolean} coordinates
 * @property {boolean} hints Whether to mark where a piece can go.
 * @property {boolean} animation
 * @property {number} volume From 0 to 100.
 */

export const BOARDS = { wood: "Wood", marble: "Marble", plain: "Plain", pixel: "Pixel art" };
export const MEN = { matching: "To match the board", round: "Round", pixel: "Pixel art", plain: "Plain" };

/** @type {Preferences} */
const DEFAULTS = { board: "wood", men: "matching", coordinates: true, hints: true, animation: true, volume: 60 };

let current = load();

/** @returns {Readonly<Preferences>} */
export function preferences() {
  return current;
}

/** @param {Partial<Preferences>} change */
export function prefer(change) {
  current = { ...current, ...change };
  remember(KEY, JSON.stringify(current));
  applyPreferences();
}

/** Set the attributes that the style sheets read. */
export function applyPreferences() {
  const { dataset } = document.documentElement;
  const matching = { wood: "round", marble: "round", plain: "plain", pixel: "pixel" }[current.board] ?? "round";
  dataset.board = current.board;
  dataset.men = current.men === "matching" ? matching : current.men;
  dataset.coordinates = String(current.coordinates);
  dataset.hints = String(current.hints);
  dataset.animation = String(current.animation);
}

/** Whether pieces move at once: by choice here, or by the system's setting. */
export function isStill() {
  return !current.animation || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @returns {Preferences} */
function load() {
  try {
    const stored = JSON.parse(recall(KEY) ?? "{}");
    const known = Object.entries(stored).filter(([name, value]) => typeof value === typeof (/** @type {any} */ (DEFAULTS)[name]));
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return DEFAULTS;
  }
}
