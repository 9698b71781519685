/** One line of the chat, with a menu to mute or report its author. Lines enter the page as text, never as markup. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { REASON_TEXTS } from "../moderation/moderation_texts.js";
import { markedName } from "../players/bot_mark.js";

/** @import { ChatLine, ReportReason } from "../protocol.js" */

/** Reasons for reporting a line. @type {ReportReason[]} */
const REASONS = ["insult", "spam", "cheating", "name", "other"];

/**
 * @typedef {object} LineHandlers
 * @property {(player: string, on: boolean) => unknown} mute
 * @property {(line: ChatLine, reason: ReportReason) => unknown} report
 */

/** @param {ChatLine} line @param {{ isOwn: boolean, isFromSpectator: boolean }} marks @param {LineHandlers} handlers */
export function chatLine(line, { isOwn, isFromSpectator }, handlers) {
  const { name } = line.player;
  const isRemoved = line.text === "";
  const menu = isOwn || isRemoved ? null : lineMenu(line, handlers);
  /** @type {HTMLButtonElement | null} */
  const opener =
    menu &&
    button("⋯", () => void toggle(/** @type {HTMLButtonElement} */ (opener), menu), {
      class: "line-opener",
      "aria-label": gettext("Mute or report {name}", { name }),
      "aria-expanded": "false",
      title: gettext("Mute or report"),
    });
  return element(
    "li",
    { class: isOwn ? "chat-line own" : "chat-line", "data-number": line.number },
    element(
      "p",
      { class: "chat-line-text" },
      element("span", { class: "chat-name" }, ...markedName(line.player)),
      isFromSpectator ? element("span", { class: "chat-room" }, "spectator") : null,
      " ",
      isRemoved
        ? element("span", { class: "chat-text removed" }, gettext("removed by a moderator"))
        : element("span", { class: "chat-text", dir: "auto" }, line.text),
    ),
    opener,
    menu,
  );
}

/** @param {ChatLine} line @param {LineHandlers} handlers */
function lineMenu(line, handlers) {
  const { id, name } = line.player;
  const reason = element(
    "select",
    { "aria-label": gettext("Reason for the report") },
    ...REASONS.map((value) => element("option", { value }, REASON_TEXTS[value])),
  );
  const report = button(gettext("Report"), () => {
    menu.hidden = true;
    return handlers.report(line, /** @type {ReportReason} */ (reason.value));
  });
  const menu = element(
    "div",
    { class: "line-menu", role: "group", "aria-label": gettext("About {name}", { name }), hidden: true },
    button(gettext("Mute {name}", { name }), () => handlers.mute(id, true)),
    element("span", { class: "line-report" }, reason, report),
  );
  return menu;
}

/** @param {HTMLElement | null} opener @param {HTMLElement} menu */
function toggle(opener, menu) {
  menu.hidden = !menu.hidden;
  opener?.setAttribute("aria-expanded", String(!menu.hidden));
  if (!menu.hidden) menu.scrollIntoView({ block: "nearest" });
}
