/**
 * How reports and what moderators do about them are called. No DOM.
 */

/** @import { ModerationAction, ModerationLogEntry, ReportReason } from "../protocol.js" */

/** @type {Record<ReportReason, string>} */
export const REASON_TEXTS = {
  insult: "Insults",
  spam: "Spam",
  cheating: "Cheating",
  name: "The name",
  bio: "Words about oneself",
  other: "Something else",
};

/** @type {Record<ModerationAction, string>} */
export const ACTION_TEXTS = {
  make_admin: "Made admin",
  make_moderator: "Made moderator",
  remove_role: "Role removed",
  mute: "Muted",
  unmute: "Unmuted",
  ban: "Account closed",
  unban: "Account reopened",
  remove_name: "Name removed",
  choose_name: "Another name chosen",
  clear_bio: "Words about oneself removed",
  remove_line: "Line removed",
  void: "Match voided",
  uphold: "Reports upheld",
  dismiss: "Reports dismissed",
};

/** How long a mute may last. @type {[words: string, duration_ms: number | null][]} */
export const DURATIONS = [
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
  ["1 week", 7 * 86_400_000],
  ["30 days", 30 * 86_400_000],
  ["for good", null],
];

const MOMENT = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** @param {number} at_ms */
export function momentText(at_ms) {
  return MOMENT.format(at_ms);
}

/**
 * @param {ModerationLogEntry} entry
 * @returns {string} What was done, and for how long.
 */
export function actionText({ action, until_ms }) {
  return until_ms === null ? ACTION_TEXTS[action] : `${ACTION_TEXTS[action]} until ${momentText(until_ms)}`;
}

/**
 * @param {number} upheld
 * @param {number} dismissed
 * @returns {string} What a reporter's earlier reports came to.
 */
export function tallyText(upheld, dismissed) {
  if (upheld + dismissed === 0) return "first report";
  return `${upheld} upheld, ${dismissed} dismissed before`;
}

/**
 * @param {number} count
 * @returns {string} `1 report`, `3 reports`.
 */
export function reportsText(count) {
  return count === 1 ? "1 report" : `${count} reports`;
}
