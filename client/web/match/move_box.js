/** A field in which a move is typed, for players who cannot or do not want to use the board. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";

export class MoveBox {
  #input = element("input", {
    id: "typed-move",
    class: "typed-move",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    enterkeyhint: "go",
    maxlength: 40,
    "aria-describedby": "typed-move-fault",
  });
  #fault = element("p", { id: "typed-move-fault", class: "error-text", role: "alert", hidden: true });

  /** @param {(text: string) => string} onMove Plays the move, and returns why it cannot; empty if it can. */
  constructor(onMove) {
    this.onMove = onMove;
    this.element = element(
      "form",
      { class: "move-box", hidden: true, onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
      this.#fault,
      element("label", { for: "typed-move" }, gettext("Type a move")),
      this.#input,
      element("button", { type: "submit", class: "button" }, gettext("Play move")),
    );
  }

  /** @param {boolean} isPlaying Whether the reader plays. */
  show(isPlaying) {
    this.element.hidden = !isPlaying;
  }

  /** @returns {boolean} False if there is nothing to type. */
  focus() {
    if (this.element.hidden) return false;
    this.#input.focus();
    this.#input.select();
    return true;
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const text = this.#input.value.trim();
    if (text === "") return;
    const fault = this.onMove(text);
    this.#fault.textContent = fault;
    this.#fault.hidden = fault === "";
    this.#input.setAttribute("aria-invalid", String(fault !== ""));
    if (fault === "") this.#input.value = "";
    else this.#input.select();
    this.element.scrollIntoView({ block: "nearest" });
  }
}
