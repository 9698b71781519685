/**
 * The light or dark theme: the system's, unless the reader chose one.
 */

import { button } from "./element.js";
import { icon } from "./icons.js";
import { recall, remember } from "./storage.js";

const KEY = "millrace.theme";

/** Apply the stored choice. */
export function restoreTheme() {
  const chosen = recall(KEY);
  if (chosen !== null) document.documentElement.dataset.theme = chosen;
}

/** @returns {HTMLButtonElement} */
export function themeButton() {
  const isDark = () => {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const toggle = button(icon("theme"), () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember(KEY, theme);
  });
  toggle.classList.add("icon-button");
  toggle.setAttribute("aria-label", "Switch between light and dark");
  toggle.title = "Switch between light and dark";
  return toggle;
}
