/**
 * The page for an unknown match.
 */

import { element } from "../element.js";

/** @returns {HTMLElement[]} */
export function matchNotFoundParts() {
  return [
    element("h1", {}, "Match not found"),
    element("p", {}, "Check the link: it may be mistyped or incomplete."),
    element("a", { class: "button primary", href: "/" }, "Go to the start page"),
  ];
}
