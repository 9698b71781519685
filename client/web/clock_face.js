/**
 * What a clock shows of the time that a seat has left: the main time, or a period of byo-yomi and how many there are.
 *
 * No DOM. The server's times include all periods that are left.
 */

import { formatClock } from "./clock_texts.js";
import { ngettext } from "./language/texts.js";

/** @import { ClockSettings, SeatPlan } from "./protocol.js" */

/**
 * @typedef {object} ClockFace
 * @property {number} left_ms Of the main time; in a period, of that period.
 * @property {number} periods The periods that are left, including the one that the seat is in.
 * @property {number} period_ms The length of each; 0 without periods.
 * @property {boolean} inPeriod Whether the main time is over.
 */

/** Below this a clock is low; in a short period, below half of it. */
export const LOW_BELOW_MS = 20_000;

/** What a seat has left at the start, its periods included. @param {ClockSettings} settings @param {SeatPlan | undefined} plan */
export function starting_ms({ initial_ms, periods = 0, period_ms = 0 }, plan) {
  return (plan?.initial_ms ?? initial_ms) + periods * period_ms;
}

/**
 * The periods that a seat still has once it has no more than this left in all.
 * @param {ClockSettings} settings
 * @param {number} left_ms
 * @param {number} had The periods that it had before.
 */
export function periodsLeft({ period_ms = 0 }, left_ms, had) {
  return period_ms === 0 ? 0 : Math.min(had, Math.ceil(left_ms / period_ms));
}

/**
 * @param {ClockSettings} settings
 * @param {number} left_ms
 * @param {number} had The periods that the seat had before.
 * @returns {ClockFace}
 */
export function clockFace(settings, left_ms, had) {
  const { period_ms = 0 } = settings;
  if (period_ms === 0) return { left_ms, periods: 0, period_ms, inPeriod: false };
  const periods = periodsLeft(settings, left_ms, had);
  const main_ms = left_ms - periods * period_ms;
  if (main_ms > 0) return { left_ms: main_ms, periods, period_ms, inPeriod: false };
  return { left_ms: periods > 0 ? main_ms + period_ms : 0, periods, period_ms, inPeriod: true };
}

/** Whether the time is so short that the player is warned. @param {ClockFace} face */
export function isLow({ left_ms, period_ms, inPeriod }) {
  return period_ms === 0 ? left_ms < LOW_BELOW_MS : inPeriod && left_ms < Math.min(LOW_BELOW_MS, period_ms / 2);
}

/**
 * The periods beside the time: `+ 3x10s` while they are still to come, `2x10s` within one; empty without periods.
 * @param {ClockFace} face
 */
export function periodsText({ periods, period_ms, inPeriod }) {
  if (period_ms === 0) return "";
  const period = period_ms % 60_000 === 0 ? `${period_ms / 60_000}m` : `${period_ms / 1_000}s`;
  const text = `${periods}x${period}`;
  return inPeriod ? text : `+ ${text}`;
}

/** The same for a screen reader: `3 periods of 10 seconds to come`; empty without periods. @param {ClockFace} face */
export function periodsSentence({ periods, period_ms, inPeriod }) {
  if (period_ms === 0) return "";
  const seconds = period_ms / 1_000;
  if (inPeriod) return ngettext("{count} period of {seconds} seconds left", "{count} periods of {seconds} seconds left", periods, { seconds });
  return ngettext("{count} period of {seconds} seconds to come", "{count} periods of {seconds} seconds to come", periods, { seconds });
}

/** The whole face as one text: `4:07 + 3x10s`, or `0:09.3 (2x10s)` within a period. @param {ClockFace} face */
export function faceText(face) {
  const time = formatClock(face.left_ms);
  if (face.period_ms === 0) return time;
  return face.inPeriod ? `${time} (${periodsText(face)})` : `${time} ${periodsText(face)}`;
}
