/** What a tournament is. */

/** @import { TournamentKind, TournamentPlan } from "../protocol.js" */

/** @param {TournamentPlan} plan @returns {TournamentKind} */
export function kindOf({ kind = "arena" }) {
  return kind;
}

/** @param {TournamentPlan} plan @returns {boolean} Whether it is an arena of three or four seats, which is played in rounds. */
export function hasTables({ seats = 2 }) {
  return seats > 2;
}
