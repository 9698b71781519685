/** The recovery codes of an account: shown once, until their owner has saved them. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { toast } from "../toasts.js";
import { AccountForm } from "./account_form.js";
import { forgetCodes, keptCodes } from "./kept_codes.js";

/** @import { Connection } from "../connection/connection.js" */

export class RecoveryCodesCard {
  /**
   * @param {Connection} connection
   * @param {string} name The name of the account.
   * @param {(path: string) => void} navigate
   */
  constructor(connection, name, navigate) {
    this.connection = connection;
    this.name = name;
    this.navigate = navigate;
    this.element = element("section", { class: "recovery-codes", "aria-label": gettext("Recovery codes") });
    const kept = keptCodes();
    if (kept === null) this.#offer();
    else this.#show(kept.codes, kept.next);
  }

  /** Whether codes are shown that have not been seen yet. */
  static get isWaiting() {
    return keptCodes() !== null;
  }

  #offer() {
    const renewing = new AccountForm({
      title: gettext("Recovery codes"),
      name: "renew-recovery-codes",
      words: [gettext("If you forget your password, a recovery code lets you choose a new one. New codes replace your old ones.")],
      fields: [{ name: "password", label: gettext("Password"), keeper: "current-password" }],
      action: gettext("Create new codes"),
      send: async ({ password = "" }) => {
        this.#show((await this.connection.askOnce({ type: "renew_recovery_codes", password })).codes, "");
      },
    });
    this.element.replaceChildren(renewing.element);
  }

  /** @param {string[]} codes @param {string} next The next page once they are saved; empty for this one. */
  #show(codes, next) {
    const text = `${gettext("Recovery codes of {name} at {site}", { name: this.name, site: location.host })}\n\n${codes.join("\n")}\n`;
    const copy = button(gettext("Copy"), async () => {
      await navigator.clipboard.writeText(text);
      toast(gettext("Copied."));
    });
    const file = element("a", { class: "button", href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`, download: "recovery-codes.txt" }, gettext("Save as a file"));
    const done = button(gettext("I have saved them"), () => {
      forgetCodes();
      if (next !== "") this.navigate(next);
      else this.#offer();
    });
    done.classList.add("primary");
    this.element.replaceChildren(
      element(
        "div",
        { class: "card account-form" },
        element("h2", {}, gettext("Save your recovery codes")),
        element("p", { class: "note" }, gettext("If you forget your password, one of these codes lets you choose a new one. Each works once. They are shown only now.")),
        element("ul", { class: "recovery-code-list" }, ...codes.map((code) => element("li", {}, element("code", {}, code)))),
        element("div", { class: "account-action" }, copy, file, done),
      ),
    );
  }
}
