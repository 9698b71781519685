/** A select box for the language of the page, each by its own name. */

import { element } from "../element.js";
import { LANGUAGES, prefer, preferenceEvents, preferences } from "../preferences.js";
import { gettext } from "./texts.js";

/** @import { Preferences } from "../preferences.js" */

/** @returns {HTMLSelectElement} It also shows changes made elsewhere. */
export function languageSelect() {
  const select = element("select", { class: "language-select", onchange: () => prefer({ language: /** @type {Preferences["language"]} */ (select.value) }) });
  const show = () => {
    const { language } = preferences();
    const options = Object.entries({ browser: gettext("Same as browser"), ...LANGUAGES });
    select.replaceChildren(...options.map(([value, name]) => element("option", { value, selected: value === language, lang: value === "browser" ? undefined : value }, name)));
    select.setAttribute("aria-label", gettext("Language"));
    select.title = gettext("Language");
  };
  for (const type of ["changed", "loaded"]) preferenceEvents.addEventListener(type, show);
  show();
  return select;
}
