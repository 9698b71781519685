/**
 * Choosing the game, start and position of an analysis, and copying the position and the line.
 */

import { copyText } from "../clipboard.js";
import { button, element } from "../element.js";

/** @import { GameInfo } from "../protocol.js" */

export class SetupBox {
  #game = element("select", { "aria-label": "Game", onchange: () => this.#chooseGame() });
  #start = element("select", { "aria-label": "Start", onchange: () => this.onSetUp(this.#game.value, seeded(this.#start.value)) });
  #text = element("textarea", { class: "position-text", rows: 3, maxlength: 2048, spellcheck: "false", "aria-label": "Position as text" });
  #line = element("textarea", { class: "position-text", rows: 2, readonly: true, spellcheck: "false", "aria-label": "Moves as text", onfocus: () => this.#line.select() });
  #tables = element("p", { class: "note" });
  #key = "";

  /**
   * @param {(game: string, setup: string) => void} onSetUp
   */
  constructor(onSetUp) {
    this.onSetUp = onSetUp;
    const choosing = element("div", { class: "extra" }, this.#game, this.#start);
    this.element = element(
      "details",
      { class: "position-box setup-box" },
      element("summary", {}, "Position as text · set up a position"),
      choosing,
      this.#text,
      element(
        "div",
        { class: "extra" },
        button("Copy", () => copyText(this.#text, "Position copied.")),
        button("Set up", () => onSetUp(this.#game.value, trimmed(this.#text.value))),
      ),
      element("p", { class: "note" }, "Moves to this position:"),
      this.#line,
      element("div", { class: "extra" }, button("Copy the moves", () => copyText(this.#line, "Moves copied."))),
      this.#tables,
    );
  }

  /**
   * @param {GameInfo[]} games
   * @param {string} game The current game.
   * @param {string} position As text; empty while unknown.
   * @param {string} line
   * @param {string} tables Which tablebases exist, as text.
   */
  show(games, game, position, line, tables) {
    this.games = games;
    const key = [game, games.length].join();
    if (key !== this.#key) this.#offer(games, game);
    this.#key = key;
    if (position !== "" && document.activeElement !== this.#text) this.#text.value = position;
    this.#line.value = line;
    this.#tables.textContent = tables;
  }

  /**
   * @param {GameInfo[]} games
   * @param {string} chosen
   */
  #offer(games, chosen) {
    this.#game.replaceChildren(...games.map(({ name, title }) => element("option", { value: name, selected: name === chosen }, title)));
    const starts = games.find(({ name }) => name === chosen)?.starts ?? [];
    this.#start.replaceChildren(
      element("option", { value: "" }, "Standard start"),
      ...starts.map(({ title, setup, seats }) => element("option", { value: setup }, seats > 2 ? `${title}, ${seats} players` : title)),
    );
  }

  #chooseGame() {
    this.onSetUp(this.#game.value, "");
  }
}

/**
 * @param {string} text
 * @returns {string} The text without blank lines around it; the blanks before its first cell may have a meaning.
 */
function trimmed(text) {
  return text.replace(/^(\s*\n)+/, "").trimEnd();
}

/**
 * @param {string} setup
 * @returns {string} With a random seed, if it has one.
 */
function seeded(setup) {
  return setup.replace("{seed}", String(Math.floor(Math.random() * 1_000_000_000)));
}
