/** The API tokens of an account, and a form that creates one; its secret is shown once. */

import { button, element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { toast } from "../toasts.js";
import { AccountForm } from "./account_form.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Scope, TokenInfo } from "../protocol.js" */

/** @type {[Scope, string][]} */
const SCOPES = [
  ["read", later("Watch matches")],
  ["play", later("Play in your matches")],
  ["challenge", later("Create and join matches")],
  ["chat", later("Chat")],
];

export class TokenList {
  #list = element("ul", { class: "tokens" });
  #secret = element("div", { class: "new-token", role: "status" });
  /** @type {Map<Scope, HTMLInputElement>} */
  #boxes = new Map(
    SCOPES.map(([scope]) => [scope, element("input", { type: "checkbox", name: scope, checked: scope !== "chat" })]),
  );

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = new AccountForm({
      title: gettext("API tokens"),
      name: "tokens",
      words: [gettext("A token signs in your bot or script without your password."), this.#list],
      fields: [{ name: "label", label: gettext("Name of the new token"), keeper: "off" }],
      more: [this.#scopes(), this.#secret],
      action: gettext("Create token"),
      send: ({ label = "" }, form) => this.#create(label, form),
    }).element;
    this.load().catch((error) => toast(error.message));
  }

  #scopes() {
    const rows = SCOPES.map(([scope, words]) => element("label", { class: "check" }, this.#boxes.get(scope) ?? null, gettext(words)));
    return element("fieldset", { class: "options" }, element("legend", {}, gettext("Permissions")), ...rows);
  }

  /** @param {string} label @param {AccountForm} form */
  async #create(label, form) {
    const scopes = SCOPES.map(([scope]) => scope).filter((scope) => this.#boxes.get(scope)?.checked);
    if (scopes.length === 0) throw new Error(gettext("Choose at least one permission."));
    const { token } = await this.connection.askOnce({ type: "create_token", label, scopes });
    form.clear();
    this.#showSecret(token);
    await this.load();
  }

  /** @param {string} token */
  #showSecret(token) {
    const text = element("input", { class: "token-text", value: token, readonly: true, "aria-label": gettext("The new token") });
    const copy = button(gettext("Copy"), async () => {
      text.select();
      await navigator.clipboard?.writeText(token).then(() => toast(gettext("Copied.")), () => undefined);
    });
    this.#secret.replaceChildren(
      element("p", { class: "note" }, gettext("Copy the token now. It is not shown again.")),
      element("div", { class: "token-row" }, text, copy),
    );
  }

  async load() {
    const { tokens } = await this.connection.askOnce({ type: "list_tokens" });
    this.#list.replaceChildren(...tokens.map((token) => this.#entry(token)));
    this.#list.hidden = tokens.length === 0;
  }

  /** @param {TokenInfo} token */
  #entry(token) {
    const revoke = button(gettext("Revoke"), () => this.#revoke(token).catch((error) => toast(error.message)), {
      "aria-label": gettext("Revoke {label}", { label: token.label }),
    });
    const used = token.used_ms === null ? gettext("never used") : gettext("last used {date}", { date: day(token.used_ms) });
    const facts = [token.scopes.join(", "), gettext("created {date}", { date: day(token.created_ms) }), used].join(" · ");
    const words = element("div", {}, element("strong", {}, token.label), element("p", { class: "hint" }, facts));
    return element("li", { class: "token" }, words, revoke);
  }

  /** @param {TokenInfo} token */
  async #revoke(token) {
    await this.connection.askOnce({ type: "revoke_token", token_id: token.id });
    this.#secret.replaceChildren();
    toast(gettext("Token “{label}” revoked.", { label: token.label }));
    await this.load();
  }
}

/** @param {number} at_ms */
function day(at_ms) {
  return new Date(at_ms).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}
