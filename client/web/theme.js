/**
 * Light or dark: as the system has it, unless the reader chose one here.
 */

import { button } from "./element.js";
import { icon } from "./icons.js";
import { recall, remember } from "./storage.js";

const KEY = "millrace.theme";

/** Set the page to the remembered choice. */
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
  toggle.title = "Light or dark";
  return toggle;
}
