/**
 * The matches on this device: played without the server, kept in the browser, and given to the reader's archive.
 *
 * It answers the questions of the match page about them, as the server does about its own. No DOM.
 */

import { newId } from "../connection/requests.js";
import { partsOf } from "../connection/text_parts.js";
import { PlayEngine } from "../engine/play_engine.js";
import { DeviceMatch, NO_SUCH_MATCH, NOT_KEPT, refusal, refused } from "./device_match.js";
import { newDeviceId } from "./device_ids.js";
import { isReadable, isToBeArchived, isVisible } from "./device_records.js";
import { provideGame } from "./game_provisions.js";
import { HIGHEST_LEVEL } from "./highest_level.js";
import { NO_STORAGE, playableGame } from "./playable_games.js";
import { later } from "../language/texts.js";
import { answerLine } from "./device_lines.js";
import { recordOf } from "./device_record.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command, MatchMessage } from "../connection/questions.js" */
/** @import { PlayableGame } from "./playable_games.js" */
/** @import { Accepted, Created, EngineLine, Event, Explored, Line, Player, SeatPlan } from "../protocol.js" */
/** @import { DeviceStore, KeptMatch } from "../offline/device_store.js" */

/** @typedef {Extract<Command, { type: "create" }>} Create */

const MOST_CHARACTERS = 8_000;
const ONLY_SOME = later("You are offline. On this device you can play bots of levels 1 to 7, from the usual start.");

export class DeviceMatches {
  #connection;
  #store;
  #engine = new PlayEngine();
  /** The opened matches, by id. @type {Map<string, Promise<DeviceMatch>>} */
  #opened = new Map();
  /** Settles when no match is being archived. */
  #archived = Promise.resolve();
  /** Tells the other tabs which match is kept anew. */
  #tabs = new BroadcastChannel("device-matches");

  /** @param {Connection} connection @param {DeviceStore} store */
  constructor(connection, store) {
    this.#connection = connection;
    this.#store = store;
    this.#tabs.addEventListener("message", ({ data }) => this.#opened.get(data)?.then((match) => match.catchUp()));
  }

  /** Whether a game can be played here. @param {string} game */
  async offers(game) {
    return (await playableGame(this.#store, game)) !== null;
  }

  /** Fetch what a game needs to be played here, unless it is kept. @param {string} game */
  provide(game) {
    return provideGame(this.#connection, this.#store, game);
  }

  /**
   * Create a match against bots, or of players who share this device. Rejects with RefusedError.
   * @param {Create} command
   * @returns {Promise<Accepted>}
   */
  async create({ game, seats, setup = "", shuffle = false }) {
    const playable = await playableGame(this.#store, game);
    if (playable === null) throw refusal("unavailable", (await this.#store.isUsable()) ? NOT_KEPT : NO_STORAGE);
    const isUsual = (setup === "" || setup === `seats=${seats.length}`) && seats.length === playable.line.seats;
    if (!isUsual || !seats.every(isPlayable)) throw refusal("unavailable", ONLY_SOME);
    const id = newDeviceId();
    // Browsers delete what is not persistent when space is short.
    navigator.storage?.persist().catch(() => undefined);
    const match = this.#made(id, playable);
    this.#opened.set(id, Promise.resolve(match));
    await match.start(this.#opening(game, shuffle ? shuffled(seats) : seats));
    return { type: "accepted", id: "", match: id, seq: match.state.seq };
  }

  /**
   * Answer a question about a match. Rejects with RefusedError.
   * @param {{ type: string, match: string }} question
   * @returns {Promise<Accepted>}
   */
  async answer(question) {
    const match = await this.#open(question.match);
    const seq = question.type === "rematch" ? await this.#rematch(match) : await match.command(/** @type {Command} */ (/** @type {unknown} */ (question)));
    if (match.state.end !== null && this.#connection.status === "online") this.archiveOwn();
    return { type: "accepted", id: "", match: match.id, seq };
  }

  /**
   * Follow a match.
   * @param {{ match: string, since: number }} request
   * @param {(message: MatchMessage) => void} receive
   * @returns {() => void} Ends it.
   */
  follow({ match, since }, receive) {
    let end = () => {};
    let isWanted = true;
    this.#open(match).then(
      (opened) => {
        if (isWanted) end = opened.follow(since, receive);
      },
      (error) => receive(refused(error.code, error.message)),
    );
    return () => {
      isWanted = false;
      end();
    };
  }

  /**
   * Answer a question about a line of play in place of the server.
   * @param {{ type: "explore" | "get_engine_line", line: Line }} question
   * @returns {Promise<Explored | EngineLine | null>} Null if this device cannot answer it.
   */
  async answerLine({ type, line: { game = "", setup = "", match = null, moves = [] } }) {
    const playable = setup === "" && match === null ? await playableGame(this.#store, game) : null;
    return playable && answerLine(type, moves, playable, this.#engine);
  }

  /** Give the player's finished matches to their archive; what fails is tried again at the next visit. */
  async archiveOwn() {
    for (const kept of await this.#store.list("matches")) {
      if (isToBeArchived(kept, this.#connection.player)) await this.archive(kept.key).catch(() => undefined);
    }
  }

  /**
   * Give a match to the player's archive, if it is finished; once, since the server knows an import by its content.
   * @param {string} id
   * @returns {Promise<void>} Rejects with RefusedError.
   */
  archive(id) {
    const done = this.#archived.then(() => this.#archive(id));
    this.#archived = done.catch(() => undefined);
    return done;
  }

  /** Delete a match for good. @param {string} id */
  async delete(id) {
    await this.#store.deleteMatch(id);
    this.#opened.delete(id);
    this.#tabs.postMessage(id);
  }

  /** @param {string} id */
  async #archive(id) {
    const match = await this.#open(id);
    if (!match.archived && match.state.end?.ranks) await match.setArchived(await this.#import(match));
  }

  /** @param {DeviceMatch} match @returns {Promise<string>} Its id in the archive. */
  async #import(match) {
    const { state, kept } = match;
    const seatNames = this.#connection.untranslatedGames.find(({ name }) => name === state.game)?.seat_names ?? [];
    const text = JSON.stringify(recordOf(kept, state, seatNames));
    const whole = { type: /** @type {const} */ ("import_matches"), upload: newId(), game: state.game };
    const parts = partsOf(text, MOST_CHARACTERS, whole);
    for (const [part, each] of parts.entries()) {
      const answer = await this.#connection.askOnce({ ...whole, part, parts: parts.length, text: each });
      if (answer.type === "matches_imported") return answer.matches[0].match;
    }
    return "";
  }

  /** @param {DeviceMatch} match @returns {Promise<number>} */
  async #rematch(match) {
    const { game, plan, setup, rematch } = match.state;
    if (rematch === null) {
      const created = await this.create({ type: "create", game, seats: [.../** @type {SeatPlan[]} */ (plan.slice(1)), plan[0]], setup, clock: null });
      await match.rematch(created.match);
    }
    return match.state.seq;
  }

  /** @param {string} id @returns {Promise<DeviceMatch>} Rejects with RefusedError. */
  async #open(id) {
    const match = await (this.#opened.get(id) ?? this.#load(id));
    if (match === null || !isVisible(match.kept, this.#connection.player)) throw refusal("unknown_match", NO_SUCH_MATCH);
    return match;
  }

  /** @param {string} id @returns {Promise<DeviceMatch | null>} */
  async #load(id) {
    const kept = await this.#store.get("matches", id);
    if (kept === null || !isReadable(kept)) return null;
    const playable = await playableGame(this.#store, kept.game);
    const known = this.#opened.get(id) ?? Promise.resolve(this.#made(id, playable, kept));
    this.#opened.set(id, known);
    return known;
  }

  /** @param {string} id @param {PlayableGame | null} playable @param {KeptMatch} [kept] */
  #made(id, playable, kept) {
    return new DeviceMatch(id, playable, this.#engine, this.#store, () => this.#tabs.postMessage(id), kept);
  }

  /** The events before the first ply. @param {string} game @param {readonly SeatPlan[]} plan @returns {Event[]} */
  #opening(game, plan) {
    const reader = /** @type {Player} */ (this.#connection.player);
    const players = plan.map(({ level }) => (level ? botOf(Number(level)) : reader));
    return [
      /** @type {Created} */ ({ type: "created", game, setup: "", seats: plan.map(({ occupant, level = null }) => ({ occupant, level })), clock: null }),
      ...players.map((player, seat) => /** @type {Event} */ ({ type: "seated", seat, player, rating: null })),
      { type: "started", first_ply_ms: null },
    ];
  }
}

/** @param {SeatPlan} plan */
function isPlayable({ occupant, level }) {
  return occupant === "me" || (occupant === "bot" && typeof level === "number" && level <= HIGHEST_LEVEL);
}

/** The player that stands for a level, as on the server. @param {number} level @returns {Player} */
function botOf(level) {
  return { id: `bot-${level}`, name: `Bot, level ${level}`, level, registered: false, bot: false };
}

/** @template Item @param {readonly Item[]} items @returns {Item[]} In an order at random. */
function shuffled(items) {
  return items.map((item) => ({ item, rank: Math.random() })).sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}
