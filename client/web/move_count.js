/**
 * The length of a match as text, in moves as the move list numbers them: one ply of each seat. No DOM.
 */

/**
 * @param {number} plies
 * @param {number} seats
 * @returns {string} `29 moves`.
 */
export function moveCountText(plies, seats) {
  const moves = Math.ceil(plies / seats);
  return `${moves} ${moves === 1 ? "move" : "moves"}`;
}
