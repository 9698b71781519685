/** The seats of an analysis: their number, who moves first, and their rows above and below the board. */

import { element } from "../element.js";
import { SeatRow } from "./seat_row.js";

/** @import { Explored } from "../protocol.js" */

export class Seats {
  count = 2;
  /** The seat to move at the root. */
  first = 0;
  isTurned = false;
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

  /** @param {number} count @param {number} first */
  set(count, first) {
    if (this.areKnown) return;
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
    this.isTurned = !this.isTurned;
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
    const near = this.isTurned ? 1 : 0;
    this.below.replaceChildren(this.#lines[near].element);
    this.above.replaceChildren(...this.#lines.filter((_, seat) => seat !== near).map((line) => line.element));
  }
}
