/**
 * Bringing matches along: as pasted text or from a file, sent in as many frames as it takes.
 *
 * What the text means is the server's to say.
 */

import { randomId } from "../connection/requests.js";
import { button, element } from "../element.js";
import { labelled } from "../form_fields.js";
import { announce } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, ImportedMatch } from "../protocol.js" */

/** Of a frame with all that is round the text; the server takes 8192. */
const MAX_BYTES = 7_600;
const MAX_PARTS = 64;

const encoder = new TextEncoder();

export class ImportBox {
  #text = element("textarea", { class: "import-text", rows: 6, spellcheck: "false", "aria-label": "Matches as text", placeholder: '[White "Ann"]\n[Black "Ben"]\n\n1. d6 f4 2. a4 …' });
  #file = element("input", { type: "file", accept: ".txt,.pgn,.json,.ndjson,text/plain,application/json", "aria-label": "A file with matches", onchange: () => this.#load() });
  #game = element("select", {});
  #told = element("div", { class: "import-result", "aria-live": "polite" });

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = element(
      "details",
      { class: "card import-box" },
      element("summary", {}, "Import matches"),
      element("p", { class: "note" }, "Paste matches as this site exports them, as text or JSON, or choose a file. They are played by the rules, get a link each, and are found by you alone."),
      this.#text,
      labelled("Game, where the text does not say", this.#game),
      element("div", { class: "archive-buttons" }, button("Import", () => this.#send(), { class: "button primary" }), this.#file, element("a", { href: "/archive?imported=1" }, "What I have imported")),
      this.#told,
    );
  }

  /** @param {GameInfo[]} games */
  show(games) {
    this.#game.replaceChildren(...games.map(({ name, title }) => element("option", { value: name }, title)));
  }

  async #load() {
    const file = this.#file.files?.[0];
    if (file !== undefined) this.#text.value = await file.text();
  }

  async #send() {
    const parts = partsOf(this.#text.value);
    if (this.#text.value.trim() === "") return this.#refuse("There is nothing to import yet.");
    if (parts.length > MAX_PARTS) return this.#refuse("That is too much at once; please bring it in parts.");
    this.#told.replaceChildren(element("p", { class: "note" }, "Importing…"));
    try {
      const matches = await this.#import(parts);
      this.#told.replaceChildren(list(matches));
      announce(matches.length === 1 ? "A match is imported." : `${matches.length} matches are imported.`);
    } catch (error) {
      this.#refuse(/** @type {Error} */ (error).message);
    }
  }

  /**
   * @param {string[]} parts Of a text, in order.
   * @returns {Promise<ImportedMatch[]>}
   */
  async #import(parts) {
    const upload = randomId();
    for (const [part, text] of parts.entries()) {
      const message = { type: /** @type {const} */ ("import_matches"), upload, part, parts: parts.length, text, game: this.#game.value };
      // What came before is forgotten with the connection.
      const asked = parts.length === 1 ? this.connection.ask(message) : this.connection.askOnce(message);
      const answer = await asked;
      if (answer.type === "matches_imported") return answer.matches;
    }
    return [];
  }

  /** @param {string} words */
  #refuse(words) {
    this.#told.replaceChildren(element("p", { class: "import-error", role: "alert" }, words));
  }
}

/**
 * @param {string} text
 * @returns {string[]} The text cut so that each part fits a frame.
 */
function partsOf(text) {
  const parts = [];
  for (let begin = 0; begin < text.length || parts.length === 0; ) {
    let size = MAX_BYTES;
    while (size > 1 && encoder.encode(JSON.stringify(text.slice(begin, begin + size))).length > MAX_BYTES) size = Math.floor(size * 0.8);
    // Not within a character of two units.
    if (/[\uD800-\uDBFF]$/.test(text.slice(begin, begin + size))) size -= 1;
    parts.push(text.slice(begin, begin + size));
    begin += Math.max(1, size);
  }
  return parts;
}

/** @param {ImportedMatch[]} matches */
function list(matches) {
  const rows = matches.map(({ match, players, plies }) =>
    element("li", {}, element("a", { href: `/match/${match}` }, players.join(" – ")), ` ${plies} ${plies === 1 ? "move" : "moves"}`),
  );
  return element("ul", { class: "import-list", "aria-label": "Imported matches" }, ...rows);
}
