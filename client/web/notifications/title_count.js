/**
 * The number before the title of a page in the background: unread notifications, plus one if it is the reader's turn.
 *
 * Pages set their titles without it.
 */

/** @import { Inbox } from "./inbox.js" */

const COUNTED = /^\(\d+\) /;
/** The prefix of a match page's title when it is the reader's turn. */
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
