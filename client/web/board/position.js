/**
 * A position on the board, and its changes by events. Immutable.
 *
 * No rules: the server sends the changes.
 */

import { NOBODY } from "../protocol.js";

/** @import { Board as Geometry, Highlight, Tally, View } from "../protocol.js" */

/** @typedef {{ seat: number, size: number }} Pile */
/**
 * @typedef {object} Position
 * @property {ReadonlyMap<string, Pile>} piles By cell name.
 * @property {readonly number[]} reserves Each seat's pieces still to be placed.
 * @property {Geometry | null} board The board's geometry.
 * @property {readonly number[] | null} ground The indices of the cells of placed tiles; null when all are placed.
 * @property {readonly number[] | null} territory For each cell index the seat that holds it, once counted.
 * @property {readonly Highlight[]} highlights The cells where the last move captured or completed something.
 * @property {readonly Tally[]} tallies What the game counts for each seat.
 */

/** @type {Position} */
export const EMPTY = { piles: new Map(), reserves: [], board: null, ground: null, territory: null, highlights: [], tallies: [] };

/**
 * The position after an event's view, as a copy.
 * @param {Position} position
 * @param {View | null | undefined} view
 * @returns {Position}
 */
export function changed(position, view) {
  if (!view) return position;
  // A new board has different cells, even under the same names.
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
    highlights: view.highlights ?? [],
    tallies: view.tallies ?? [],
  };
}

/** Whether the same pieces lie in the same places. @param {Position} one @param {Position} other */
export function isSamePlacement(one, other) {
  const isIn = (/** @type {[string, Pile]} */ [cell, { seat, size }]) => {
    const pile = other.piles.get(cell);
    return pile?.seat === seat && pile.size === size;
  };
  return one.board === other.board && one.piles.size === other.piles.size && [...one.piles].every(isIn);
}
