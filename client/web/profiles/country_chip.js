/**
 * A country that somebody shows, as a chip with its code: flags drawn as signs are missing from many fonts.
 */

import { element } from "../element.js";

const NAMES = new Intl.DisplayNames(undefined, { type: "region" });

/**
 * @param {string} code By ISO 3166.
 * @returns {string} What the country is called in the reader's language.
 */
export function countryName(code) {
  return NAMES.of(code) ?? code;
}

/** @param {string} code */
export function countryChip(code) {
  const name = countryName(code);
  return element("abbr", { class: "country", title: name }, code, element("span", { class: "visually-hidden" }, ` (${name})`));
}
