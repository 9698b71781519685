/**
 * The position on view as text, to be saved, and a new match begun from it.
 *
 * The text is the server's; a page cannot read or write one.
 */

import { button, element } from "../element.js";
import { toast } from "../notices.js";
import { levelSelect } from "./level_select.js";

/** @import { Opponent } from "../start/plans.js" */

export class PositionBox {
  #text = element("textarea", {
    class: "position-text",
    readonly: true,
    rows: 3,
    spellcheck: "false",
    "aria-label": "Position as text",
    onfocus: () => this.#text.select(),
  });
  #level = element("div", { class: "slot" });
  #levels = 0;

  /** @param {(text: string, opponent: Opponent, level: number) => void} onPlay */
  constructor(onPlay) {
    const play = (/** @type {Opponent} */ opponent) => () => onPlay(this.#text.value, opponent, Number(this.#level.querySelector("select")?.value));
    this.element = element(
      "details",
      { class: "position-box", hidden: true },
      element("summary", {}, "Position as text · play from here"),
      this.#text,
      element("div", { class: "extra" }, button("Copy", () => copyText(this.#text, "The position is copied."))),
      element("p", { class: "note" }, "Play from this position, as the side to move:"),
      element(
        "div",
        { class: "extra" },
        button("Every side myself", play("self")),
        button("With a friend", play("friend")),
        button("Against bots", play("bot")),
        this.#level,
      ),
    );
  }

  /**
   * @param {string | null} text Null if the server told none.
   * @param {number} levels That bots have.
   */
  show(text, levels) {
    this.element.hidden = text === null;
    if (text !== null && text !== this.#text.value) this.#text.value = text;
    if (levels === this.#levels) return;
    this.#levels = levels;
    this.#level.replaceChildren(levelSelect(levels, "How strong the bots are"));
  }
}

/**
 * Copy what a field holds, and say so.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} words
 */
export async function copyText(field, words) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // On plain http there is no clipboard but this older one.
    document.execCommand("copy");
  }
  toast(words);
}
