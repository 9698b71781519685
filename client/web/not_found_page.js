/** The page for an unknown address, with links to other pages. */

import { element } from "./element.js";
import { gettext, gettextNodes } from "./language/texts.js";

export class NotFoundPage {
  element = element("div", { class: "notice" }, ...notFoundParts(gettext("Page not found"), gettext("There is no page at this address. The link may be mistyped or incomplete.")));

  open() {
    document.title = `${gettext("Page not found")} · Millrace`;
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
    element("a", { class: "button primary", href: "/" }, gettext("Go to the start page")),
    element(
      "p",
      { class: "note" },
      ...gettextNodes("Or {watch} or {search}.", {
        watch: element("a", { href: "/watch" }, gettext("watch a match")),
        search: element("a", { href: "/archive" }, gettext("search the archive")),
      }),
    ),
  ];
}
