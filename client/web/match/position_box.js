/**
 * The position on view as text, to be saved, and a new match begun from it.
 *
 * The text is the server's; a page cannot read or write one.
 */

import { copyText } from "../clipboard.js";
import { button, element } from "../element.js";
import { parseLevel, levelSelect } from "../players/level_select.js";
import { answerOrToast } from "../toasts.js";

/** @import { GameInfo, Level } from "../protocol.js" */
/** @import { Opponent } from "./seat_plans.js" */
/** @import { Position } from "../board/position.js" */

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
  /** @type {GameInfo | undefined} */
  #game;
  #ply = 0;
  /** @type {Position | null} What is on view. */
  #shown = null;
  /** @type {Position | null} Whose text was asked for. */
  #described = null;

  /**
   * @param {(ply: number) => Promise<string>} describe
   * @param {(text: string, opponent: Opponent, level: Level) => void} onPlay
   * @param {(text: string, ply: number) => void} onAnalyse
   */
  constructor(describe, onPlay, onAnalyse) {
    this.describe = describe;
    const play = (/** @type {Opponent} */ opponent) => () => onPlay(this.#text.value, opponent, parseLevel(this.#level.querySelector("select")?.value ?? "1"));
    this.element = element(
      "details",
      { class: "position-box", ontoggle: () => this.#fetch() },
      element("summary", {}, "Position as text · play from here"),
      this.#text,
      element("div", { class: "extra" }, button("Copy", () => copyText(this.#text, "The position is copied.")), button("Analyse it", () => onAnalyse(this.#text.value, this.#ply))),
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
   * @param {Position} position On view.
   * @param {number} ply After which it is.
   * @param {GameInfo | undefined} game
   */
  show(position, ply, game) {
    this.#shown = position;
    this.#ply = ply;
    this.#fetch();
    if (game === this.#game && this.#level.hasChildNodes()) return;
    this.#game = game;
    this.#level.replaceChildren(levelSelect(game, "How strong the bots are"));
  }

  /** Have the text of the position on view, while the box is open. */
  async #fetch() {
    const shown = this.#shown;
    if (!this.element.open || shown === this.#described) return;
    this.#described = shown;
    const text = await answerOrToast(this.describe(this.#ply));
    if (text !== null && shown === this.#shown) this.#text.value = text;
  }
}
