/** A player's moderation record: role, restrictions, reports and log, with moderation actions. */

import { element, form } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { dateText, momentText } from "../dates.js";
import { ActionButtons } from "./action_buttons.js";
import { logTable } from "./log_table.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ModerationRecord } from "../protocol.js" */

export class PlayersView {
  #name = element("input", { class: "moderated-player-name", type: "text", maxlength: 64, autocomplete: "off", "aria-label": gettext("Player’s name"), placeholder: gettext("Player’s name") });
  #place = element("div", { class: "moderated-player", "aria-live": "polite" });
  #actions;

  /** @param {Connection} connection @param {string} name The first player to show; empty for none. */
  constructor(connection, name) {
    this.connection = connection;
    this.#name.value = name;
    this.#actions = new ActionButtons(connection, () => this.#find(this.#name.value));
    const find = element("button", { type: "submit", class: "button" }, gettext("Find"));
    const filter = form({ class: "log-filter", role: "search" }, () => this.#find(this.#name.value), this.#name, find);
    this.element = element("section", { class: "card", "aria-label": gettext("Players") }, filter, this.#place);
  }

  open() {
    if (this.#name.value !== "") this.#find(this.#name.value);
    else this.#name.focus();
  }

  close() {}

  /** @param {string} name */
  async #find(name) {
    if (name.trim() === "") return;
    const record = await answerOrToast(this.connection.ask({ type: "get_moderation_record", name: name.trim() }));
    if (record !== null) this.#show(record);
    // The name may have been removed.
    else this.#place.replaceChildren();
  }

  /** @param {ModerationRecord} record */
  #show(record) {
    const { player, role, since_ms, mute_reason, muted_until_ms, ban_reason, upheld, dismissed, log } = record;
    const muted =
      muted_until_ms === null
        ? gettext("Muted: {reason}", { reason: mute_reason })
        : gettext("Muted until {date}: {reason}", { date: momentText(muted_until_ms), reason: mute_reason });
    const restrictions = [mute_reason === "" ? "" : muted, ban_reason === "" ? "" : gettext("Banned: {reason}", { reason: ban_reason })].filter((words) => words !== "");
    const reports = upheld + dismissed === 0 ? gettext("No settled reports about this player.") : gettext("Reports about this player: {upheld} upheld, {dismissed} dismissed.", { upheld, dismissed });
    this.#actions.show({ ...player, registered: true, muted: mute_reason !== "", banned: ban_reason !== "", role }, null);
    this.#place.replaceChildren(
      element(
        "div",
        { class: "moderated-player-head" },
        element("h2", {}, element("a", { class: "player-link", href: `/player/${encodeURIComponent(player.name)}` }, player.name)),
        element("p", { class: "soft" }, [...(role === null ? [] : [role === "admin" ? gettext("Admin.") : gettext("Moderator.")]), gettext("Member since {date}.", { date: dateText(since_ms) }), reports].join(" ")),
        ...restrictions.map((words) => element("p", { class: "restriction" }, words)),
      ),
      this.#actions.element,
      ...(this.connection.restrictions.role === "admin" ? [dataLink(player.name)] : []),
      log.length === 0 ? element("p", { class: "empty-note" }, gettext("No moderation actions yet.")) : logTable(log),
    );
  }
}

/** @param {string} name */
function dataLink(name) {
  const href = `/account/data.json?player=${encodeURIComponent(name)}`;
  return element("p", {}, element("a", { href, download: "" }, gettext("Download everything stored about this player")));
}
