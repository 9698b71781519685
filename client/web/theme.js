/** The button that switches between the light and the dark theme; until then the system decides. */

import { button } from "./element.js";
import { icon } from "./icons.js";
import { languageEvents } from "./language/languages.js";
import { gettext } from "./language/texts.js";
import { prefer, preferences } from "./preferences.js";

/** @returns {HTMLButtonElement} */
export function themeButton() {
  const isDark = () => {
    const { theme } = preferences();
    return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  };
  const toggle = button(icon("theme"), () => {
    prefer({ theme: isDark() ? "light" : "dark" });
  });
  toggle.classList.add("icon-button", "theme-button");
  const label = () => {
    toggle.setAttribute("aria-label", gettext("Switch between light and dark"));
    toggle.title = gettext("Switch between light and dark");
  };
  languageEvents.addEventListener("changed", label);
  label();
  return toggle;
}
