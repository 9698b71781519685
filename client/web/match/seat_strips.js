/** The strips of all seats: the reader's below the board, the others above it. */

import { element } from "../element.js";
import { SeatStrip } from "./seat_strip.js";

/** @import { Tray } from "../board/pieces.js" */
/** @import { Position } from "../board/position.js" */
/** @import { GameInfo } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

export class SeatStrips {
  above = element("div", { class: "strips above" });
  below = element("div", { class: "strips below" });
  /** @type {SeatStrip[]} */
  #strips = [];
  #nearSeat = -1;

  /** The number of seats. */
  get count() {
    return this.#strips.length;
  }

  /** @param {GameInfo | undefined} game @param {number} seats */
  build(game, seats) {
    this.#strips = Array.from({ length: seats }, (_, seat) => new SeatStrip(game, seat));
    this.#nearSeat = -1;
  }

  /** @param {MatchState} state @param {Position} shown @param {number} ply The shown ply. */
  show(state, shown, ply) {
    this.#arrange(state.ownSeats[0] ?? 0);
    for (const strip of this.#strips) strip.show(state, shown, ply);
  }

  /**
   * @param {MatchState} state
   * @param {number} now_ms
   * @param {number | null} shownPly The shown ply; null for the live position.
   */
  tick(state, now_ms, shownPly) {
    for (const strip of this.#strips) strip.tick(state, now_ms, shownPly);
  }

  /**
   * Where a seat's pieces lie beside the board, in pixels.
   * @param {number} seat
   * @param {Tray} tray
   * @returns {DOMRect | null} Null if there is no such place.
   */
  trayOf(seat, tray) {
    return this.#strips[seat]?.trayOf(tray) ?? null;
  }

  /** @param {number} near The seat below the board. */
  #arrange(near) {
    if (near === this.#nearSeat) return;
    this.#nearSeat = near;
    this.below.replaceChildren(this.#strips[near].element);
    this.above.replaceChildren(...this.#strips.filter((_, seat) => seat !== near).map((strip) => strip.element));
  }
}
