/**
 * Who is to have the seats of a new match.
 *
 * No DOM. Imported by what makes matches.
 */

/** @import { Level, SeatPlan } from "../protocol.js" */

/** Against whom: bots, people who are sent a link, or nobody but oneself. @typedef {"bot" | "friend" | "self"} Opponent */

/**
 * @param {number} seats How many.
 * @param {number} own The seat of whoever makes the match.
 * @param {Opponent} opponent
 * @param {Level} level Of bots.
 * @returns {SeatPlan[]}
 */
export function seatPlans(seats, own, opponent, level) {
  /** @type {Record<Opponent, SeatPlan>} */
  const others = { bot: { occupant: "bot", level }, friend: { occupant: "open" }, self: { occupant: "me" } };
  return Array.from({ length: seats }, (_, seat) => (seat === own ? { occupant: "me" } : others[opponent]));
}
