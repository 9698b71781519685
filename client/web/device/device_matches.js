/**
 * The matches on this device: played without the server, kept in the browser, and given to the reader's archive.
 *
 * It answers the questions of the match page about them, as the server does about its own. No DOM.
 */

import { newId } from "../connection/requests.js";
import { partsOf } from "../connection/text_parts.js";
import { PlayEngine } from "../engine/play_engine.js";
import { DeviceMatch, NOT_KEPT, refusal, refused } from "./device_match.js";
import { isOnDevice, newDeviceId } from "./device_ids.js";
import { provideGame } from "./game_provisions.js";
import { HIGHEST_LEVEL } from "./highest_level.js";
import { playableGame } from "./playable_games.js";
import { later } from "../language/texts.js";
import { recordOf } from "./device_record.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command, MatchMessage } from "../connection/questions.js" */
/** @import { Accepted, Created, Event, Player, SeatPlan } from "../protocol.js" */
/** @import { DeviceStore } from "../offline/device_store.js" */

/** @typedef {Extract<Command, { type: "create" }>} Create */

const MOST_CHARACTERS = 8_000;
const ONLY_SOME = later("You are offline. On this device you can play bots of levels 1 to 7, from the usual start.");
const NO_SUCH_MATCH = later("This match is not on this device.");

export class DeviceMatches {
  #connection;
  #store;
  #engine = new PlayEngine();
  /** The opened matches, by id. @type {Map<string, Promise<DeviceMatch>>} */
  #opened = new Map();
  /** Settles when no match is being archived. */
  #archived = Promise.resolve();

  /** @param {Connection} connection @param {DeviceStore} store */
  constructor(connection, store) {
    this.#connection = connection;
    this.#store = store;
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
    if (playable === null) throw refusal("unavailable", NOT_KEPT);
    const isUsual = (setup === "" || setup === `seats=${seats.length}`) && seats.length === playable.line.seats;
    if (!isUsual || !seats.every(isPlayable)) throw refusal("unavailable", ONLY_SOME);
    const id = newDeviceId();
    const match = new DeviceMatch(id, playable, this.#engine, (kept) => this.#store.put("matches", kept));
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
    if (match === null) throw refusal("unknown_match", NO_SUCH_MATCH);
    const seq = question.type === "rematch" ? await this.#rematch(match) : await match.command(/** @type {Command} */ (/** @type {unknown} */ (question)));
    if (match.state.end !== null && this.#connection.status === "online" && this.#connection.player?.registered) this.archive();
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
    this.#open(match).then((opened) => {
      if (!isWanted) return;
      if (opened === null) receive(refused("unknown_match", NO_SUCH_MATCH));
      else end = opened.follow(since, receive);
    });
    return () => {
      isWanted = false;
      end();
    };
  }

  /**
   * Give the finished matches to the reader's archive, each once: the server knows an import by its content.
   * @param {string} [wanted] Only this match.
   */
  archive(wanted) {
    this.#archived = this.#archived.then(() => this.#archiveAll(wanted)).catch(() => undefined);
    return this.#archived;
  }

  /** @param {string} [wanted] */
  async #archiveAll(wanted) {
    for (const { key, archived } of await this.#store.list("matches")) {
      if (!isOnDevice(key) || archived || (wanted !== undefined && key !== wanted)) continue;
      const match = await this.#open(key);
      if (match === null || !match.state.end?.ranks) continue;
      match.archived = await this.#import(match);
      await this.#store.put("matches", match.kept);
    }
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

  /** @param {string} id @returns {Promise<DeviceMatch | null>} */
  async #open(id) {
    const opened = this.#opened.get(id);
    if (opened !== undefined) return opened;
    const kept = await this.#store.get("matches", id);
    if (kept === null) return null;
    const playable = await playableGame(this.#store, kept.game);
    const known = this.#opened.get(id) ?? Promise.resolve(new DeviceMatch(id, playable, this.#engine, (changed) => this.#store.put("matches", changed), kept));
    this.#opened.set(id, known);
    return known;
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
