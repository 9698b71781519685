/**
 * Importing matches from pasted text or a file, sent in as many messages as needed.
 *
 * The server parses the text.
 */

import { newId } from "../connection/requests.js";
import { partsOf } from "../connection/text_parts.js";
import { button, element } from "../element.js";
import { labelled } from "../form_fields.js";
import { gettext, ngettext } from "../language/texts.js";
import { moveCountText } from "../move_count.js";
import { announce } from "../toasts.js";
import { ENCODINGS, textIn, unicodeText } from "./text_files.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, ImportedMatch } from "../protocol.js" */

const MOST_CHARACTERS = 7_600;
const MAX_PARTS = 64;

export class ImportBox {
  #text = element("textarea", { class: "import-text", rows: 6, spellcheck: "false", "aria-label": gettext("Matches as text"), placeholder: '[White "Ann"]\n[Black "Ben"]\n\n1. d6 f4 2. a4 …' });
  #file = element("input", { type: "file", accept: ".txt,.pgn,.sgf,.json,.ndjson,text/plain,application/json", "aria-label": gettext("File with matches"), onchange: () => this.#load() });
  #game = element("select", {});
  #encoding = element("select", { onchange: () => this.#decode() }, ...ENCODINGS.map((name) => element("option", { value: name }, name)));
  #encodingQuestion = element(
    "div",
    { hidden: true },
    element("p", { class: "note", role: "status" }, gettext("This file is not in UTF-8. Choose the encoding in which its names look right.")),
    labelled(gettext("Encoding of the file"), this.#encoding),
  );
  #result = element("div", { class: "import-result" });

  /** The file that was chosen last. */
  #loaded = { name: "", text: "" };

  /** Its bytes, if it is in another encoding than Unicode's. */
  #bytes = new Uint8Array();

  /** The name of the file whose text is shown; empty for other text. */
  get #fileName() {
    const lines = /** @param {string} text */ (text) => text.replace(/\r\n?/g, "\n");
    return lines(this.#loaded.text) === this.#text.value ? this.#loaded.name : "";
  }

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = element(
      "details",
      { class: "card import-box" },
      element("summary", {}, gettext("Import matches")),
      element("p", { class: "note" }, gettext("Paste matches as PGN, SGF, PlayOK’s lists or JSON, or choose a file. Each match is checked against the rules and gets a link. Only you can find it in searches.")),
      this.#text,
      this.#encodingQuestion,
      labelled(gettext("Game, if the text does not name it"), this.#game),
      element("div", { class: "archive-buttons" }, button(gettext("Import"), () => this.#send(), { class: "button primary" }), this.#file, element("a", { href: "/archive?imported=1" }, gettext("My imported matches"))),
      this.#result,
    );
  }

  /** @param {GameInfo[]} games */
  show(games) {
    this.#game.replaceChildren(...games.map(({ name, title }) => element("option", { value: name }, title)));
  }

  async #load() {
    const file = this.#file.files?.[0];
    if (file === undefined) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = unicodeText(bytes);
    this.#encodingQuestion.hidden = text !== null;
    this.#bytes = text === null ? bytes : new Uint8Array();
    this.#show(file.name, text ?? textIn(bytes, this.#encoding.value));
  }

  /** Show the file in the encoding that was chosen. */
  #decode() {
    this.#show(this.#loaded.name, textIn(this.#bytes, this.#encoding.value));
  }

  /** @param {string} name @param {string} text */
  #show(name, text) {
    this.#loaded = { name, text };
    this.#text.value = text;
  }

  async #send() {
    const parts = partsOf(this.#text.value, MOST_CHARACTERS, { type: "import_matches", upload: newId(), game: this.#game.value });
    if (this.#text.value.trim() === "") return this.#refuse(gettext("Paste matches or choose a file first."));
    if (parts.length > MAX_PARTS) return this.#refuse(gettext("The text is too long. Import it in several parts."));
    this.#result.replaceChildren(element("p", { class: "note" }, gettext("Importing…")));
    try {
      const matches = await this.#import(parts);
      this.#result.replaceChildren(list(matches));
      announce(ngettext("Imported {count} match.", "Imported {count} matches.", matches.length));
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      this.#refuse(this.#fileName === "" ? message : `${this.#fileName}: ${message}`);
    }
  }

  /** @param {string[]} parts The parts of a text, in order. @returns {Promise<ImportedMatch[]>} */
  async #import(parts) {
    const upload = newId();
    for (const [part, text] of parts.entries()) {
      const message = { type: /** @type {const} */ ("import_matches"), upload, part, parts: parts.length, text, game: this.#game.value };
      // The server forgets the earlier parts when the connection breaks.
      const asked = parts.length === 1 ? this.connection.ask(message) : this.connection.askOnce(message);
      const answer = await asked;
      if (answer.type === "matches_imported") return answer.matches;
    }
    return [];
  }

  /** @param {string} words */
  #refuse(words) {
    this.#result.replaceChildren(element("p", { class: "import-error", role: "alert" }, words));
  }
}

/** @param {ImportedMatch[]} matches */
function list(matches) {
  const rows = matches.map(({ match, players, plies, changes }) =>
    element("li", {}, element("a", { href: `/match/${match}` }, players.join(" – ")), ` ${moveCountText(plies, players.length)}`, ...changes.map((change) => element("p", { class: "note" }, gettext(change)))),
  );
  return element("ul", { class: "import-list", "aria-label": gettext("Imported matches") }, ...rows);
}
