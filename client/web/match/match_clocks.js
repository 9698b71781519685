/**
 * The remaining times of a match: each seat's clock and the match's time limit.
 *
 * No DOM and no timer: callers pass the time, by the server's clock. The server decides when a flag falls.
 */

import { clockFace, periodsLeft, starting_ms } from "../clock_face.js";

/** @import { ClockFace } from "../clock_face.js" */
/** @import { ClockSettings, Paused, PauseEnded, Resumed, SeatPlan, TimeGiven } from "../protocol.js" */

export class MatchClocks {
  /** With all periods that are left; null in an untimed match. @type {number[] | null} */
  #left_ms = null;
  /** Null in an untimed match. @type {ClockSettings | null} */
  #settings = null;
  /** The periods that each seat has left; empty on a clock without periods. @type {number[]} */
  periods = [];
  /** Start of the current turn; the clock runs once the delay is over. */
  turnFrom_ms = 0;
  #runsFrom_ms = 0;
  #delay_ms = 0;
  /** When the player to move comes back from vacation, while the clock stands still; null otherwise. @type {number | null} */
  vacationUntil_ms = null;
  /** Null in a match without a limit. @type {number | null} */
  #limit_ms = null;
  /** Null before the match has started. @type {number | null} */
  #limitFrom_ms = null;

  /** @param {ClockSettings | null} settings @param {readonly SeatPlan[]} seats */
  constructor(settings, seats) {
    if (settings === null) return;
    this.#settings = settings;
    this.#left_ms = seats.map((plan) => starting_ms(settings, plan));
    this.periods = settings.periods ? this.#left_ms.map(() => settings.periods ?? 0) : [];
    this.#limit_ms = settings.match_limit_ms ?? null;
    this.#delay_ms = settings.delay_ms ?? 0;
  }

  /** @param {number} at_ms */
  start(at_ms) {
    this.turn(at_ms);
    this.#limitFrom_ms = at_ms;
  }

  /**
   * A turn or the match has ended.
   * @param {number} at_ms
   * @param {number[] | null} [clocks_ms] The server's times, if sent.
   */
  turn(at_ms, clocks_ms) {
    this.set(clocks_ms ?? this.#left_ms);
    this.turnFrom_ms = at_ms;
    this.#runsFrom_ms = at_ms + this.#delay_ms;
    this.vacationUntil_ms = null;
  }

  /** The server has sent the times. @param {number[] | null} left_ms */
  set(left_ms) {
    const settings = this.#settings;
    this.#left_ms = left_ms;
    if (settings === null || left_ms === null) return;
    this.periods = this.periods.map((had, seat) => periodsLeft(settings, left_ms[seat], had));
  }

  /** @param {TimeGiven} given */
  give({ seats, given_ms, periods }) {
    this.periods = periods ?? this.periods;
    this.#left_ms = this.#left_ms?.map((left_ms, seat) => (seats.includes(seat) ? left_ms + given_ms : left_ms)) ?? null;
  }

  /** @param {number} at_ms @param {Paused} paused */
  pause(at_ms, { clocks_ms }) {
    this.turn(at_ms, clocks_ms);
    this.#limit_ms = this.limitLeft_ms(at_ms);
    this.#limitFrom_ms = null;
  }

  /**
   * The server is back, a pause is over, or a player is on vacation: clocks stand still until the grace period is over.
   * @param {number} at_ms
   * @param {Resumed | PauseEnded} resumed
   */
  resume(at_ms, resumed) {
    const { clocks_ms, grace_ms, limit_ms } = resumed;
    this.set(clocks_ms);
    this.turnFrom_ms = this.#runsFrom_ms = at_ms + grace_ms;
    this.vacationUntil_ms = "vacation" in resumed && (resumed.vacation ?? null) !== null ? this.turnFrom_ms : null;
    this.#limit_ms = limit_ms ?? null;
    this.#limitFrom_ms = this.turnFrom_ms;
  }

  /**
   * What a seat's clock shows; null in an untimed match.
   * @param {number} seat
   * @param {boolean} isRunning
   * @param {number} now_ms
   * @returns {ClockFace | null}
   */
  face(seat, isRunning, now_ms) {
    const left_ms = this.left_ms(seat, isRunning, now_ms);
    return left_ms === null || this.#settings === null ? null : clockFace(this.#settings, left_ms, this.periods[seat] ?? 0);
  }

  /**
   * A seat's remaining time with all its periods; null in an untimed match.
   * @param {number} seat
   * @param {boolean} isRunning
   * @param {number} now_ms
   * @returns {number | null}
   */
  left_ms(seat, isRunning, now_ms) {
    const left_ms = this.#left_ms?.[seat];
    if (left_ms === undefined) return null;
    return isRunning ? remaining_ms(left_ms, this.#runsFrom_ms, now_ms) : left_ms;
  }

  /** The rest of this ply's delay; null without delay. @param {number} now_ms @returns {number | null} */
  delayLeft_ms(now_ms) {
    if (this.#delay_ms === 0) return null;
    return Math.min(this.#delay_ms, Math.max(0, this.#runsFrom_ms - now_ms));
  }

  /** The rest of the match's time limit; null without one. @param {number} now_ms @returns {number | null} */
  limitLeft_ms(now_ms) {
    if (this.#limit_ms === null || this.#limitFrom_ms === null) return this.#limit_ms;
    return remaining_ms(this.#limit_ms, this.#limitFrom_ms, now_ms);
  }
}

/**
 * @param {number} left_ms
 * @param {number} from_ms When it starts to run; can be in the future.
 * @param {number} now_ms
 */
function remaining_ms(left_ms, from_ms, now_ms) {
  return Math.max(0, left_ms - Math.max(0, now_ms - from_ms));
}
