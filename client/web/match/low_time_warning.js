/** A sound, once in a match, when the reader's clock runs low. */

import { isLow } from "../clock_face.js";
import { playSound } from "../sound.js";

/** @import { MatchState } from "./match_state.js" */

export class LowTimeWarning {
  #hasWarned = false;

  /** @param {MatchState} state @param {number} now_ms By the server's clock. */
  tick(state, now_ms) {
    const { clockSeat, activeSeats } = state;
    if (this.#hasWarned || clockSeat === null || !activeSeats.includes(clockSeat)) return;
    const face = state.clockFace(clockSeat, now_ms);
    if (face === null || !isLow(face)) return;
    this.#hasWarned = true;
    playSound("low");
  }
}
