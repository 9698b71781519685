/** The page for an unknown match. */

import { gettext } from "../language/texts.js";
import { notFoundParts } from "../not_found_page.js";

/** @returns {HTMLElement[]} */
export function matchNotFoundParts() {
  return notFoundParts(gettext("Match not found"), gettext("Check the link: it may be mistyped or incomplete."));
}
