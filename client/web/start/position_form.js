/**
 * The form that starts a match from any position: the server checks and draws the pasted text.
 */

import { element } from "../element.js";
import { seatName } from "../board/seat_colours.js";
import { parseLevel, levelSelect } from "../players/level_select.js";
import { seatPlans } from "../match/seat_plans.js";
import { loadPreview, drawPreview } from "./start_position.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo, Previewed } from "../protocol.js" */
/** @import { Opponent } from "../match/seat_plans.js" */

/** @type {[Opponent, string][]} */
const OPPONENTS = [
  ["self", "Play every side"],
  ["bot", "Play bots"],
  ["friend", "Play friends"],
];

export class PositionForm {
  #text = element("textarea", {
    class: "position-text",
    rows: 3,
    maxlength: 2048,
    spellcheck: "false",
    placeholder: "Paste a position here",
    "aria-label": "Position as text",
    oninput: () => this.#check(),
  });
  #drawing = element("div", { class: "preview" });
  #turn = element("p", { class: "note" });
  #opponent = element("select", { "aria-label": "Opponents" }, ...OPPONENTS.map(([value, label]) => element("option", { value }, label)));
  #level;
  #begin = element("button", { type: "submit", class: "button primary", disabled: true }, "Start from here");
  /** The preview of the text, if valid. @type {Previewed | null} */
  #preview = null;

  /**
   * @param {Connection} connection
   * @param {GameInfo} game
   * @param {(command: Command) => void} onCreate
   */
  constructor(connection, game, onCreate) {
    this.connection = connection;
    this.game = game;
    this.#level = levelSelect(game, "Bot level");
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const command = this.#command();
      if (command !== null) onCreate(command);
    };
    this.element = element(
      "form",
      { class: "card for-position", "aria-label": "Set up a position", onsubmit: submit },
      element("h2", {}, "Set up a position"),
      element("p", { class: "note" }, "Paste a position that you copied from a match, and play on from it."),
      this.#text,
      this.#drawing,
      this.#turn,
      element("div", { class: "extra" }, this.#opponent, this.#level, this.#begin),
    );
  }

  async #check() {
    const text = this.#text.value;
    this.#show(null, null);
    if (text.trim() === "") return;
    const answer = await loadPreview(this.connection, this.game, text.trim());
    if (text === this.#text.value) this.#show(typeof answer === "string" ? null : answer, drawPreview(answer, this.game));
  }

  /**
   * @param {Previewed | null} preview
   * @param {Element | null} drawing
   */
  #show(preview, drawing) {
    const toMove = preview?.to_move ?? null;
    this.#preview = toMove === null ? null : preview;
    this.#drawing.replaceChildren(...(drawing === null ? [] : [drawing]));
    this.#begin.disabled = toMove === null;
    if (preview === null) this.#turn.textContent = "";
    else this.#turn.textContent = toMove === null ? "The match is over in this position." : `${seatName(this.game, toMove)} to move.`;
  }

  /** The reader plays the side to move. @returns {Command | null} */
  #command() {
    const own = this.#preview?.to_move ?? null;
    if (this.#preview === null || own === null) return null;
    const opponent = /** @type {Opponent} */ (this.#opponent.value);
    const seats = seatPlans(this.#preview.seats, own, opponent, parseLevel(this.#level.value));
    return { type: "create", game: this.game.name, seats, setup: this.#text.value.trim(), clock: null, shuffle: false };
  }
}
