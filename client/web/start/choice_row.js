/** A row of radio buttons that look like tiles, with a text that explains the chosen one. */

import { drawMan } from "../board/pieces.js";
import { element } from "../element.js";
import { gettext } from "../language/texts.js";

/** @typedef {{ value: string, label: string, title: string, man?: string }} Choice */

/**
 * @param {string} group The name of the radio buttons.
 * @param {string} name The option's name, for styles.
 * @param {string} label
 * @param {Choice[]} choices
 * @param {string} chosen The chosen value.
 * @returns {HTMLFieldSetElement}
 */
export function choiceRow(group, name, label, choices, chosen) {
  const word = element("p", { class: "chosen-text" }, choices.find(({ value }) => value === chosen)?.title ?? "");
  const rows = choices.map((choice) =>
    element(
      "label",
      { class: "choice", title: choice.title },
      element("input", { type: "radio", name: group, value: choice.value, checked: choice.value === chosen }),
      element("span", {}, choice.man ? drawMan(choice.man, "choice-man") : null, choice.label),
    ),
  );
  const explain = (/** @type {Event} */ event) => {
    if (event.target instanceof HTMLInputElement) word.textContent = titles.get(event.target.value) ?? "";
  };
  const titles = new Map(choices.map(({ value, title }) => [value, title]));
  return element("fieldset", { class: `options options-${name}`, onchange: explain }, element("legend", {}, label), element("div", { class: "choices" }, ...rows), word);
}

/** @param {Element} form @param {string} group @returns {string | null} The chosen value. */
export function chosenValue(form, group) {
  const input = form.querySelector(`input[name="${group}"]:checked`);
  return input instanceof HTMLInputElement ? input.value : null;
}

/** Whether a match is rated. @returns {Choice[]} */
export function ratedChoices() {
  return [
    { value: "casual", label: gettext("Casual"), title: gettext("The result does not change your rating.") },
    { value: "rated", label: gettext("Rated"), title: gettext("The result changes your rating.") },
  ];
}
