/** A player's country as a chip with its code: many fonts lack flags. */

import { element } from "../element.js";

const NAMES = new Intl.DisplayNames(undefined, { type: "region" });

/** @param {string} code An ISO 3166 code. @returns {string} The country's name in the reader's language. */
export function countryName(code) {
  return NAMES.of(code) ?? code;
}

/** @param {string} code */
export function countryChip(code) {
  const name = countryName(code);
  return element("abbr", { class: "country", title: name }, code, element("span", { class: "visually-hidden" }, ` (${name})`));
}
