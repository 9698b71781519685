/** The form for reporting a player from the profile, a study or an imported match. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast, toast } from "../toasts.js";
import { REASON_TEXTS } from "./moderation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Player, ReportReason } from "../protocol.js" */

/** @type {ReportReason[]} */
const REASONS = ["name", "bio", "cheating", "insult", "spam", "other"];
/** @type {ReportReason[]} */
const REASONS_FOR_TEXTS = ["insult", "spam", "other"];

/** @param {Connection} connection @param {Player} player */
export function reportBox(connection, player) {
  return box(connection, gettext("Report {name} to the moderators.", { name: player.name }), REASONS, { player: player.id });
}

/** @param {Connection} connection @param {string} study */
export function studyReportBox(connection, study) {
  return box(connection, gettext("Report this study to the moderators."), REASONS_FOR_TEXTS, { study });
}

/** @param {Connection} connection @param {string} match An imported match, whose record may name or insult somebody. */
export function importReportBox(connection, match) {
  return box(connection, gettext("Report this imported match to the moderators."), REASONS_FOR_TEXTS, { match });
}

/**
 * @param {Connection} connection
 * @param {string} what
 * @param {ReportReason[]} reasons
 * @param {{ player: string } | { study: string } | { match: string }} subject
 */
function box(connection, what, reasons, subject) {
  const reason = element("select", { "aria-label": gettext("Reason for the report") }, ...reasons.map((each) => element("option", { value: each }, REASON_TEXTS[each])));
  const words = element("textarea", { class: "report-comment", maxlength: 500, rows: 3, "aria-label": gettext("Details"), placeholder: gettext("Details (optional)") });
  const form = element(
    "details",
    { class: "report-box" },
    element("summary", { class: "button quiet" }, gettext("Report")),
    element("div", { class: "report-form" }, element("p", { class: "note" }, what), reason, words, button(gettext("Send report"), send, { class: "button primary" })),
  );

  async function send() {
    const report = { type: /** @type {const} */ ("report"), ...subject, reason: /** @type {ReportReason} */ (reason.value), note: words.value.trim() };
    if ((await answerOrToast(connection.ask(report))) === null) return;
    form.open = false;
    words.value = "";
    toast(gettext("Report sent. Thank you."));
  }

  return form;
}
