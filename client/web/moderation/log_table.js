/** The moderation log as a table. */

import { placePath } from "../chat/place_path.js";
import { momentText } from "../dates.js";
import { element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { actionText } from "./moderation_texts.js";

/** @import { Child } from "../element.js" */
/** @import { ModerationLogEntry } from "../protocol.js" */

const HEADS = [later("Date"), later("Moderator"), later("Action"), later("Player"), later("Reason")];

/** @param {ModerationLogEntry[]} entries */
export function logTable(entries) {
  return element(
    "table",
    { class: "rating-table log-table", role: "table" },
    element("caption", { class: "visually-hidden" }, gettext("Moderation log")),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...HEADS.map((head) => element("th", { scope: "col", role: "columnheader" }, head)))),
    element("tbody", { role: "rowgroup" }, ...entries.map(row)),
  );
}

/** @param {ModerationLogEntry} entry */
function row(entry) {
  const { at_ms, by, player, match, study = null, detail, reason } = entry;
  /** @type {Child[]} */
  const upon = [player === null ? "" : player.name];
  if (match !== null) upon.push(" ", element("a", { href: placePath(match) }, match.includes("/") ? "chat" : "match"));
  if (study !== null) upon.push(" ", study);
  const cell = (/** @type {string} */ name, /** @type {Child[]} */ ...parts) => element("td", { role: "cell", class: name }, ...parts);
  return element(
    "tr",
    { role: "row" },
    cell("when soft", momentText(at_ms)),
    cell("who", by),
    cell("what", actionText(entry)),
    cell("upon", ...upon),
    cell("why", reason, detail === "" ? null : element("span", { class: "soft log-detail", dir: "auto" }, detail)),
  );
}
