/**
 * The number before the title of a page that is in the background: new notices, and one's turn on the page itself.
 *
 * Pages set their titles as if it were not there.
 */

/** @import { Inbox } from "./inbox.js" */

const COUNTED = /^\(\d+\) /;
/** What the page of a match puts before its title when it is one's turn. */
const OWN_TURN = "● ";

/** @param {Inbox} inbox */
export function countInTitle(inbox) {
  const show = () => {
    const bare = document.title.replace(COUNTED, "");
    const count = inbox.unread + (bare.startsWith(OWN_TURN) ? 1 : 0);
    const title = document.hidden && count > 0 ? `(${count}) ${bare}` : bare;
    if (document.title !== title) document.title = title;
  };
  const node = document.querySelector("title");
  if (node !== null) new MutationObserver(show).observe(node, { childList: true });
  inbox.addEventListener("change", show);
  document.addEventListener("visibilitychange", show);
}
