/** Choosing the game, start and position of an analysis, and copying the position and the line. */

import { addressOf, editorAddressOf } from "../analysis_address.js";
import { copyText } from "../clipboard.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { NotationChoice } from "../match/notation_choice.js";
import { PlayFrom } from "../match/play_from.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, Level } from "../protocol.js" */
/** @import { Opponent } from "../match/seat_plans.js" */

/** Whether the reader has just set up a position: the box of the next page is open too. */
let isSettingUp = false;

export class SetupBox {
  #game = element("select", { "aria-label": gettext("Game"), onchange: () => this.#chooseGame() });
  #start = element("select", { "aria-label": gettext("Start"), onchange: () => this.#setUp(this.#game.value, seeded(this.#start.value)) });
  #text = element("textarea", { class: "position-text", rows: 3, maxlength: 2048, spellcheck: "false", "aria-label": gettext("Position as text") });
  #line = element("textarea", { class: "position-text", rows: 2, readonly: true, spellcheck: "false", "aria-label": gettext("Moves as text"), onfocus: () => this.#line.select() });
  #tables = element("p", { class: "note" });
  /** Leads to the editor. */
  #byHand = element("a", { class: "button" }, gettext("Set up by hand"));
  #notation = new NotationChoice((text) => (this.#text.value = text));
  #from;
  #key = "";
  /** The shown position as text. */
  #position = "";

  /**
   * @param {Connection} connection
   * @param {(path: string) => void} navigate
   * @param {(opponent: Opponent, level: Level) => unknown} onPlay Starts a match from the shown position.
   */
  constructor(connection, navigate, onPlay) {
    this.connection = connection;
    this.navigate = navigate;
    this.#from = new PlayFrom(onPlay);
    const choosing = element("div", { class: "extra" }, this.#game, this.#start);
    this.element = element(
      "details",
      { class: "position-box setup-box", open: isSettingUp },
      element("summary", {}, gettext("Position as text · set up a position · play from here")),
      choosing,
      this.#text,
      element(
        "div",
        { class: "extra" },
        button(gettext("Copy"), () => copyText(this.#text, gettext("Position copied."))),
        this.#byHand,
        this.#notation.element,
        button(gettext("Set up"), () => this.#setUp(this.#game.value, trimmed(this.#text.value))),
      ),
      this.#from.element,
      element("p", { class: "note" }, gettext("Moves to this position:")),
      this.#line,
      element("div", { class: "extra" }, button(gettext("Copy the moves"), () => copyText(this.#line, gettext("Moves copied.")))),
      this.#tables,
    );
    isSettingUp = false;
  }

  /**
   * @param {GameInfo[]} games
   * @param {string} game The current game.
   * @param {string} position As text; empty while unknown.
   * @param {Record<string, string>} notations The position in the notations of other programs, by their titles.
   * @param {string} line
   * @param {string} tables Which tablebases exist, as text.
   * @param {boolean} isOver Whether play is over in that position.
   */
  show(games, game, position, notations, line, tables, isOver) {
    this.games = games;
    const key = [game, games.length].join();
    if (key !== this.#key) this.#offer(games, game);
    this.#key = key;
    // What the reader has written stays until another position is shown.
    if (position !== "" && position !== this.#position) {
      this.#position = position;
      this.#notation.show(position, notations);
      this.#text.value = this.#notation.text;
    }
    this.#byHand.hidden = !games.find(({ name }) => name === game)?.editor;
    this.#byHand.href = editorAddressOf(game, position);
    this.#line.value = line;
    this.#tables.textContent = tables;
    this.#from.show(games.find(({ name }) => name === game));
    this.#from.element.hidden = isOver;
  }

  /** @param {GameInfo[]} games @param {string} chosen */
  #offer(games, chosen) {
    this.#game.replaceChildren(...games.map(({ name, title }) => element("option", { value: name, selected: name === chosen }, title)));
    const starts = games.find(({ name }) => name === chosen)?.starts ?? [];
    this.#start.replaceChildren(
      element("option", { value: "" }, gettext("Standard start")),
      ...starts.map(({ title, setup, seats }) => element("option", { value: setup }, seats > 2 ? gettext("{title}, {seats} players", { title, seats }) : title)),
    );
  }

  /** Go to another start, unless the server refuses its text. @param {string} game @param {string} setup */
  async #setUp(game, setup) {
    const preview = await answerOrToast(this.connection.ask({ type: "preview", game, setup }));
    if (preview === null) return;
    isSettingUp = true;
    this.navigate(addressOf({ game, setup }, 0, []));
  }

  #chooseGame() {
    this.#setUp(this.#game.value, "");
  }
}

/**
 * @param {string} text
 * @returns {string} The text without blank lines around it; spaces before its first cell may matter.
 */
function trimmed(text) {
  return text.replace(/^(\s*\n)+/, "").trimEnd();
}

/** @param {string} setup @returns {string} With a random seed, if it has one. */
function seeded(setup) {
  return setup.replace("{seed}", String(Math.floor(Math.random() * 1_000_000_000)));
}
