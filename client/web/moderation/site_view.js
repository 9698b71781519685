/** What admins decide about the whole site: the announcement, blocked addresses, features that are switched off. */

import { button, element, form } from "../element.js";
import { momentText } from "../dates.js";
import { gettext, later } from "../language/texts.js";
import { answerOrToast, toast } from "../toasts.js";
import { ACTION_TEXTS, DURATIONS } from "./moderation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ModerationAction, SiteControl } from "../protocol.js" */

/** What can be switched off. @type {Record<string, string>} */
const FEATURE_TEXTS = {
  registration: later("New accounts"),
  guests: later("New matches of guests"),
  matches: later("New matches of everyone"),
  chat: later("Chat"),
  analysis: later("Analysis and reviews"),
  studies: later("Saving studies"),
  imports: later("Importing matches"),
};

/** The action that ends another. @type {Partial<Record<ModerationAction, ModerationAction>>} */
const ENDED_BY = { announce: "end_announcement", block_address: "unblock_address", switch_off: "switch_on" };

export class SiteView {
  #list = element("ul", { class: "site-controls", "aria-live": "polite" });

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    const features = element(
      "select",
      { "aria-label": gettext("Feature") },
      ...Object.entries(FEATURE_TEXTS).map(([name, text]) => element("option", { value: name }, gettext(text))),
    );
    const address = element("input", { type: "text", maxlength: 64, required: true, autocomplete: "off", placeholder: "192.0.2.0/24", "aria-label": gettext("Address or network") });
    this.element = element(
      "section",
      { class: "card", "aria-label": gettext("Site") },
      this.#list,
      this.#form("announce", gettext("Announce"), gettext("Text, shown to everyone"), null),
      this.#form("switch_off", gettext("Switch off"), gettext("Reason, shown to the player"), features),
      this.#form("block_address", gettext("Block an address"), gettext("Reason, for the log"), address),
    );
  }

  open() {
    this.#load();
  }

  close() {}

  async #load() {
    const answer = await answerOrToast(this.connection.ask({ type: "get_site_controls" }));
    if (answer === null) return;
    const none = element("li", { class: "empty-note" }, gettext("Nothing is announced, blocked or switched off."));
    this.#list.replaceChildren(...(answer.controls.length === 0 ? [none] : answer.controls.map((control) => this.#line(control))));
  }

  /** @param {SiteControl} control */
  #line({ action, subject, reason, until_ms }) {
    const feature = FEATURE_TEXTS[subject];
    const what = [gettext(ACTION_TEXTS[action]), feature === undefined ? subject : gettext(feature)].filter((part) => part !== "").join(": ");
    const until = until_ms === null ? "" : gettext("until {date}", { date: momentText(until_ms) });
    const end = button(gettext("End"), () => this.#send(/** @type {ModerationAction} */ (ENDED_BY[action]), reason, subject, null), { class: "button quiet" });
    return element("li", {}, element("b", {}, what), " ", element("span", {}, [until, reason].filter((part) => part !== "").join(" · ")), " ", end);
  }

  /**
   * @param {ModerationAction} action
   * @param {string} label Of the button.
   * @param {string} hint Of the field for the reason.
   * @param {HTMLInputElement | HTMLSelectElement | null} subject
   */
  #form(action, label, hint, subject) {
    const reason = element("input", { type: "text", maxlength: 300, required: true, autocomplete: "off", placeholder: hint, "aria-label": hint });
    const duration = element("select", { "aria-label": gettext("Duration") }, ...DURATIONS.map(([text], index) => element("option", { value: index, selected: index === 1 }, gettext(text))));
    const submit = element("button", { type: "submit", class: "button" }, label);
    const go = async () => {
      const isDone = await this.#send(action, reason.value.trim(), subject?.value.trim() ?? "", DURATIONS[Number(duration.value)]?.[1] ?? null);
      if (isDone) reason.value = "";
    };
    return form({ class: "log-filter", "aria-label": label }, go, subject, reason, duration, submit);
  }

  /** @param {ModerationAction} action @param {string} reason @param {string} subject @param {number | null} duration_ms */
  async #send(action, reason, subject, duration_ms) {
    if (reason === "") return false;
    const given = duration_ms === null ? {} : { duration_ms };
    const isDone = (await answerOrToast(this.connection.ask({ type: "moderate", action, reason, subject, ...given }))) !== null;
    if (isDone) toast(`${gettext(ACTION_TEXTS[action])}.`);
    await this.#load();
    return isDone;
  }
}
