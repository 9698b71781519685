/**
 * Short messages: toasts to see, and announcements to hear from a screen reader.
 */

import { element } from "./element.js";

const TOAST_MS = 5_000;
const MOST_TOASTS = 3;

/**
 * Show a message for a while.
 * @param {string} text
 */
export function toast(text) {
  const area = document.getElementById("toasts");
  if (area === null) return;
  const node = element("div", { class: "toast" }, text);
  node.addEventListener("click", () => node.remove());
  setTimeout(() => node.remove(), TOAST_MS);
  area.append(node);
  while (area.childElementCount > MOST_TOASTS) area.firstElementChild?.remove();
}

/**
 * Say a message to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const area = document.getElementById("announcer");
  if (area === null) return;
  // A new paragraph each time, so that the same words are said again.
  area.append(element("p", {}, text));
  while (area.childElementCount > 4) area.firstElementChild?.remove();
}
