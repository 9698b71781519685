/** Practising an opening: a match against a bot from a named opening, or from the shown position. */

import { button, element } from "../element.js";
import { gameText } from "../language/game_texts.js";
import { gettext } from "../language/texts.js";
import { levelSelect, parseLevel } from "../players/level_select.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, Level, Opening } from "../protocol.js" */

/**
 * What to practise.
 * @typedef {object} Practice
 * @property {string | null} setup Null for the shown position.
 * @property {number} seat The reader's.
 * @property {Level} level
 */

export class OpeningPractice {
  #opening = element("select", { "aria-label": gettext("Opening to practise") });
  #level = element("div", { class: "slot" });
  #seats = element("div", { class: "extra" });
  #game = "";
  #count = 0;
  /** @type {readonly Opening[]} */
  #openings = [];

  /** @param {Connection} connection @param {(practice: Practice) => unknown} onPractise */
  constructor(connection, onPractise) {
    this.connection = connection;
    this.onPractise = onPractise;
    this.element = element(
      "details",
      { class: "opening-practice" },
      element("summary", {}, gettext("Practise against a bot")),
      element("div", { class: "extra" }, this.#opening, this.#level),
      this.#seats,
    );
  }

  /** @param {GameInfo | undefined} game @param {number} seats @param {(seat: number) => string} nameOf */
  show(game, seats, nameOf) {
    if (game === undefined || (game.name === this.#game && seats === this.#count)) return;
    this.#count = seats;
    this.#seats.replaceChildren(...Array.from({ length: seats }, (_, seat) => button(gettext("Play {colour}", { colour: nameOf(seat) }), () => this.#practise(seat))));
    if (game.name === this.#game) return;
    this.#game = game.name;
    this.#level.replaceChildren(levelSelect(game, gettext("Bot level")));
    this.#offer([]);
    this.#learn(game.name);
  }

  /** @param {string} game */
  async #learn(game) {
    try {
      const { openings } = await this.connection.askOnce({ type: "get_openings", game });
      if (game === this.#game) this.#offer(openings);
    } catch {
      // The shown position can still be practised.
    }
  }

  /** @param {readonly Opening[]} openings */
  #offer(openings) {
    this.#openings = openings;
    this.#opening.replaceChildren(
      element("option", { value: "" }, gettext("This position")),
      ...openings.map(({ name, moves }, index) => element("option", { value: index }, `${gameText({ name: this.#game }, name)}: ${moves.join(" ")}`)),
    );
  }

  /** @param {number} seat */
  #practise(seat) {
    const { value } = this.#opening;
    const setup = value === "" ? null : this.#openings[Number(value)].position;
    return this.onPractise({ setup, seat, level: parseLevel(this.#level.querySelector("select")?.value ?? "1") });
  }
}
