/**
 * The page for an unknown match.
 */

import { notFoundParts } from "../not_found_page.js";

/** @returns {HTMLElement[]} */
export function matchNotFoundParts() {
  return notFoundParts("Match not found", "Check the link: it may be mistyped or incomplete.");
}
