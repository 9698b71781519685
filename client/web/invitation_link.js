/** Links to send to others, and their QR codes. */

import { copyText } from "./clipboard.js";
import { button, element } from "./element.js";
import { gettext } from "./language/texts.js";

/** @param {string} path @param {string} label @returns {HTMLElement} A link to send to others, which can be copied. */
export function inviteLink(path, label) {
  const link = element("input", { class: "invite-link", readonly: true, value: `${location.origin}${path}`, "aria-label": label, onfocus: () => link.select() });
  return element("div", { class: "invite" }, link, button(gettext("Copy link"), () => copyText(link, gettext("Link copied.")), { class: "button primary" }));
}

/** @param {string} path @param {string} description @returns {HTMLElement} The code of such a link. */
export function inviteCode(path, description) {
  return element("img", { class: "qr-code", src: `${path}/qr.svg`, width: 148, height: 148, alt: description });
}
