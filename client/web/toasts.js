/** Short messages: toasts on the page, and announcements for screen readers. */

import { RefusedError } from "./connection/requests.js";
import { element } from "./element.js";

const TOAST_MS = 5_000;
const MAX_TOASTS = 3;

/**
 * Show a message for a while; repeated messages are shown once.
 * @param {string} text
 * @returns {() => void} Removes it, once it no longer applies.
 */
export function toast(text) {
  const area = document.getElementById("toasts");
  if (area === null) return () => {};
  for (const shown of [...area.children]) if (shown.textContent === text) shown.remove();
  const node = element("div", { class: "toast" }, text);
  node.addEventListener("click", () => node.remove());
  setTimeout(() => node.remove(), TOAST_MS);
  area.append(node);
  while (area.childElementCount > MAX_TOASTS) area.firstElementChild?.remove();
  return () => node.remove();
}

/** Remove all messages: another page is shown. */
export function clearToasts() {
  document.getElementById("toasts")?.replaceChildren();
}

/**
 * Await an answer, and show a refusal as a toast.
 * @template Answer
 * @param {Promise<Answer>} asked
 * @returns {Promise<Answer | null>} Null if refused.
 */
export async function answerOrToast(asked) {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    toast(error.message);
    return null;
  }
}

/** Announce a message to screen readers. @param {string} text */
export function announce(text) {
  const area = document.getElementById("announcer");
  if (area === null) return;
  // A new paragraph each time, so that repeated messages are announced again.
  area.append(element("p", {}, text));
  while (area.childElementCount > 4) area.firstElementChild?.remove();
}
