/**
 * Copying a field's text to the clipboard.
 */

import { toast } from "./toasts.js";

/**
 * Copy what a field holds, and say so.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} words
 */
export async function copyText(field, words) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // On plain http there is no clipboard but this older one.
    document.execCommand("copy");
  }
  toast(words);
}
