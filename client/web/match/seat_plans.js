/**
 * The assignment of seats in a new match.
 *
 * No DOM.
 */

/** @import { Level, SeatPlan } from "../protocol.js" */

/** The opponents: bots, friends who get a link, or oneself on every seat. @typedef {"bot" | "friend" | "self"} Opponent */

/**
 * @param {number} seats The number of seats.
 * @param {number} own The seat of the player who creates the match.
 * @param {Opponent} opponent
 * @param {Level} level The bots' level.
 * @returns {SeatPlan[]}
 */
export function seatPlans(seats, own, opponent, level) {
  /** @type {Record<Opponent, SeatPlan>} */
  const others = { bot: { occupant: "bot", level }, friend: { occupant: "open" }, self: { occupant: "me" } };
  return Array.from({ length: seats }, (_, seat) => (seat === own ? { occupant: "me" } : others[opponent]));
}
