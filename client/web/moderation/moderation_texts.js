/**
 * Report reasons, moderation actions and dates as text. No DOM.
 */

/** @import { ModerationAction, ModerationLogEntry, ReportReason } from "../protocol.js" */

/** @type {Record<ReportReason, string>} */
export const REASON_TEXTS = {
  insult: "Insults",
  spam: "Spam",
  cheating: "Cheating",
  name: "Name",
  bio: "Profile text",
  other: "Something else",
};

/** @type {Record<ModerationAction, string>} */
export const ACTION_TEXTS = {
  make_admin: "Made admin",
  make_moderator: "Made moderator",
  remove_role: "Role removed",
  mute: "Muted",
  unmute: "Unmuted",
  ban: "Banned",
  unban: "Ban lifted",
  remove_name: "Name removed",
  choose_name: "New name chosen",
  clear_bio: "Profile text removed",
  remove_line: "Message removed",
  void: "Match voided",
  uphold: "Reports upheld",
  dismiss: "Reports dismissed",
};

/** Durations of a mute. @type {[text: string, duration_ms: number | null][]} */
export const DURATIONS = [
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
  ["1 week", 7 * 86_400_000],
  ["30 days", 30 * 86_400_000],
  ["Permanent", null],
];

const MOMENT = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** @param {number} at_ms */
export function momentText(at_ms) {
  return MOMENT.format(at_ms);
}

/**
 * @param {ModerationLogEntry} entry
 * @returns {string} The action, and its end if it has one.
 */
export function actionText({ action, until_ms }) {
  return until_ms === null ? ACTION_TEXTS[action] : `${ACTION_TEXTS[action]} until ${momentText(until_ms)}`;
}

/**
 * @param {number} upheld
 * @param {number} dismissed
 * @returns {string} The outcome of the reporter's earlier reports.
 */
export function tallyText(upheld, dismissed) {
  if (upheld + dismissed === 0) return "first report";
  return `earlier reports: ${upheld} upheld, ${dismissed} dismissed`;
}

/**
 * @param {number} count
 * @returns {string} `1 report`, `3 reports`.
 */
export function reportsText(count) {
  return count === 1 ? "1 report" : `${count} reports`;
}

/**
 * @param {number} shown
 * @param {number} further Those that follow when the shown ones are settled.
 */
export function shownReportsText(shown, further) {
  return further === 0 ? reportsText(shown) : `${reportsText(shown + further)}, the latest ${shown} shown`;
}
