/** The form for choosing notifications and whether the browser shows them outside the page. */

import { button, element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { arePushed, desktopState, pushChanges, turnOff, turnOn } from "../notifications/desktop_notifications.js";
import { KINDS } from "../notifications/notification_texts.js";
import { answerOrToast, toast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { NotificationKind } from "../protocol.js" */

const STATE_TEXTS = {
  on: later("Your browser also shows notifications while this page is in the background."),
  pushed: later("Your browser also shows notifications while this page is in the background or closed."),
  off: later("Notifications appear only on this page."),
  unasked: later("Notifications appear only on this page."),
  blocked: later("Your browser blocks notifications from this page. You can allow them in the browser’s settings."),
};

export class NotificationForm {
  #boxes = new Map(KINDS.map(([kind]) => [kind, element("input", { type: "checkbox", name: kind, disabled: true })]));
  #browser = element("div", { class: "field" });
  /** What is stored, as far as the page knows. @type {readonly NotificationKind[]} */
  #stored = [];
  /** Changes that the server has not answered yet. */
  #saving = 0;

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    const rows = KINDS.map(([kind, words]) => element("label", { class: "check" }, this.#boxes.get(kind) ?? null, gettext(words)));
    this.element = element(
      "form",
      { class: "card account-form notification-form", "aria-label": gettext("Notifications") },
      element("h2", {}, gettext("Notifications")),
      element("fieldset", { class: "options" }, element("legend", {}, gettext("Notify me when")), element("div", { class: "notification-kinds" }, ...rows)),
      this.#browser,
    );
    this.element.addEventListener("change", () => this.#save());
    this.#load();
    this.#showBrowser();
    pushChanges.addEventListener("change", () => this.#showBrowser());
  }

  async #load() {
    const answer = await answerOrToast(this.connection.ask({ type: "get_notification_kinds" }));
    if (answer === null) return;
    this.#stored = answer.kinds;
    this.#showStored();
    for (const box of this.#boxes.values()) box.disabled = false;
  }

  #showStored() {
    for (const [kind, box] of this.#boxes) box.checked = this.#stored.includes(kind);
  }

  async #save() {
    const kinds = KINDS.map(([kind]) => kind).filter((kind) => this.#boxes.get(kind)?.checked);
    this.#saving += 1;
    this.element.setAttribute("aria-busy", "true");
    const answer = await answerOrToast(this.connection.ask({ type: "set_notification_kinds", kinds }));
    this.#saving -= 1;
    if (answer !== null) this.#stored = kinds;
    if (this.#saving > 0) return;
    this.element.removeAttribute("aria-busy");
    this.#showStored();
  }

  #showBrowser() {
    const state = desktopState();
    const turn = async () => {
      if (state === "on") await turnOff(this.connection);
      else if (!(await turnOn(this.connection))) toast(gettext("Your browser blocked notifications."));
      this.#showBrowser();
    };
    this.#browser.replaceChildren(
      element("p", { class: "hint", role: "status" }, gettext(STATE_TEXTS[state === "on" && arePushed() ? "pushed" : state])),
      ...(state === "blocked" ? [] : [button(state === "on" ? gettext("Turn off browser notifications") : gettext("Turn on browser notifications"), turn)]),
    );
  }
}
