/** A player's profile text: plain text in which web addresses become links. */

import { element } from "../element.js";

const ADDRESS = /https?:\/\/[^\s<>"']+/g;
const TAIL = /[.,;:!?)\]]+$/;

/** @param {string} bio */
export function bioText(bio) {
  return element("p", { class: "bio" }, ...parts(bio));
}

/** @param {string} text @returns {(Node | string)[]} */
function parts(text) {
  const found = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const bare = address.replace(TAIL, "");
    if (!URL.canParse(bare)) continue;
    found.push(text.slice(end, index), element("a", { href: bare, target: "_blank", rel: "nofollow ugc noopener noreferrer" }, bare));
    end = index + bare.length;
  }
  return [...found, text.slice(end)];
}
