/**
 * What is shown where there is no match.
 */

import { element } from "../element.js";

/** @returns {HTMLElement[]} */
export function matchNotFoundParts() {
  return [
    element("h1", {}, "There is no such match"),
    element("p", {}, "The link may be mistyped or incomplete."),
    element("a", { class: "button primary", href: "/" }, "To the start page"),
  ];
}
