/** The plans for seats that `create` takes, and the moves of a tree. No connection. */

/** @import { Level, MoveTree, SeatPlan } from "../protocol.js" */

/** @type {SeatPlan} */
export const ME = { occupant: "me" };
/** @type {SeatPlan} */
export const OPEN = { occupant: "open" };

/** @param {Level} level @returns {SeatPlan} */
export function bot(level) {
  return { occupant: "bot", level };
}

/** @param {MoveTree} tree @returns {string[]} Each move as its clicks, separated by spaces. */
export function listMoves(tree) {
  return Object.entries(tree).flatMap(([click, rest]) =>
    rest === null ? [click] : listMoves(/** @type {MoveTree} */ (rest)).map((clicks) => `${click} ${clicks}`),
  );
}
