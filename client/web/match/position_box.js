/**
 * The shown position as text, and buttons that start a match from it.
 *
 * The server writes and reads position texts.
 */

import { copyText } from "../clipboard.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { NotationChoice } from "./notation_choice.js";
import { PlayFrom } from "./play_from.js";

/** @import { Described, GameInfo, Level } from "../protocol.js" */
/** @import { Opponent } from "./seat_plans.js" */
/** @import { Position } from "../board/position.js" */

export class PositionBox {
  #text = element("textarea", {
    class: "position-text",
    readonly: true,
    rows: 3,
    spellcheck: "false",
    "aria-label": gettext("Position as text"),
    onfocus: () => this.#text.select(),
  });
  #notation = new NotationChoice((text) => (this.#text.value = text));
  #from;
  #ply = 0;
  /** The shown position in the server's own text. */
  #own = "";
  /** @type {Position | null} The shown position. */
  #shown = null;
  /** @type {Position | null} The position whose text was requested. */
  #described = null;

  /**
   * @param {(ply: number) => Promise<Described>} describe
   * @param {(text: string, opponent: Opponent, level: Level) => unknown} onPlay
   * @param {(text: string, ply: number) => void} onAnalyse
   */
  constructor(describe, onPlay, onAnalyse) {
    this.describe = describe;
    this.#from = new PlayFrom((opponent, level) => onPlay(this.#own, opponent, level));
    this.element = element(
      "details",
      { class: "position-box", ontoggle: () => this.#fetch() },
      element("summary", {}, gettext("Position as text · play from here")),
      this.#text,
      element(
        "div",
        { class: "extra" },
        button(gettext("Copy"), () => copyText(this.#text, gettext("Position copied."))),
        this.#notation.element,
        button(gettext("Analyse"), () => onAnalyse(this.#own, this.#ply)),
      ),
      this.#from.element,
    );
  }

  /** @param {Position} position The shown one. @param {number} ply Its ply. @param {GameInfo | undefined} game */
  show(position, ply, game) {
    this.#shown = position;
    this.#ply = ply;
    this.#fetch();
    this.#from.show(game);
  }

  /** Request the text of the shown position while the box is open. */
  async #fetch() {
    const shown = this.#shown;
    if (!this.element.open || shown === this.#described) return;
    this.#described = shown;
    const described = await answerOrToast(this.describe(this.#ply));
    if (described === null || shown !== this.#shown) return;
    this.#own = described.position;
    this.#notation.show(described.position, described.notations ?? {});
    this.#text.value = this.#notation.text;
  }
}
