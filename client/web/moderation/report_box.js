/** The form for reporting a player from the profile. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast, toast } from "../toasts.js";
import { REASON_TEXTS } from "./moderation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Player, ReportReason } from "../protocol.js" */

/** @type {ReportReason[]} */
const REASONS = ["name", "bio", "cheating", "insult", "spam", "other"];

/** @param {Connection} connection @param {Player} player */
export function reportBox(connection, player) {
  const reason = element("select", { "aria-label": gettext("Reason for the report") }, ...REASONS.map((each) => element("option", { value: each }, REASON_TEXTS[each])));
  const words = element("textarea", { class: "report-comment", maxlength: 500, rows: 3, "aria-label": gettext("Details"), placeholder: gettext("Details (optional)") });
  const box = element(
    "details",
    { class: "report-box" },
    element("summary", { class: "button quiet" }, gettext("Report")),
    element("div", { class: "report-form" }, element("p", { class: "note" }, gettext("Report {name} to the moderators.", { name: player.name })), reason, words, button(gettext("Send report"), send, { class: "button primary" })),
  );

  async function send() {
    const report = { type: /** @type {const} */ ("report"), player: player.id, reason: /** @type {ReportReason} */ (reason.value), note: words.value.trim() };
    if ((await answerOrToast(connection.ask(report))) === null) return;
    box.open = false;
    words.value = "";
    toast(gettext("Report sent. Thank you."));
  }

  return box;
}
