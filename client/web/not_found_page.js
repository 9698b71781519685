/**
 * The page for an address that leads nowhere: what can be done instead.
 */

import { element } from "./element.js";

export class NotFoundPage {
  element = element("div", { class: "notice" }, ...notFoundParts("Page not found", "Nothing is at this address. The link may be mistyped or incomplete."));

  open() {
    document.title = "Page not found · Millrace";
  }

  close() {
    // It follows nothing.
  }
}

/**
 * @param {string} title
 * @param {string} explanation
 * @returns {HTMLElement[]} What the page says, and where the reader can go.
 */
export function notFoundParts(title, explanation) {
  return [
    element("h1", {}, title),
    element("p", {}, explanation),
    element("a", { class: "button primary", href: "/" }, "Go to the start page"),
    element("p", { class: "note" }, "Or ", element("a", { href: "/watch" }, "watch a match"), " or ", element("a", { href: "/archive" }, "search the archive"), "."),
  ];
}
