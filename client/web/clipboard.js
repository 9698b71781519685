/** Copying a field's text to the clipboard. */

import { toast } from "./toasts.js";

/**
 * Copy a field's text and confirm with a toast.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} confirmation
 */
export async function copyText(field, confirmation) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Pages over plain HTTP lack the clipboard API.
    document.execCommand("copy");
  }
  toast(confirmation);
}
