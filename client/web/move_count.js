/** The length of a match as text, in moves as the move list numbers them: one ply of each seat. No DOM. */

import { ngettext } from "./language/texts.js";

/** @param {number} plies @param {number} seats @returns {string} `29 moves`. */
export function moveCountText(plies, seats) {
  const moves = Math.ceil(plies / seats);
  return ngettext("{count} move", "{count} moves", moves);
}
