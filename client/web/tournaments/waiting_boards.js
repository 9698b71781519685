/** The reader's other boards of a tournament that wait for the reader. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";

/** @import { YourMatch } from "../protocol.js" */

/** @param {YourMatch[]} matches In the order of urgency. @param {string} tournament @returns {string[]} The matches in which it is the reader's turn. */
export function waitingIn(matches, tournament) {
  return matches.filter((match) => match.tournament === tournament && match.is_your_turn).map(({ match }) => match);
}

/** @param {string[]} waiting At least one match. */
export function nextBoardLink(waiting) {
  return element("a", { class: "button primary next-board", href: `/match/${waiting[0]}` }, gettext("Next board ({count})", { count: waiting.length }));
}
