/**
 * The start position of a match: the standard one or one that the game offers by name, with a preview.
 *
 * The server interprets the set-up texts. A random start has a seed, which can be drawn again.
 */

import { Board } from "../board/board.js";
import { RefusedError } from "../connection/requests.js";
import { button, element } from "../element.js";
import { seatColour } from "../board/seat_colours.js";
import { EMPTY, changed } from "../board/position.js";
import { gettext } from "../language/texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, Previewed, StartInfo } from "../protocol.js" */

const SEED = "{seed}";
const SEED_LIMIT = 1_000_000_000;
const NO_HANDLERS = { click: () => {}, drop: () => {}, wheel: () => {}, cancel: () => false };

export class StartPosition {
  #select = element("select", { "aria-label": gettext("Start position"), onchange: () => this.#choose() });
  #seed = element("input", { type: "number", min: 0, max: SEED_LIMIT - 1, "aria-label": gettext("Seed"), oninput: () => this.#draw() });
  #another = button(gettext("Draw again"), () => this.#drawLot());
  #chance = element("div", { class: "chance", hidden: true }, this.#seed, this.#another);
  #drawing = element("div", { class: "preview", hidden: true });
  /** @type {StartInfo[]} */
  #starts = [];
  #seats = 0;

  /** @param {Connection} connection @param {GameInfo} game */
  constructor(connection, game) {
    this.connection = connection;
    this.game = game;
    this.element = element(
      "fieldset",
      { class: "options options-start", hidden: true },
      element("legend", {}, gettext("Start position")),
      this.#select,
      this.#chance,
      this.#drawing,
    );
  }

  /** Offer the start positions for a number of seats. @param {number} seats */
  show(seats) {
    if (seats === this.#seats) return;
    this.#seats = seats;
    this.#starts = this.game.starts.filter((start) => start.seats === seats);
    this.element.hidden = this.#starts.length === 0;
    const titles = [gettext("Standard"), ...this.#starts.map(({ title }) => title)];
    this.#select.replaceChildren(...titles.map((title, index) => element("option", { value: index }, title)));
    this.#choose();
  }

  /** The chosen set-up text. */
  get setup() {
    const start = this.#starts[Number(this.#select.value) - 1];
    // In games with a variable number of seats, the set-up text names the number.
    if (start === undefined) return this.game.seats.length > 1 ? `seats=${this.#seats}` : "";
    return start.setup.replace(SEED, this.#seed.value || "0");
  }

  #choose() {
    const start = this.#starts[Number(this.#select.value) - 1];
    this.#chance.hidden = !(start?.setup.includes(SEED) ?? false);
    this.#drawing.hidden = start === undefined;
    if (this.#chance.hidden) this.#draw();
    else this.#drawLot();
  }

  #drawLot() {
    this.#seed.value = String(Math.floor(Math.random() * SEED_LIMIT));
    this.#draw();
  }

  async #draw() {
    if (this.#drawing.hidden) return;
    const { setup } = this;
    const preview = await loadPreview(this.connection, this.game, setup);
    if (setup === this.setup) this.#drawing.replaceChildren(drawPreview(preview, this.game));
  }
}

/**
 * @param {Connection} connection
 * @param {GameInfo} game
 * @param {string} setup
 * @returns {Promise<Previewed | string>} The error, if the text is invalid.
 */
export async function loadPreview(connection, game, setup) {
  try {
    return await connection.ask({ type: "preview", game: game.name, setup });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return error.message;
  }
}

/** @param {Previewed | string} preview @param {GameInfo} game @returns {Element} */
export function drawPreview(preview, game) {
  if (typeof preview === "string") return element("p", { class: "error-text", role: "alert" }, preview);
  const board = new Board(preview.board, (seat) => seatColour(game, seat), NO_HANDLERS, false);
  const position = changed({ ...EMPTY, board: preview.board }, preview.view);
  board.show({ position, marks: new Map(), colour: null, acceptsPremove: false, plans: null, isSudden: true, describe: (cell) => cell });
  // A picture without controls.
  board.element.setAttribute("role", "img");
  board.element.setAttribute("aria-label", gettext("Board preview"));
  for (const cell of board.element.querySelectorAll(".cell")) cell.remove();
  return board.element;
}
