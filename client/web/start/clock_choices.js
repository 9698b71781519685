/**
 * The clocks that the start page offers: untimed, with increment, with delay, with periods, or days per move.
 *
 * No DOM.
 */

import { clockSentence, clockText, DAY_MS, daysText } from "../clock_texts.js";
import { later } from "../language/texts.js";

/** @import { ClockSettings } from "../protocol.js" */

/** Choices are stored by index: add new ones at the end. @type {(ClockSettings | null)[]} */
export const CLOCKS = [
  null,
  plus(1, 0),
  plus(3, 2),
  plus(5, 3),
  plus(10, 5),
  plus(15, 10),
  plus(30, 20),
  delayed(5, 5),
  delayed(15, 10),
  days(1),
  days(3),
  days(7),
  plus(5, 0),
  plus(15, 0),
  periods(0, 1, 10),
  periods(5, 3, 10),
  periods(15, 3, 30),
];

/** The clocks of quick pairing: few, so that players meet. @type {{ clock: ClockSettings, word: string }[]} */
export const QUICK_CLOCKS = [
  { clock: plus(1, 2), word: later("Bullet") },
  { clock: plus(3, 2), word: later("Blitz") },
  { clock: plus(5, 0), word: later("Blitz") },
  { clock: periods(0, 1, 10), word: later("Blitz") },
  { clock: plus(5, 3), word: later("Blitz") },
  { clock: plus(10, 5), word: later("Rapid") },
  { clock: plus(15, 0), word: later("Rapid") },
  { clock: plus(15, 10), word: later("Rapid") },
  { clock: plus(30, 20), word: later("Classical") },
];

/** The index of 10+5. */
export const DEFAULT_CLOCK = "4";

/**
 * @param {boolean} isForBots Bots answer at once, so correspondence is not offered.
 * @returns {{ value: string, label: string, title: string }[]}
 */
export function clockOptions(isForBots) {
  const options = CLOCKS.map((clock, index) => ({
    value: String(index),
    label: clock === null ? "∞" : clock.renews ? daysText(clock) : clockText(clock),
    title: clockSentence(clock),
  }));
  return options.filter((_, index) => !(isForBots && CLOCKS[index]?.renews)).sort((one, other) => rank(one.value) - rank(other.value));
}

/** Where a clock stands in the row: by kind, then as listed. @param {string} index */
function rank(index) {
  const clock = CLOCKS[Number(index)];
  const kind = clock === null ? 0 : clock.renews ? 4 : clock.periods ? 3 : clock.delay_ms ? 2 : 1;
  return kind * DAY_MS + (clock?.initial_ms ?? 0) / (clock?.renews ? DAY_MS : 1);
}

/**
 * @param {number} minutes Of main time.
 * @param {number} count
 * @param {number} seconds Of each period.
 * @returns {ClockSettings}
 */
function periods(minutes, count, seconds) {
  return { initial_ms: minutes * 60_000, periods: count, period_ms: seconds * 1_000 };
}

/** @param {number} minutes @param {number} seconds Added by each move. @returns {ClockSettings} */
function plus(minutes, seconds) {
  return { initial_ms: minutes * 60_000, increment_ms: seconds * 1_000 };
}

/** @param {number} minutes @param {number} seconds Of delay per move. @returns {ClockSettings} */
function delayed(minutes, seconds) {
  return { initial_ms: minutes * 60_000, increment_ms: 0, delay_ms: seconds * 1_000 };
}

/** @param {number} count Per move. @returns {ClockSettings} */
function days(count) {
  return { initial_ms: count * DAY_MS, increment_ms: 0, renews: true };
}
