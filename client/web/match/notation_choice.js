/** The choice of the notation in which a position is written: the server's own, or that of another program. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";

/** The title of the notation that the reader has chosen; empty for the server's own. */
let chosen = "";

export class NotationChoice {
  /** @type {Record<string, string>} */
  #texts = {};

  /** @param {(text: string) => unknown} onChoose Called with the position in the notation that was chosen. */
  constructor(onChoose) {
    this.element = element("select", {
      "aria-label": gettext("Notation"),
      hidden: true,
      onchange: () => {
        chosen = this.element.value;
        onChoose(this.text);
      },
    });
  }

  /** The position in the notation that is chosen, if that can express it. */
  get text() {
    return this.#texts[this.element.value] ?? "";
  }

  /**
   * @param {string} position In the server's own notation.
   * @param {Record<string, string>} notations In others, by their titles.
   */
  show(position, notations) {
    this.#texts = { "": position, ...notations };
    const titles = Object.keys(this.#texts);
    this.element.replaceChildren(...titles.map((title) => element("option", { value: title }, title || "Millrace")));
    this.element.value = titles.includes(chosen) ? chosen : "";
    this.element.hidden = titles.length === 1;
  }
}
