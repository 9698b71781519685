/** What works without the server: bots, lessons, saved puzzles, and the reader's matches on this device. */

import { dateText } from "../dates.js";
import { isOnDevice } from "../device/device_ids.js";
import { isReadable, isToBeArchived, isVisible } from "../device/device_records.js";
import { HIGHEST_LEVEL } from "../device/highest_level.js";
import { NO_STORAGE } from "../device/playable_games.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { seatPlans } from "../match/seat_plans.js";
import { shownName } from "../players/shown_name.js";
import { DeviceStore } from "./device_store.js";
import { taskText } from "../puzzles/puzzle_task.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { DeviceMatches } from "../device/device_matches.js" */
/** @import { GameInfo } from "../protocol.js" */
/** @import { KeptMatch, KeptPuzzle } from "./device_store.js" */

const MOST_PUZZLES = 30;
const MOST_MATCHES = 100;

export class OfflinePage {
  #bots = element("ul", { class: "offline-list" });
  #current = element("ul", { class: "offline-list" });
  #lessons = element("ul", { class: "offline-list" });
  #puzzles = element("ul", { class: "offline-list" });
  #matches = element("ul", { class: "offline-list" });
  #head;
  #stopWaiting = () => {};

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} navigate */
  constructor(connection, _id, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    this.#head = [
      element("h1", {}, gettext("Available offline")),
      element("p", { class: "note" }, gettext("These are saved on this device. Everything else needs the server; the page reconnects automatically.")),
    ];
    this.element = element("div", { class: "offline-page" }, ...this.#head);
  }

  open() {
    document.title = `${gettext("Available offline")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#show());
    this.connection.addEventListener("status", this.#again);
  }

  close() {
    this.#stopWaiting();
    this.connection.removeEventListener("status", this.#again);
  }

  #again = () => {
    if (this.connection.games.length > 0) this.#show();
  };

  async #show() {
    const store = new DeviceStore();
    const [puzzles, kept, isUsable] = await Promise.all([store.list("puzzles"), store.list("matches"), store.isUsable()]);
    const matches = kept.filter((each) => isVisible(each, this.connection.player));
    const [going, finished] = [false, true].map((isOver) => matches.filter((kept) => isFinished(kept) === isOver));
    const { taught = [], playable = [] } = (await this.connection.memory?.contents(this.connection.games)) ?? {};
    fill(this.#bots, playable.map((game) => this.#levels(game)), gettext("Not saved yet. The games are saved while you are connected, if this server offers them."));
    fill(this.#current, going.map((kept) => this.#match(kept)), gettext("None. Matches that you play here without the server go on here."));
    fill(this.#lessons, taught.map(({ name, title }) => entry(`/learn/${name}`, title, "")), gettext("None yet. Lessons are saved while you are connected."));
    fill(this.#puzzles, puzzles.slice(0, MOST_PUZZLES).map((kept) => this.#puzzle(kept)), gettext("None yet. Puzzles that you open are saved here."));
    fill(this.#matches, finished.slice(0, MOST_MATCHES).map((kept) => this.#match(kept)), gettext("None yet. Matches that you finish on this device are saved here."));
    // Together, so that they do not move each other.
    this.element.replaceChildren(
      ...this.#head,
      isUsable ? "" : element("p", { class: "note", role: "alert" }, gettext(NO_STORAGE)),
      part(gettext("Play a bot on this device"), this.#bots, gettext("Choose a level, from 1, the weakest, to {highest}.", { highest: HIGHEST_LEVEL })),
      part(gettext("Matches in progress on this device"), this.#current),
      part(gettext("Rules and lessons"), this.#lessons),
      part(gettext("Saved puzzles"), this.#puzzles),
      part(gettext("Your finished matches"), this.#matches),
    );
  }

  /** A game with a button for each level. @param {GameInfo} game */
  #levels({ name, title, seats }) {
    const levels = Array.from({ length: HIGHEST_LEVEL }, (_, index) => index + 1);
    const buttons = levels.map((level) =>
      button(String(level), () => this.#play(name, Math.min(...seats), level), { class: "button", "aria-label": gettext("{game}, level {level}", { game: title, level }) }),
    );
    return element("li", { class: "offline-levels" }, element("span", {}, title), element("div", { class: "offline-level-buttons" }, ...buttons));
  }

  /** @param {string} game @param {number} seats @param {number} level */
  async #play(game, seats, level) {
    const device = await this.connection.memory?.device;
    const created = await answerOrToast(/** @type {NonNullable<typeof device>} */ (device).create({ type: "create", game, seats: seatPlans(seats, 0, "bot", level), clock: null, shuffle: true }));
    if (created !== null) this.navigate(`/match/${created.match}`);
  }

  /** @param {KeptPuzzle} kept */
  #puzzle({ key, answer }) {
    return entry(`/puzzles/${key}`, taskText(answer), this.#titleOf(answer.game));
  }

  /** @param {KeptMatch} kept */
  #match(kept) {
    const { key, game, players, at_ms, archived } = kept;
    const names = players.map((player) => (player === null ? gettext("empty seat") : shownName(player.name))).join(" – ");
    const facts = `${this.#titleOf(game)} · ${dateText(at_ms)}`;
    if (!isOnDevice(key)) return entry(`/match/${key}`, names, facts);
    const shown = isReadable(kept)
      ? entry(`/match/${archived || key}`, names, facts)
      : element("li", {}, gettext("{names}: a newer version of this page has saved this match, and is needed to open it.", { names }), element("span", { class: "soft" }, facts));
    const { status, player } = this.connection;
    const isOffered = !archived && isFinished(kept) && isReadable(kept) && status === "online" && !isToBeArchived(kept, player);
    if (isOffered) shown.append(button(gettext("Add to your archive"), () => this.#change((device) => device.archive(key)), { class: "button quiet" }));
    const sure = button(gettext("Delete this match"), () => this.#change((device) => device.delete(key)), { class: "button danger" });
    const ask = button(gettext("Delete"), () => (ask.replaceWith(sure), sure.focus()), { class: "button quiet", "aria-label": gettext("Delete {names}", { names }) });
    shown.append(ask);
    return shown;
  }

  /** @param {(device: DeviceMatches) => Promise<void>} change */
  async #change(change) {
    const device = await this.connection.memory?.device;
    if (device !== undefined) await answerOrToast(change(device));
    await this.#show();
  }

  /** @param {string} game */
  #titleOf(game) {
    return this.connection.games.find(({ name }) => name === game)?.title ?? game;
  }
}

/** @param {KeptMatch} kept */
function isFinished({ messages }) {
  return messages.some((message) => message.type === "match_event" && message.event.type === "ended");
}

/** @param {string} title @param {HTMLElement} list @param {string} [note] */
function part(title, list, note = "") {
  return element("section", { class: "card" }, element("h2", {}, title), note === "" ? null : element("p", { class: "note" }, note), list);
}

/** @param {string} href @param {string} words @param {string} facts */
function entry(href, words, facts) {
  return element("li", {}, element("a", { href }, words), facts === "" ? null : element("span", { class: "soft" }, facts));
}

/** @param {HTMLElement} list @param {HTMLElement[]} entries @param {string} otherwise What to say if there are none. */
function fill(list, entries, otherwise) {
  list.replaceChildren(...(entries.length > 0 ? entries : [element("li", { class: "soft" }, otherwise)]));
}
