/**
 * How somebody stands: role, measures, what reports came to, what was done; and what may be done.
 */

import { element } from "../element.js";
import { answerOrToast } from "../toasts.js";
import { dateText } from "../dates.js";
import { ActionButtons } from "./action_buttons.js";
import { logTable } from "./log_table.js";
import { momentText, tallyText } from "./moderation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Conduct } from "../protocol.js" */

export class PlayersView {
  #name = element("input", { class: "moderated-player-name", type: "text", maxlength: 64, autocomplete: "off", "aria-label": "Name of an account", placeholder: "Name of an account" });
  #place = element("div", { class: "moderated-player", "aria-live": "polite" });
  #deeds;

  /**
   * @param {Connection} connection
   * @param {string} name To begin with; empty for nobody.
   */
  constructor(connection, name) {
    this.connection = connection;
    this.#name.value = name;
    this.#deeds = new ActionButtons(connection, () => this.#find(this.#name.value));
    const find = element("button", { type: "submit", class: "button" }, "Find");
    const form = element("form", { class: "log-filter", role: "search", onsubmit: (/** @type {Event} */ event) => this.#submit(event) }, this.#name, find);
    this.element = element("section", { class: "card", "aria-label": "People" }, form, this.#place);
  }

  open() {
    if (this.#name.value !== "") this.#find(this.#name.value);
    else this.#name.focus();
  }

  close() {}

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    this.#find(this.#name.value);
  }

  /** @param {string} name */
  async #find(name) {
    if (name.trim() === "") return;
    const conduct = await answerOrToast(this.connection.ask({ type: "get_conduct", name: name.trim() }));
    if (conduct !== null) this.#show(conduct);
    // By another name now, if that was removed.
    else this.#place.replaceChildren();
  }

  /** @param {Conduct} conduct */
  #show(conduct) {
    const { player, role, since_ms, muted, muted_until_ms, closed, upheld, dismissed, log } = conduct;
    const until = muted_until_ms === null ? "" : ` until ${momentText(muted_until_ms)}`;
    const measures = [muted === "" ? "" : `Muted${until}: ${muted}`, closed === "" ? "" : `The account is closed: ${closed}`].filter((words) => words !== "");
    const reports = upheld + dismissed === 0 ? "Nobody’s report about the player was settled yet." : `Reports about the player: ${tallyText(upheld, dismissed)}.`;
    this.#deeds.show({ ...player, registered: true, muted: muted !== "", closed: closed !== "", role }, null);
    this.#place.replaceChildren(
      element(
        "div",
        { class: "moderated-player-head" },
        element("h2", {}, element("a", { class: "player-link", href: `/player/${encodeURIComponent(player.name)}` }, player.name)),
        element("p", { class: "soft" }, `${role === null ? "" : role === "admin" ? "Admin. " : "Moderator. "}Here since ${dateText(since_ms)}. ${reports}`),
        ...measures.map((words) => element("p", { class: "restriction" }, words)),
      ),
      this.#deeds.element,
      log.length === 0 ? element("p", { class: "empty-note" }, "Nothing was done about the player yet.") : logTable(log),
    );
  }
}
