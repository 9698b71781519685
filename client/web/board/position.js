/**
 * What lies on the board at a moment, and how an event alters it. Immutable.
 *
 * No rules: the server says what changes. Imported by `match_state.js` and by whatever draws.
 */

import { NOBODY } from "../protocol.js";

/** @import { Board as Geometry, View } from "../protocol.js" */

/** @typedef {{ seat: number, size: number }} Pile */
/**
 * @typedef {object} Position
 * @property {ReadonlyMap<string, Pile>} piles By the name of their cell.
 * @property {readonly number[]} reserves For each seat the pieces still to be placed.
 * @property {Geometry | null} board What it lies on.
 * @property {readonly number[] | null} ground The indices of the cells that are laid yet; null when all are.
 * @property {readonly number[] | null} territory For each cell by index the seat that holds it, when that was counted.
 */

/** @type {Position} */
export const EMPTY = { piles: new Map(), reserves: [], board: null, ground: null, territory: null };

/**
 * The position after an event's view, whose changes are made to a copy.
 * @param {Position} position
 * @param {View | null | undefined} view
 * @returns {Position}
 */
export function changed(position, view) {
  if (!view) return position;
  // On another board the cells are others, whatever their names.
  const piles = new Map(view.board ? [] : position.piles);
  for (const [cell, seat, size] of view.changes) {
    if (seat === NOBODY) piles.delete(cell);
    else piles.set(cell, { seat, size });
  }
  return {
    piles,
    reserves: view.reserves,
    board: view.board ?? position.board,
    ground: view.ground ?? null,
    territory: view.territory ?? null,
  };
}
