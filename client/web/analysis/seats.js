/** The seats of an analysis: their number, who moves first, and their rows above and below the board. */

import { element } from "../element.js";
import { SeatRow } from "./seat_row.js";

/** @import { Explored } from "../protocol.js" */

export class Seats {
  count = 2;
  /** The seat to move at the root. */
  first = 0;
  /** The reader's seat, or the first. */
  own = 0;
  /** The seat below the board. */
  #near = 0;
  above = element("div", { class: "strips above" });
  below = element("div", { class: "strips below" });
  /** @type {SeatRow[]} */
  #lines = [];

  /** @param {(seat: number) => string} nameOf @param {(seat: number) => string} colourOf */
  constructor(nameOf, colourOf) {
    this.nameOf = nameOf;
    this.colourOf = colourOf;
  }

  /** Whether their number is known. */
  get areKnown() {
    return this.#lines.length > 0;
  }

  /** Whether the second seat is at the bottom. */
  get isTurned() {
    return this.#near === 1;
  }

  /** @param {number} count @param {number} first @param {number} [own] */
  set(count, first, own = 0) {
    if (this.areKnown) return;
    this.own = this.#near = own;
    this.count = count;
    this.first = first;
    this.#lines = Array.from({ length: count }, (_, seat) => new SeatRow(seat, this.nameOf(seat), this.colourOf(seat)));
    this.#arrange();
  }

  /** Take the number and order of seats from the root; the match may be over there. @param {Explored} root */
  learn(root) {
    this.set(root.seats, root.to_move ?? 0);
  }

  turn() {
    this.#near = this.#near === this.own ? Number(this.own === 0) : this.own;
    if (this.areKnown) this.#arrange();
  }

  /** @param {number} ply Counted from the root. @returns {number} The seat that made it. */
  moverOf(ply) {
    return (((this.first + ply - 1) % this.count) + this.count) % this.count;
  }

  /**
   * @param {readonly number[]} reserves
   * @param {number | null} toMove
   * @param {{ playerOf: (seat: number) => string, scoreOf: (seat: number) => string } | null} match
   */
  show(reserves, toMove, match) {
    for (const [seat, line] of this.#lines.entries()) {
      line.show(match?.playerOf(seat) ?? "", match?.scoreOf(seat) ?? "", reserves[seat] ?? 0, toMove === seat);
    }
  }

  #arrange() {
    const near = this.#near;
    this.below.replaceChildren(this.#lines[near].element);
    this.above.replaceChildren(...this.#lines.filter((_, seat) => seat !== near).map((line) => line.element));
  }
}
