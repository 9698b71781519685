/**
 * A form of the account page: fields, one button, and the server's error message.
 *
 * The caller sends the values. Password managers recognise the fields by `autocomplete`.
 */

import { element, form } from "../element.js";
import { gettext } from "../language/texts.js";

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {"username" | "current-password" | "new-password" | "email" | "off"} keeper The value of `autocomplete`.
 * @property {string} [hint]
 * @property {string} [value] What is entered at first.
 */

export class AccountForm {
  #fault = element("p", { class: "error-text", role: "alert", hidden: true });
  /** @type {Map<string, HTMLInputElement>} */
  #inputs = new Map();
  #submit;

  /**
   * @param {object} options
   * @param {string} options.title
   * @param {string} options.name The form's CSS class.
   * @param {(string | Node)[]} [options.words]
   * @param {Field[]} options.fields
   * @param {Node[]} [options.more] Content between the fields and the button.
   * @param {string} options.action The label of the button.
   * @param {boolean} [options.isDanger]
   * @param {(values: { [name: string]: string }, form: AccountForm) => Promise<void>} options.send Rejects with an error whose message is shown.
   */
  constructor({ title, name, words = [], fields, more = [], action, isDanger = false, send }) {
    this.send = send;
    this.#submit = element("button", { type: "submit", class: `button ${isDanger ? "danger" : "primary"}` }, action);
    this.element = form(
      { class: `card account-form ${name}`, "aria-label": title, novalidate: true },
      () => this.#go(),
      element("h2", {}, title),
      ...words.map((each) => (typeof each === "string" ? element("p", { class: "note" }, each) : each)),
      ...fields.map((field) => this.#row(name, field)),
      ...more,
      this.#fault,
      element("div", { class: "account-action" }, this.#submit),
    );
  }

  /** What is entered in a field. @param {string} name */
  valueOf(name) {
    return this.#inputs.get(name)?.value ?? "";
  }

  /** Empty every field. */
  clear() {
    for (const input of this.#inputs.values()) input.value = "";
  }

  /** @param {string} form @param {Field} field */
  #row(form, { name, label, keeper, hint, value = "" }) {
    const id = `${form}-${name}`;
    const isSecret = keeper.endsWith("password");
    const input = element("input", {
      id,
      name,
      type: isSecret ? "password" : keeper === "email" ? "email" : "text",
      value,
      autocomplete: keeper,
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: isSecret ? 128 : keeper === "email" ? 254 : 40,
      "aria-describedby": hint ? `${id}-hint` : undefined,
    });
    this.#inputs.set(name, input);
    const parts = [element("label", { for: id }, label), isSecret ? withReveal(input, label) : input];
    if (hint) parts.push(element("p", { class: "hint", id: `${id}-hint` }, hint));
    return element("div", { class: "field" }, ...parts);
  }

  async #go() {
    const missing = [...this.#inputs.values()].find((input) => input.value === "");
    this.#show("");
    if (missing !== undefined) return missing.focus();
    const values = Object.fromEntries([...this.#inputs].map(([name, input]) => [name, input.value]));
    try {
      await this.send(values, this);
    } catch (error) {
      this.#show(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string} fault */
  #show(fault) {
    this.#fault.textContent = fault;
    this.#fault.hidden = fault === "";
  }
}

/** @param {HTMLInputElement} input @param {string} label */
function withReveal(input, label) {
  const reveal = element("button", { type: "button", class: "reveal", "aria-pressed": "false", "aria-label": gettext("Show: {label}", { label }) }, gettext("Show"));
  reveal.addEventListener("click", () => {
    const isShown = input.type === "password";
    input.type = isShown ? "text" : "password";
    reveal.textContent = isShown ? gettext("Hide") : gettext("Show");
    reveal.setAttribute("aria-pressed", String(isShown));
  });
  return element("div", { class: "secret" }, input, reveal);
}
