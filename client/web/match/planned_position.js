/**
 * The position after the reader's premoves, as far as the clicks show it: the places of the reader's pieces.
 *
 * No DOM and no rules.
 */

/** @import { Position } from "../board/position.js" */

export class PlannedPosition {
  /** The seat on each cell that is not empty. @type {Map<string, number>} */
  #owners;
  /** The own pieces still to be placed. */
  inHand;

  /**
   * @param {Position} position
   * @param {number} seat The reader's.
   * @param {readonly (readonly string[])[]} moves The clicks of each premove.
   */
  constructor(position, seat, moves) {
    this.seat = seat;
    this.#owners = new Map([...position.piles].map(([cell, pile]) => [cell, pile.seat]));
    this.inHand = position.reserves[seat] ?? 0;
    for (const clicks of moves) this.#make(clicks, position);
  }

  /** The cells of the reader's pieces. @returns {string[]} */
  get cells() {
    return [...this.#owners].filter(([, seat]) => seat === this.seat).map(([cell]) => cell);
  }

  /** @param {string} cell @returns {number | null} Null for an empty cell. */
  ownerOf(cell) {
    return this.#owners.get(cell) ?? null;
  }

  /** @param {readonly string[]} clicks @param {Position} position */
  #make([first, ...rest], position) {
    if (this.ownerOf(first) === this.seat) {
      const [target, taken] = rest;
      // A stack of several may be split: then some of it stays.
      if ((position.piles.get(first)?.size ?? 1) === 1) this.#owners.delete(first);
      this.#owners.set(target, this.seat);
      this.#owners.delete(taken);
    } else {
      this.#owners.set(first, this.seat);
      this.inHand -= 1;
      this.#owners.delete(rest[0]);
    }
  }
}
