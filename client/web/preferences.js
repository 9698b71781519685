/**
 * The reader's preferences for look, sound and language, stored in the browser.
 *
 * The style sheets read the choices from attributes of the root element, such as `data-board="marble"`.
 * `settings/account_settings.js` also stores them with the account.
 */

import { later } from "./language/texts.js";
import { recallObject, remember } from "./storage.js";

/** @import { PageSettings } from "./protocol.js" */

const KEY = "millrace.preferences";

/** @typedef {Required<PageSettings>} Preferences */

/** @type {Record<Preferences["board"], string>} */
export const BOARDS = { wood: later("Wood"), marble: later("Marble"), plain: later("Plain"), pixel: later("Pixel art") };
/** @type {Record<Preferences["men"], string>} */
export const MEN = { matching: later("To match the board"), round: later("Round"), pixel: later("Pixel art"), plain: later("Plain") };
/** @type {Record<Preferences["theme"], string>} */
export const THEMES = { system: later("Same as system"), light: later("Light"), dark: later("Dark") };

/** Each language of the page in its own words. @type {Record<Exclude<Preferences["language"], "browser">, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español", "zh-Hans": "中文" };

/** @type {Preferences} */
const DEFAULTS = {
  board: "wood",
  men: "matching",
  theme: "system",
  coordinates: true,
  hints: true,
  animation: true,
  sound: true,
  volume: 40,
  vibration: true,
  language: "browser",
};

/** @type {Preferences["men"]} */
const ROUND = "round";

/**
 * Fires `changed` whenever the reader changes a choice, `stored` once the account has it, and `loaded` when the account's
 * choices replace the browser's.
 */
export const preferenceEvents = new EventTarget();

let current = load();

/** @returns {Readonly<Preferences>} */
export function preferences() {
  return current;
}

/** Change some of the choices. @param {Partial<Preferences>} change */
export function prefer(change) {
  set({ ...current, ...change });
  preferenceEvents.dispatchEvent(new Event("changed"));
}

/** Replace all choices by those of the account. @param {Preferences} chosen */
export function takeOver(chosen) {
  set({ ...DEFAULTS, ...chosen });
  preferenceEvents.dispatchEvent(new Event("loaded"));
}

/** Set the attributes that the style sheets read. */
export function applyPreferences() {
  const { dataset } = document.documentElement;
  const matching = { wood: ROUND, marble: ROUND, plain: "plain", pixel: "pixel" }[current.board];
  dataset.board = current.board;
  dataset.men = current.men === "matching" ? matching : current.men;
  dataset.coordinates = String(current.coordinates);
  dataset.hints = String(current.hints);
  dataset.animation = String(current.animation);
  if (current.theme === "system") delete dataset.theme;
  else dataset.theme = current.theme;
}

/** Whether the reader has chosen what `style/looks.css` shows. */
export function hasOwnLook() {
  return /** @type {const} */ (["board", "men", "coordinates", "hints", "animation"]).some((name) => current[name] !== DEFAULTS[name]);
}

/** Whether pieces move without animation: by choice here, or by the system's setting. */
export function isStill() {
  return !current.animation || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {Preferences} chosen */
function set(chosen) {
  current = chosen;
  remember(KEY, JSON.stringify(current));
  applyPreferences();
}

/** @returns {Preferences} */
function load() {
  const known = Object.entries(recallObject(KEY)).filter(([name, value]) => isChoice(name, value));
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

/** @param {string} name @param {unknown} value */
function isChoice(name, value) {
  const options = /** @type {Record<string, object>} */ ({ board: BOARDS, men: MEN, theme: THEMES, language: { browser: "", ...LANGUAGES } })[name];
  if (options !== undefined) return typeof value === "string" && Object.hasOwn(options, value);
  return typeof value === typeof (/** @type {any} */ (DEFAULTS)[name]);
}
