/**
 * The page for an address that leads nowhere: what can be done instead.
 */

import { element } from "./element.js";

export class NotFoundPage {
  element = element(
    "div",
    { class: "notice" },
    element("h1", {}, "Page not found"),
    element("p", {}, "Nothing is at this address. The link may be mistyped or incomplete."),
    element("a", { class: "button primary", href: "/" }, "Go to the start page"),
    element("p", { class: "note" }, "Or ", element("a", { href: "/watch" }, "watch a match"), " or ", element("a", { href: "/archive" }, "search the archive"), "."),
  );

  open() {
    document.title = "Page not found · Millrace";
  }

  close() {
    // It follows nothing.
  }
}
