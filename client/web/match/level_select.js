/**
 * The choice of a bot's level, wherever a bot is asked for.
 */

import { element } from "../element.js";
import { levelWord } from "./words.js";

const DEFAULT_LEVEL = 3;

/**
 * @param {number} levels
 * @param {string} label
 */
export function levelSelect(levels, label) {
  const options = Array.from({ length: levels }, (_, index) => index + 1).map((level) =>
    element("option", { value: level, selected: level === DEFAULT_LEVEL }, `${level} · ${levelWord(level, levels)}`),
  );
  return element("select", { "aria-label": label }, ...options);
}
