/**
 * The form in which one chooses which notices one gets, and whether this browser shows them outside the page.
 */

import { button, element } from "../element.js";
import { desktopState, turnOff, turnOn } from "../notifications/desktop_notifications.js";
import { KINDS } from "../notifications/notification_texts.js";
import { answerOrToast, toast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */

const WORDS = {
  on: "This browser also shows them while the page is in the background.",
  off: "This browser shows them on the page only.",
  open: "This browser shows them on the page only.",
  barred: "This browser does not let the page show them elsewhere; its own settings can change that.",
};

export class NotificationForm {
  #boxes = new Map(KINDS.map(([kind]) => [kind, element("input", { type: "checkbox", name: kind, disabled: true })]));
  #browser = element("div", { class: "field" });

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    const rows = KINDS.map(([kind, words]) => element("label", { class: "check" }, this.#boxes.get(kind) ?? null, words));
    this.element = element(
      "form",
      { class: "card account-form notification-form", "aria-label": "Notifications" },
      element("h2", {}, "Notifications"),
      element("fieldset", { class: "options" }, element("legend", {}, "Tell me when"), element("div", { class: "notification-kinds" }, ...rows)),
      this.#browser,
    );
    this.element.addEventListener("change", () => this.#save());
    this.#load();
    this.#showBrowser();
  }

  async #load() {
    const answer = await answerOrToast(this.connection.ask({ type: "get_notification_kinds" }));
    if (answer === null) return;
    for (const [kind, box] of this.#boxes) {
      box.checked = answer.kinds.includes(kind);
      box.disabled = false;
    }
  }

  async #save() {
    const kinds = KINDS.map(([kind]) => kind).filter((kind) => this.#boxes.get(kind)?.checked);
    await answerOrToast(this.connection.ask({ type: "set_notification_kinds", kinds }));
  }

  #showBrowser() {
    const state = desktopState();
    const turn = async () => {
      if (state === "on") turnOff();
      else if (!(await turnOn())) toast("The browser does not allow it.");
      this.#showBrowser();
    };
    this.#browser.replaceChildren(
      element("p", { class: "hint", role: "status" }, WORDS[state]),
      ...(state === "barred" ? [] : [button(state === "on" ? "Only on the page" : "Show them outside the page too", turn)]),
    );
  }
}
