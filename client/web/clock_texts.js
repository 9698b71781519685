/**
 * Clock settings and remaining times as text.
 *
 * A clock is written `5+3` (minutes, and seconds added by each move), `5 min, delay 3 s`, `5 min + 3 × 10 s` (byo-yomi: main
 * time, then periods), `10 s per move` or `3 days per move`.
 */

import { gettext, ngettext, numberText } from "./language/texts.js";

/** @import { ClockSettings } from "./protocol.js" */

export const DAY_MS = 86_400_000;

/** Below this, tenths are shown. */
const TENTHS_BELOW_MS = 10_000;

/** @param {ClockSettings | null} clock */
export function clockText(clock) {
  if (clock === null) return gettext("untimed");
  if (clock.renews) return gettext("{duration} per move", { duration: daysText(clock) });
  if (clock.periods) return periodsClockText(clock.initial_ms, clock.periods, clock.period_ms ?? 0);
  const minutes = clock.initial_ms / 60_000;
  const start = numberText(minutes);
  if (clock.delay_ms) return gettext("{minutes} min, delay {seconds} s", { minutes: start, seconds: clock.delay_ms / 1_000 });
  return `${start}+${(clock.increment_ms ?? 0) / 1_000}`;
}

/**
 * A clock, or with time odds each player's: `5+3 (Ann), 1+3`.
 * @param {ClockSettings | null} clock
 * @param {readonly (number | null | undefined)[]} own_ms The initial times of the seats, where they differ from the clock's.
 * @param {readonly string[]} names Of the players by seat; empty for an open seat.
 */
export function clocksText(clock, own_ms, names) {
  if (clock === null || own_ms.every((each_ms) => each_ms === null || each_ms === undefined)) return clockText(clock);
  return own_ms.map((each_ms, seat) => clockText({ ...clock, initial_ms: each_ms ?? clock.initial_ms }) + (names[seat] ? ` (${names[seat]})` : "")).join(", ");
}

/** @param {number} time_ms @returns {string} `5 min`, or `90 s` unless it is whole minutes. */
function durationText(time_ms) {
  return time_ms >= 60_000 && time_ms % 60_000 === 0 ? gettext("{minutes} min", { minutes: time_ms / 60_000 }) : gettext("{seconds} s", { seconds: time_ms / 1_000 });
}

/** @param {number} initial_ms @param {number} periods @param {number} period_ms */
function periodsClockText(initial_ms, periods, period_ms) {
  const period = durationText(period_ms);
  if (initial_ms > 0) return `${durationText(initial_ms)} + ${periods} × ${period}`;
  return periods === 1 ? gettext("{duration} per move", { duration: period }) : `${periods} × ${period}`;
}

/** A clock in words, such as `10 minutes each, plus 5 seconds per move`. @param {ClockSettings | null} clock */
export function clockSentence(clock) {
  if (clock === null) return gettext("untimed");
  if (clock.renews) return gettext("correspondence: time for each move");
  if (clock.periods) return periodsTitle(clock);
  const minutes = ngettext("{count} minute", "{count} minutes", clock.initial_ms / 60_000);
  if (clock.delay_ms) return gettext("{minutes} each, with a delay of {seconds} seconds per move", { minutes, seconds: clock.delay_ms / 1_000 });
  if (clock.increment_ms) return gettext("{minutes} each, plus {seconds} seconds per move", { minutes, seconds: clock.increment_ms / 1_000 });
  return gettext("{minutes} each", { minutes });
}

/** @param {ClockSettings} clock */
function periodsTitle({ initial_ms, periods = 0, period_ms = 0 }) {
  const seconds = period_ms / 1_000;
  if (initial_ms === 0 && periods === 1) return gettext("{seconds} seconds for each move", { seconds });
  const times = ngettext("{count} period of {seconds} seconds", "{count} periods of {seconds} seconds", periods, { seconds });
  return initial_ms === 0 ? times : gettext("{time} each, then {periods}; a move in time renews its period", { time: durationText(initial_ms), periods: times });
}

/** @param {ClockSettings} clock A correspondence clock. @returns {string} Such as `3 days`. */
export function daysText(clock) {
  return ngettext("{count} day", "{count} days", clock.initial_ms / DAY_MS);
}

/** @param {number} left_ms @returns {string} `2 d 5 h`, `1:05:09`, `4:07`, or `0:09.3` below ten seconds. */
export function formatClock(left_ms) {
  if (left_ms >= DAY_MS) {
    // Rounded up, so that an immediate move leaves the full time.
    const all = Math.ceil(left_ms / 3_600_000);
    return all % 24 === 0 ? gettext("{days} d", { days: all / 24 }) : gettext("{days} d {hours} h", { days: Math.floor(all / 24), hours: all % 24 });
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
