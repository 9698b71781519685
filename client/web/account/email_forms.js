/**
 * E-mail and the account: the address of its owner, and a recovery code sent there. Shown where the server sends e-mail.
 *
 * Links in e-mails open the account page; the code follows the #, which browsers do not send to servers.
 */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast, toast } from "../toasts.js";
import { AccountForm } from "./account_form.js";

/** @import { Connection } from "../connection/connection.js" */

/** The code and the name from a link in an e-mail. @returns {{ confirm: string, recovery: string, name: string }} */
export function codesInAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const part = (/** @type {string} */ name) => given.get(name) ?? "";
  return { confirm: part("confirm"), recovery: part("recovery"), name: part("name") };
}

/** Forget a code that was used. */
export function dropCodes() {
  history.replaceState(null, "", location.pathname);
}

export class EmailCard {
  element = element("section", { "aria-label": gettext("E-mail address"), hidden: true });

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.#load();
  }

  async #load() {
    const told = await answerOrToast(this.connection.ask({ type: "get_email" }));
    if (told === null) return;
    this.element.hidden = !told.is_offered && told.address === "";
    const { confirm } = codesInAddress();
    if (confirm === "") this.#offer(told.address, told.is_offered);
    else this.#confirm(confirm, told.address);
  }

  /** @param {string} address The current one. @param {boolean} isOffered Whether the server sends e-mail. */
  #offer(address, isOffered) {
    const present = address === "" ? gettext("No e-mail address yet.") : gettext("Your e-mail address is {address}.", { address });
    const setting = new AccountForm({
      title: gettext("E-mail address"),
      name: "set-email",
      words: [gettext("If you forget your password, you can get a recovery code by e-mail. The address is used for nothing else, and nobody else can see it."), present],
      fields: [
        { name: "address", label: gettext("New e-mail address"), keeper: "email" },
        { name: "password", label: gettext("Password"), keeper: "current-password" },
      ],
      action: gettext("Send me a confirmation code"),
      send: async ({ address: wanted = "", password = "" }) => {
        await this.connection.askOnce({ type: "set_email", address: wanted.trim(), password });
        this.#confirm("", address);
        toast(gettext("A code is on its way to {address}.", { address: wanted.trim() }));
      },
    });
    const removing = new AccountForm({
      title: gettext("Remove the e-mail address"),
      name: "remove-email",
      fields: [{ name: "password", label: gettext("Password"), keeper: "current-password" }],
      action: gettext("Remove"),
      send: async ({ password = "" }) => {
        await this.connection.askOnce({ type: "set_email", address: "", password });
        toast(gettext("E-mail address removed."));
        await this.#load();
      },
    });
    const forms = [...(isOffered ? [setting.element] : []), ...(address === "" ? [] : [removing.element])];
    this.element.replaceChildren(...forms);
  }

  /** @param {string} code From a link; empty if it is to be typed. @param {string} address The current one. */
  #confirm(code, address) {
    const confirming = new AccountForm({
      title: gettext("Confirm your e-mail address"),
      name: "confirm-email",
      words: [gettext("Enter the code from the e-mail. It is valid for one day.")],
      fields: [{ name: "code", label: gettext("Code"), keeper: "off", value: code }],
      more: [button(gettext("Enter another address"), () => this.#offer(address, true), { class: "button quiet" })],
      action: gettext("Confirm"),
      send: async ({ code: typed = "" }) => {
        await this.connection.askOnce({ type: "confirm_email", code: typed });
        dropCodes();
        toast(gettext("E-mail address confirmed."));
        await this.#load();
      },
    });
    this.element.replaceChildren(confirming.element);
  }
}

/**
 * A button that sends a recovery code to the owner of the entered account; hidden on servers without e-mail.
 * @param {Connection} connection
 * @param {() => string} nameOf The name that is entered.
 */
export function mailCodeButton(connection, nameOf) {
  const send = async () => {
    const name = nameOf().trim();
    if (name === "") return void toast(gettext("Enter the name of your account first."));
    const sent = await answerOrToast(connection.askOnce({ type: "mail_recovery_code", name }));
    if (sent !== null) toast(gettext("If {name} has an e-mail address, a recovery code is on its way there.", { name }));
  };
  const mailing = button(gettext("Send me a code by e-mail"), send, { class: "button quiet", hidden: true });
  answerOrToast(connection.ask({ type: "get_email" })).then((told) => (mailing.hidden = told?.is_offered !== true));
  return mailing;
}
