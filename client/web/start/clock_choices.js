/**
 * The clocks that the start page offers: untimed, with increment, with delay, or days per move.
 *
 * No DOM.
 */

import { clockText, DAY_MS, daysText } from "../clock_texts.js";

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
    title: clockTitle(clock),
  }));
  return options.filter((_, index) => !(isForBots && CLOCKS[index]?.renews));
}

/** @param {ClockSettings | null} clock */
function clockTitle(clock) {
  if (clock === null) return "untimed";
  if (clock.renews) return "correspondence: time for each move";
  const minutes = `${clock.initial_ms / 60_000} ${clock.initial_ms === 60_000 ? "minute" : "minutes"}`;
  if (clock.delay_ms) return `${minutes} each, with a delay of ${clock.delay_ms / 1_000} seconds per move`;
  return clock.increment_ms ? `${minutes} each, plus ${clock.increment_ms / 1_000} seconds per move` : `${minutes} each`;
}

/**
 * @param {number} minutes
 * @param {number} seconds Added by each move.
 * @returns {ClockSettings}
 */
function plus(minutes, seconds) {
  return { initial_ms: minutes * 60_000, increment_ms: seconds * 1_000 };
}

/**
 * @param {number} minutes
 * @param {number} seconds Of delay per move.
 * @returns {ClockSettings}
 */
function delayed(minutes, seconds) {
  return { initial_ms: minutes * 60_000, increment_ms: 0, delay_ms: seconds * 1_000 };
}

/**
 * @param {number} count Per move.
 * @returns {ClockSettings}
 */
function days(count) {
  return { initial_ms: count * DAY_MS, increment_ms: 0, renews: true };
}
