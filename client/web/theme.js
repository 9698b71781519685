/**
 * The light or dark theme: the system's, unless the reader chose one.
 */

import { button } from "./element.js";
import { icon } from "./icons.js";
import { forget, recall, remember } from "./storage.js";

const KEY = "millrace.theme";

/** Apply the stored choice. */
export function restoreTheme() {
  const chosen = recall(KEY);
  if (chosen !== null) document.documentElement.dataset.theme = chosen;
}

/** @returns {string} `light`, `dark`, or `system`. */
export function chosenTheme() {
  return recall(KEY) ?? "system";
}

/** @param {string} theme `light`, `dark`, or `system`. */
export function chooseTheme(theme) {
  if (theme === "system") {
    forget(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    remember(KEY, theme);
    document.documentElement.dataset.theme = theme;
  }
}

/** @returns {HTMLButtonElement} */
export function themeButton() {
  const isDark = () => {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const toggle = button(icon("theme"), () => {
    chooseTheme(isDark() ? "light" : "dark");
  });
  toggle.classList.add("icon-button");
  toggle.setAttribute("aria-label", "Switch between light and dark");
  toggle.title = "Switch between light and dark";
  return toggle;
}
