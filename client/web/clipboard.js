/** Copying a field's text to the clipboard, and links to send to others. */

import { button, element } from "./element.js";
import { gettext } from "./language/texts.js";
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

/** @param {string} path @param {string} label @returns {HTMLElement} A link to send to others, which can be copied. */
export function inviteLink(path, label) {
  const link = element("input", { class: "invite-link", readonly: true, value: `${location.origin}${path}`, "aria-label": label, onfocus: () => link.select() });
  return element("div", { class: "invite" }, link, button(gettext("Copy link"), () => copyText(link, gettext("Link copied.")), { class: "button primary" }));
}

/** @param {string} path @param {string} description @returns {HTMLElement} The code of such a link. */
export function inviteCode(path, description) {
  return element("img", { class: "qr-code", src: `${path}/qr.svg`, width: 148, height: 148, alt: description });
}
