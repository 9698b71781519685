/**
 * Clock settings and remaining times as text.
 */

/** @import { ClockSettings } from "./protocol.js" */

export const DAY_MS = 86_400_000;

/** Below this, tenths are shown. */
const TENTHS_BELOW_MS = 10_000;

/**
 * @param {ClockSettings | null} clock
 * @returns {string} Such as `5+3`: minutes, and seconds added per move; `5 d3`: delay per move;
 *   or `3 days per move`.
 */
export function clockText(clock) {
  if (clock === null) return "untimed";
  if (clock.renews) return `${daysText(clock)} per move`;
  const minutes = clock.initial_ms / 60_000;
  const start = Number.isInteger(minutes) ? minutes : minutes.toFixed(1);
  return clock.delay_ms ? `${start} d${clock.delay_ms / 1_000}` : `${start}+${(clock.increment_ms ?? 0) / 1_000}`;
}

/**
 * @param {ClockSettings} clock A correspondence clock.
 * @returns {string} Such as `3 days`.
 */
export function daysText(clock) {
  return clock.initial_ms === DAY_MS ? "1 day" : `${clock.initial_ms / DAY_MS} days`;
}

/**
 * @param {number} left_ms
 * @returns {string} `2 d 5 h`, `1:05:09`, `4:07`, or `0:09.3` below ten seconds.
 */
export function formatClock(left_ms) {
  if (left_ms >= DAY_MS) {
    // Rounded up, so that an immediate move leaves the full time.
    const all = Math.ceil(left_ms / 3_600_000);
    return all % 24 === 0 ? `${all / 24} d` : `${Math.floor(all / 24)} d ${all % 24} h`;
  }
  if (left_ms < TENTHS_BELOW_MS) {
    const tenths = Math.floor(left_ms / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.floor(left_ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}
