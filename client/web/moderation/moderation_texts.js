/** Report reasons, moderation actions and dates as text. No DOM. */

import { momentText } from "../dates.js";
import { gettext, later, ngettext } from "../language/texts.js";

/** @import { ModerationAction, ModerationLogEntry, ReportReason } from "../protocol.js" */

/** @type {Record<ReportReason, string>} */
export const REASON_TEXTS = {
  insult: later("Insults"),
  spam: later("Spam"),
  cheating: later("Cheating"),
  name: later("Name"),
  bio: later("Profile text"),
  other: later("Something else"),
};

/** @type {Record<ModerationAction, string>} */
export const ACTION_TEXTS = {
  make_admin: later("Made admin"),
  make_moderator: later("Made moderator"),
  remove_role: later("Role removed"),
  mute: later("Muted"),
  unmute: later("Unmuted"),
  ban: later("Banned"),
  unban: later("Ban lifted"),
  remove_name: later("Name removed"),
  choose_name: later("New name chosen"),
  clear_bio: later("Profile text removed"),
  remove_line: later("Message removed"),
  remove_study: later("Study removed"),
  clear_study: later("Title and comments of a study removed"),
  clear_import: later("Names and comments of an import removed"),
  void: later("Match voided"),
  uphold: later("Reports upheld"),
  dismiss: later("Reports dismissed"),
  announce: later("Announced"),
  end_announcement: later("Announcement ended"),
  block_address: later("Address blocked"),
  unblock_address: later("Address unblocked"),
  switch_off: later("Switched off"),
  switch_on: later("Switched on"),
  delete_account: later("Account deleted"),
  export_account: later("Account data exported"),
};

/** Durations of a mute. @type {[text: string, duration_ms: number | null][]} */
export const DURATIONS = [
  [later("1 hour"), 3_600_000],
  [later("1 day"), 86_400_000],
  [later("1 week"), 7 * 86_400_000],
  [later("30 days"), 30 * 86_400_000],
  [later("Permanent"), null],
];

/** @param {ModerationLogEntry} entry @returns {string} The action, and its end if it has one. */
export function actionText({ action, until_ms }) {
  const words = gettext(ACTION_TEXTS[action]);
  return until_ms === null ? words : gettext("{action} until {date}", { action: words, date: momentText(until_ms) });
}

/** @param {number} upheld @param {number} dismissed @returns {string} The outcome of the reporter's earlier reports. */
export function tallyText(upheld, dismissed) {
  if (upheld + dismissed === 0) return gettext("first report");
  return gettext("earlier reports: {upheld} upheld, {dismissed} dismissed", { upheld, dismissed });
}

/** @param {number} count @returns {string} `1 report`, `3 reports`. */
export function reportsText(count) {
  return ngettext("{count} report", "{count} reports", count);
}

/** @param {number} shown @param {number} further Those that follow when the shown ones are settled. */
export function shownReportsText(shown, further) {
  return further === 0 ? reportsText(shown) : gettext("{reports}, the latest {shown} shown", { reports: reportsText(shown + further), shown });
}
