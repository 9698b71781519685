/** The moderation log, filtered by name and action. */

import { button, element, form } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { logTable } from "./log_table.js";
import { ACTION_TEXTS } from "./moderation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ModerationAction, ModerationLogEntry } from "../protocol.js" */

export class LogView {
  #name = element("input", { class: "log-name", type: "text", maxlength: 64, autocomplete: "off", placeholder: gettext("Any name"), "aria-label": gettext("First letters of a moderator’s or player’s name") });
  #action = element(
    "select",
    { "aria-label": gettext("Action"), onchange: () => this.#search() },
    element("option", { value: "" }, gettext("All actions")),
    ...Object.entries(ACTION_TEXTS).map(([action, words]) => element("option", { value: action }, words)),
  );
  #list = element("div", { class: "log-list", "aria-live": "polite" });
  /** @type {ModerationLogEntry[]} */
  #entries = [];

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    const find = element("button", { type: "submit", class: "button" }, gettext("Find"));
    const filter = form({ class: "log-filter", role: "search" }, () => this.#search(), this.#name, this.#action, find);
    this.element = element("section", { class: "card", "aria-label": gettext("Log") }, filter, this.#list);
  }

  open() {
    this.#search();
  }

  close() {}

  #search() {
    this.#entries = [];
    return this.#more();
  }

  async #more() {
    const before = this.#entries.at(-1)?.number;
    const action = /** @type {ModerationAction | ""} */ (this.#action.value);
    const wanted = { name: this.#name.value.trim(), ...(action === "" ? {} : { action }), ...(before === undefined ? {} : { before }) };
    const answer = await answerOrToast(this.connection.ask({ type: "get_moderation_log", ...wanted }));
    if (answer === null) return;
    this.#entries = [...this.#entries, ...answer.entries];
    const empty = element("p", { class: "empty-note" }, gettext("No entries found."));
    this.#list.replaceChildren(this.#entries.length === 0 ? empty : logTable(this.#entries));
    if (answer.has_more) this.#list.append(button(gettext("Show more"), () => this.#more()));
  }
}
