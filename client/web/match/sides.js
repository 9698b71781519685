/** From which side of the board a player looks. */

/** @import { Position } from "../board/position.js" */

/**
 * @param {number} seat
 * @param {number} seats
 * @param {Position | null | undefined} first The first position; none while it is not known.
 * @returns {boolean} Whether the seat is across the board: the second of two where play begins with pieces on squares.
 */
export function sitsAcross(seat, seats, first) {
  return seat === 1 && seats === 2 && first?.board?.shape === "squares" && first.piles.size > 0;
}
