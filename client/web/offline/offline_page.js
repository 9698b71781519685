/** What works without the server: lessons, saved puzzles, and the reader's finished matches. */

import { dateText } from "../dates.js";
import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";
import { DeviceStore } from "./device_store.js";
import { taskText } from "../puzzles/puzzle_task.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { KeptMatch, KeptPuzzle } from "./device_store.js" */

const MOST_PUZZLES = 30;
const MOST_MATCHES = 100;

export class OfflinePage {
  #lessons = element("ul", { class: "offline-list" });
  #puzzles = element("ul", { class: "offline-list" });
  #matches = element("ul", { class: "offline-list" });
  #stopWaiting = () => {};

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = element(
      "div",
      { class: "offline-page" },
      element("h1", {}, gettext("Available offline")),
      element("p", { class: "note" }, gettext("These are saved on this device. Everything else needs the server; the page reconnects automatically.")),
    );
  }

  open() {
    document.title = `${gettext("Available offline")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#show());
  }

  close() {
    this.#stopWaiting();
  }

  async #show() {
    const store = new DeviceStore();
    const [puzzles, matches] = await Promise.all([store.list("puzzles"), store.list("matches")]);
    const lessons = this.connection.games.filter(({ has_lesson }) => has_lesson);
    fill(this.#lessons, lessons.map(({ name, title }) => entry(`/learn/${name}`, title, "")), gettext("This server has no lessons."));
    fill(this.#puzzles, puzzles.slice(0, MOST_PUZZLES).map((kept) => this.#puzzle(kept)), gettext("None yet. Puzzles that you open are saved here."));
    fill(this.#matches, matches.slice(0, MOST_MATCHES).map((kept) => this.#match(kept)), gettext("None yet. Matches that you finish on this device are saved here."));
    // Together, so that they do not move each other.
    this.element.append(
      part(gettext("Rules and lessons"), this.#lessons),
      part(gettext("Saved puzzles"), this.#puzzles),
      part(gettext("Your finished matches"), this.#matches),
    );
  }

  /** @param {KeptPuzzle} kept */
  #puzzle({ key, answer }) {
    return entry(`/puzzles/${key}`, taskText(answer), this.#titleOf(answer.game));
  }

  /** @param {KeptMatch} kept */
  #match({ key, game, players, at_ms }) {
    const names = players.map((player) => (player === null ? gettext("empty seat") : shownName(player.name))).join(" – ");
    return entry(`/match/${key}`, names, `${this.#titleOf(game)} · ${dateText(at_ms)}`);
  }

  /** @param {string} game */
  #titleOf(game) {
    return this.connection.games.find(({ name }) => name === game)?.title ?? game;
  }
}

/** @param {string} title @param {HTMLElement} list */
function part(title, list) {
  return element("section", { class: "card" }, element("h2", {}, title), list);
}

/** @param {string} href @param {string} words @param {string} facts */
function entry(href, words, facts) {
  return element("li", {}, element("a", { href }, words), facts === "" ? null : element("span", { class: "soft" }, ` ${facts}`));
}

/** @param {HTMLElement} list @param {HTMLElement[]} entries @param {string} otherwise What to say if there are none. */
function fill(list, entries, otherwise) {
  list.replaceChildren(...(entries.length > 0 ? entries : [element("li", { class: "soft" }, otherwise)]));
}
