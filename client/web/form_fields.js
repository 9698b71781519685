/** Form fields with labels above them. */

import { element } from "./element.js";

/** @param {string} label @param {HTMLElement} control */
export function labelled(label, control) {
  return element("label", { class: "labelled" }, element("span", {}, label), control);
}

/**
 * @param {string} name
 * @param {string} label
 * @param {[value: string, words: string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function choiceField(name, label, options, chosen, choose) {
  const select = element(
    "select",
    { name, onchange: () => choose(select.value) },
    ...options.map(([value, words]) => element("option", { value, selected: value === chosen }, words)),
  );
  return labelled(label, select);
}
