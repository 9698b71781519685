/**
 * The shown position as text, and buttons that start a match from it.
 *
 * The server writes and reads position texts.
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
  /** @type {Position | null} The shown position. */
  #shown = null;
  /** @type {Position | null} The position whose text was requested. */
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
      element("div", { class: "extra" }, button("Copy", () => copyText(this.#text, "Position copied.")), button("Analyse", () => onAnalyse(this.#text.value, this.#ply))),
      element("p", { class: "note" }, "Start a match from this position. You play the side to move:"),
      element(
        "div",
        { class: "extra" },
        button("Play every side", play("self")),
        button("Play a friend", play("friend")),
        button("Play bots", play("bot")),
        this.#level,
      ),
    );
  }

  /**
   * @param {Position} position The shown one.
   * @param {number} ply Its ply.
   * @param {GameInfo | undefined} game
   */
  show(position, ply, game) {
    this.#shown = position;
    this.#ply = ply;
    this.#fetch();
    if (game === this.#game && this.#level.hasChildNodes()) return;
    this.#game = game;
    this.#level.replaceChildren(levelSelect(game, "Bot level"));
  }

  /** Request the text of the shown position while the box is open. */
  async #fetch() {
    const shown = this.#shown;
    if (!this.element.open || shown === this.#described) return;
    this.#described = shown;
    const text = await answerOrToast(this.describe(this.#ply));
    if (text !== null && shown === this.#shown) this.#text.value = text;
  }
}
