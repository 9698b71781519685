/**
 * The connection's memory: stores the server's answers, and repeats them while the server is away.
 *
 * After a short break, requests are simply sent again. No DOM.
 */

import { RefusedError } from "../connection/requests.js";
import { later } from "../language/texts.js";
import { isOnDevice, keyOfGame } from "../device/device_ids.js";
import { isToBeArchived } from "../device/device_records.js";
import { wholeCatalogue } from "../language/languages.js";
import { MatchRecord } from "./match_record.js";

/** @import { Connection, Contents } from "../connection/connection.js" */
/** @import { Questions } from "../connection/questions.js" */
/** @import { GameInfo, Player, PuzzlePosed } from "../protocol.js" */
/** @import { DeviceMatches } from "../device/device_matches.js" */
/** @import { DeviceStore } from "./device_store.js" */

/** Time without a connection after which the memory answers. */
const AWAY_AFTER_MS = 2_000;
/** The stored answers: those that pages need to show lessons, puzzles and the reader's matches. @type
 * {ReadonlySet<keyof Questions>} */
const KEPT = new Set(["get_lesson", "explore", "preview", "get_puzzle", "get_puzzle_history", "search_matches"]);
/** Requests refused while the server is away and no answer is stored, since the reader has just acted and waits. @type {ReadonlySet<keyof Questions>} */
const NEEDS_SERVER = new Set(["explore", "get_engine_line", "try_puzzle", "give_up_puzzle", "get_ending", "play_ending", "start_storm", "play_storm", "open_race", "join_race", "start_race", "get_mistake", "try_mistake"]);
const REFUSAL = later("You are offline, and this needs the server. Try again when you are connected.");
const IDENTITY_KEY = "identity";

/** @typedef {{ type: keyof Questions, [field: string]: unknown }} Question */
/** @typedef {{ player: Player, games: GameInfo[] }} Identity */
/**
 * @typedef {object} Waiting
 * @property {Question} question
 * @property {(answer: any) => void} resolve
 * @property {(reason: Error) => void} reject
 * @property {() => void} withdraw
 */

export class OfflineMemory {
  /** Whether the server has been away for a while. */
  isAway = false;
  /** @type {Set<Waiting>} */
  #waiting = new Set();
  /** @type {Set<MatchRecord>} */
  #records = new Set();
  /** @type {number | undefined} */
  #timer = undefined;
  #owner = "";
  /** @type {Promise<DeviceMatches> | null} */
  #device = null;

  /** @param {Connection} connection @param {DeviceStore} store */
  constructor(connection, store) {
    this.connection = connection;
    this.store = store;
    connection.addEventListener("status", () => this.#hear());
    connection.addEventListener("welcome", () => this.#meet());
  }

  /**
   * Keep the answer to a question; answer from memory if the server is away.
   * @param {Question} question
   * @param {Promise<any>} asked
   * @param {() => void} withdraw Ends the question.
   * @returns {Promise<any>}
   */
  answer(question, asked, withdraw) {
    if (question.type === "create" && this.isAway) {
      withdraw();
      return this.device.then((device) => device.create(/** @type {any} */ (question)));
    }
    if (!KEPT.has(question.type) && !NEEDS_SERVER.has(question.type)) return asked;
    return new Promise((resolve, reject) => {
      const waiting = { question, resolve, reject, withdraw };
      this.#waiting.add(waiting);
      const end = () => this.#waiting.delete(waiting);
      asked.then((answer) => (end(), resolve(answer), this.#keep(question, answer)), (error) => (end(), reject(error)));
      if (this.isAway) this.#recall(waiting);
    });
  }

  /**
   * Record a match that is followed; replay it if the server is away.
   * @param {string} match
   * @param {(message: any) => void} receive
   * @returns {{ receive: (message: any) => void, end: () => void }}
   */
  record(match, receive) {
    const record = new MatchRecord(match, receive);
    this.#records.add(record);
    if (this.isAway) this.#replay(record);
    return {
      receive: (message) => {
        const kept = record.hear(message);
        if (kept !== null) this.store.put("matches", kept);
      },
      end: () => this.#records.delete(record),
    };
  }

  /** The matches on this device, which are loaded when they are first needed. @returns {Promise<DeviceMatches>} */
  get device() {
    this.#device ??= this.#openDevice().catch((error) => {
      this.#device = null;
      throw error;
    });
    return this.#device;
  }

  /**
   * Answer a question about a match on this device.
   * @param {{ type: string, match?: unknown }} question
   * @returns {Promise<any> | null} Null for other questions. Rejects with RefusedError.
   */
  answerOnDevice(question) {
    if (!isOnDevice(question.match)) return null;
    return this.device.then((device) => device.answer(/** @type {any} */ (question)));
  }

  /**
   * Follow what concerns a match on this device.
   * @param {{ type: string, match?: unknown }} request
   * @param {(message: any) => void} receive
   * @returns {(() => void) | null} Ends it; null for other subscriptions.
   */
  followOnDevice(request, receive) {
    if (!isOnDevice(request.match)) return null;
    if (request.type !== "watch") return () => {};
    const following = this.device.then((device) => device.follow(/** @type {any} */ (request), receive));
    return () => void following.then((end) => end());
  }

  async #openDevice() {
    const [{ DeviceMatches }] = await Promise.all([import("../device/device_matches.js"), wholeCatalogue()]);
    return new DeviceMatches(this.connection, this.store);
  }

  /** Whether the answer to a question is kept. @param {Question} question */
  async has(question) {
    return (await this.store.get("answers", keyOf(question))) !== null;
  }

  /**
   * What is kept of some games.
   * @param {readonly GameInfo[]} games
   * @returns {Promise<Contents>}
   */
  async contents(games) {
    const lessons = await Promise.all(games.map(({ name }) => this.has({ type: "get_lesson", game: name })));
    const kept = await Promise.all(games.map(({ name }) => this.store.get("answers", keyOfGame(name))));
    // Without anything kept, nor is the page that would be loaded.
    const device = kept.some((each) => each !== null) ? await this.device.catch(() => null) : null;
    const playable = await Promise.all(games.map(({ name }) => device?.offers(name)));
    return { taught: games.filter((_, index) => lessons[index]), playable: games.filter((_, index) => playable[index]) };
  }

  /** Whether a match is being followed. @param {string} match */
  isFollowed(match) {
    return [...this.#records].some((record) => record.match === match);
  }

  #hear() {
    const { status, games } = this.connection;
    if (status === "online") {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.isAway = false;
    } else if (status === "offline") {
      // A page that has just been loaded has nothing else to show.
      this.#timer ??= setTimeout(() => this.#leave(), games.length === 0 ? 0 : AWAY_AFTER_MS);
    }
  }

  /** The server is away: answer the open requests from memory, as far as possible. */
  async #leave() {
    this.isAway = true;
    const kept = await this.store.get("answers", IDENTITY_KEY);
    if (kept !== null && this.isAway && this.connection.player === null) {
      const { player, games } = /** @type {Identity} */ (kept.answer);
      this.connection.recall(player, games);
    }
    for (const waiting of [...this.#waiting]) this.#recall(waiting);
    for (const record of [...this.#records]) this.#replay(record);
  }

  /** Store the reader's identity; drop what is kept for another one. */
  async #meet() {
    const { player, untranslatedGames: games, status } = this.connection;
    if (player === null || status !== "online") return;
    const before = await this.store.get("answers", IDENTITY_KEY);
    const owner = before === null ? player.id : /** @type {Identity} */ (before.answer).player.id;
    if (owner !== player.id || (this.#owner !== "" && this.#owner !== player.id)) await this.store.clear();
    this.#owner = player.id;
    await this.store.put("answers", { key: IDENTITY_KEY, at_ms: Infinity, answer: { player, games } });
    const matches = await this.store.list("matches");
    if (matches.some((kept) => isToBeArchived(kept, player))) (await this.device).archiveOwn();
  }

  /** @param {Question} question @param {object} answer */
  #keep(question, answer) {
    if (!KEPT.has(question.type)) return;
    const at_ms = Date.now();
    if (question.type !== "get_puzzle") return void this.store.put("answers", { key: keyOf(question), at_ms, answer });
    const posed = /** @type {PuzzlePosed} */ (answer);
    this.store.put("puzzles", { key: `${posed.game}/${posed.puzzle}`, at_ms, answer: posed });
  }

  /** @param {Waiting} waiting */
  async #recall(waiting) {
    const { question, resolve, reject, withdraw } = waiting;
    const answer = question.type === "get_puzzle" ? await this.#puzzle(question) : ((await this.store.get("answers", keyOf(question)))?.answer ?? null);
    if (!this.isAway || !this.#waiting.has(waiting)) return;
    if (answer !== null) return resolve(answer);
    if (!NEEDS_SERVER.has(question.type)) return;
    withdraw();
    this.#waiting.delete(waiting);
    const made = await this.#lineEnd(question);
    if (made !== null) return resolve(made);
    reject(new RefusedError({ type: "refused", code: "unavailable", message: REFUSAL, id: null, match: null, wording: [] }));
  }

  /** The answer of this device about a line of play; null if it has none. @param {Question} question */
  async #lineEnd(question) {
    if (question.type !== "explore" && question.type !== "get_engine_line") return null;
    return this.device.then((device) => device.answerLine(/** @type {any} */ (question))).catch(() => null);
  }

  /**
   * The requested puzzle, or else the stored one that was shown longest ago.
   * @param {Question} question
   * @returns {Promise<PuzzlePosed | null>}
   */
  async #puzzle({ game, puzzle }) {
    if (puzzle !== "") return (await this.store.get("puzzles", `${game}/${puzzle}`))?.answer ?? null;
    const kept = (await this.store.list("puzzles")).findLast(({ answer }) => answer.game === game);
    if (kept === undefined) return null;
    await this.store.put("puzzles", { ...kept, at_ms: Date.now() });
    return kept.answer;
  }

  /** @param {MatchRecord} record */
  async #replay(record) {
    if (record.hasHeard) return;
    const kept = await this.store.get("matches", record.match);
    if (kept === null || record.hasHeard || !this.#records.has(record)) return;
    for (const message of kept.messages) record.hear(message);
  }
}

/** @param {Question} question @returns {string} The same for equal questions. */
function keyOf(question) {
  return JSON.stringify(question, (_, value) => (value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value));
}
