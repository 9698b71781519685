/**
 * The connection to the server: requests, subscriptions, and the reader's identity.
 *
 * No DOM. It does not interpret the messages: `questions.js` lists the requests and subscriptions.
 */

import { inReadersLanguage } from "../language/game_texts.js";
import { gettext, textsVersion } from "../language/texts.js";
import { ReconnectingSocket } from "./reconnecting_socket.js";
import { Requests, randomId } from "./requests.js";
import { Subscriptions } from "./subscriptions.js";

/** @import { Ending, Identity, Incoming } from "./reconnecting_socket.js" */
/** @import { Command, Followed, Questions, StreamCommand, Streamed } from "./questions.js" */
/** @import { DeviceMatches } from "../device/device_matches.js" */
/** @import { Accepted, Announcement, BotAvailability, GameInfo, Player, Refused, Welcome, YourRestrictions } from "../protocol.js" */

/** The games whose lessons, and whose bots, this device keeps. @typedef {{ taught: GameInfo[], playable: GameInfo[] }} Contents */
/**
 * Stores the server's answers, and repeats them while the server is away; answers about matches on this device itself.
 * @typedef {object} Memory
 * @property {(question: { type: keyof Questions }, asked: Promise<any>, withdraw: () => void) => Promise<any>} answer
 * @property {(match: string, receive: (message: any) => void) => { receive: (message: any) => void, end: () => void }} record
 * @property {Promise<DeviceMatches>} device The matches on this device.
 * @property {(games: readonly GameInfo[]) => Promise<Contents>} contents
 * @property {(question: { type: string, match?: unknown }) => Promise<any> | null} answerOnDevice
 * @property {(request: { type: string, match?: unknown }, receive: (message: any) => void) => (() => void) | null} followOnDevice
 */

/** @type {YourRestrictions} */
const NO_RESTRICTIONS = { type: "your_restrictions", role: null, mute_text: "", muted_until_ms: null, name_removed: false };
/** @type {Announcement} */
const NO_ANNOUNCEMENT = { type: "announcement", text: "", until_ms: null };
/** @type {BotAvailability} */
const ALL_BOTS_PLAY = { type: "bot_availability", waiting: [], is_starting: false, explanation: "", faulty: [], faulty_explanation: "" };
const LOBBY_MESSAGES = new Set(["searching", "paired", "search_ended", "challenges"]);

/** Fires `status`, `welcome` and `restrictions` events, `signedout` and `guestregistered` with the server's reason as their detail, `interruption` with that message, `bots` when their availability changes, `announcement` when there is another, `lost` with how the socket was closed, `tournament` with the reader's place in a tournament, `commanded` with each command that took effect, and `lobby` with each lobby message as its detail. */
export class Connection extends EventTarget {
  /** The reader's public identity; null before the first welcome. @type {Player | null} */
  player = null;
  /** The server's games as it sends them. @type {GameInfo[]} */
  #games = [];
  /** In the reader's language, by the version of the texts. @type {{ games: GameInfo[], version: number }} */
  #translated = { games: [], version: -1 };
  /** The role and the restrictions of the reader. @type {YourRestrictions} */
  restrictions = NO_RESTRICTIONS;
  /** What the operators announce. */
  announcement = NO_ANNOUNCEMENT;

  /** Which bots cannot move yet. */
  bots = ALL_BOTS_PLAY;

  /** Answers stored for offline use. @type {Memory | null} */
  memory = null;

  #line;
  #requests;
  #subscriptions;

  /** @param {string} url The server's socket. @param {Identity} [identity] By default the browser's guest. */
  constructor(url, identity) {
    super();
    const listener = {
      changed: () => this.dispatchEvent(new Event("status")),
      welcomed: (/** @type {Welcome} */ welcome) => this.#welcome(welcome),
      received: (/** @type {Incoming} */ message) => this.#receive(message),
      lost: (/** @type {Ending | null} */ end) => {
        this.#requests.lost();
        this.dispatchEvent(new CustomEvent("lost", { detail: end }));
      },
    };
    this.#line = new ReconnectingSocket(url, listener, identity);
    this.#requests = new Requests(this.#line);
    this.#subscriptions = new Subscriptions(this.#line);
  }

  /** The server's games, with their texts in the reader's language. */
  get games() {
    const version = textsVersion();
    if (this.#translated.version !== version) this.#translated = { games: inReadersLanguage(this.#games), version };
    return this.#translated.games;
  }

  /** The server's games as it sends them, for offline use. */
  get untranslatedGames() {
    return this.#games;
  }

  /** Why the bots of a game cannot move yet; empty if they can. @param {string | undefined} game */
  whyBotsWait(game) {
    const { waiting, explanation, faulty = [], faulty_explanation = "" } = this.bots; // nodes of older releases name none
    if (game === undefined || !waiting.includes(game)) return "";
    return gettext(faulty.includes(game) ? faulty_explanation : explanation);
  }

  /** Whether the bots of a game can play, now or as soon as they have started. @param {string} game */
  offersBots(game) {
    const { waiting, is_starting, faulty = [] } = this.bots;
    return !faulty.includes(game) && (is_starting || !waiting.includes(game));
  }

  get status() {
    return this.#line.status;
  }

  /** Round-trip time of the last ping in milliseconds; null while unknown. */
  get roundTrip_ms() {
    return this.#line.roundTrip_ms;
  }

  /** Connect, and reconnect whenever the connection is lost. */
  open() {
    this.#line.open();
  }

  /** Close the connection for good. @param {Error} reason What open requests reject with. */
  end(reason) {
    this.#line.close();
    this.#requests.fail(reason);
  }

  /** Call `begin` as soon as the games are known. @param {() => void} begin @returns {() => void} Cancels the wait. */
  whenKnown(begin) {
    if (this.games.length > 0) begin();
    else this.addEventListener("welcome", begin, { once: true });
    return () => this.removeEventListener("welcome", begin);
  }

  /** Reconnect, because the browser signed in or out in another tab. */
  renew() {
    this.#line.renew();
  }

  /** Reconnect now, if the connection is lost. */
  hurry() {
    this.#line.hurry();
  }

  /** The estimated server time. */
  now_ms() {
    return this.#line.now_ms();
  }

  /**
   * Send a request, and repeat it on reconnection until it is answered.
   * @template {keyof Questions} Type
   * @param {{ type: Type } & Questions[Type][0]} question
   * @param {string} [id] The id under which it is repeated.
   * @returns {Promise<Questions[Type][1]>} Rejects with RefusedError.
   */
  ask(question, id = randomId()) {
    const own = this.memory?.answerOnDevice(question);
    if (own) return own;
    const asked = this.#requests.ask(question, id, true);
    return this.memory?.answer(question, asked, () => this.#requests.withdraw(id)) ?? asked;
  }

  /**
   * Send a request that is not repeated when the connection breaks.
   * @template {keyof Questions} Type
   * @param {{ type: Type } & Questions[Type][0]} question
   * @returns {Promise<Questions[Type][1]>} Rejects with RefusedError, or Error if the answer was lost.
   */
  askOnce(question) {
    return this.#requests.ask(question, randomId(), false);
  }

  /**
   * Send a command that changes a match, and fire `commanded` once accepted.
   * @param {Command} command
   * @returns {Promise<Accepted>} Rejects with RefusedError.
   */
  async command(command) {
    const accepted = await this.ask(command);
    this.dispatchEvent(new CustomEvent("commanded", { detail: command }));
    return accepted;
  }

  /**
   * Send a request with a stream of answers, across reconnections, until the last answer or a refusal.
   * @param {StreamCommand} command
   * @param {(message: Streamed) => void} receive
   * @returns {() => void} Stops the stream.
   */
  stream(command, receive) {
    return this.#requests.stream(command, receive);
  }

  /**
   * Subscribe across reconnections. A later subscription to the same thing replaces the earlier one.
   * @template {keyof Followed} Type
   * @param {{ type: Type } & Followed[Type][0]} request Sent on each connection; fields that change are getters.
   * @param {(message: Followed[Type][1]) => void} receive
   * @returns {() => void} Unsubscribes.
   */
  follow(request, receive) {
    const own = this.memory?.followOnDevice(request, receive);
    if (own) return own;
    if (this.memory === null || request.type !== "watch") return this.#subscriptions.follow(request, receive);
    const record = this.memory.record(/** @type {Followed["watch"][0]} */ (/** @type {unknown} */ (request)).match, receive);
    const unfollow = this.#subscriptions.follow(request, record.receive);
    return () => {
      record.end();
      unfollow();
    };
  }

  /** Use the stored identity and games until the server's welcome. @param {Player} player @param {GameInfo[]} games */
  recall(player, games) {
    this.player = player;
    this.#take(games);
    this.dispatchEvent(new Event("welcome"));
  }

  /** @param {GameInfo[]} games */
  #take(games) {
    this.#games = games;
    this.#translated.version = -1;
  }

  /** @param {Welcome} welcome */
  #welcome(welcome) {
    this.player = welcome.player;
    // The server sends restrictions next, if there are any, and which bots cannot move yet.
    this.#restrict(NO_RESTRICTIONS);
    this.#hearOfBots(ALL_BOTS_PLAY);
    this.#hearAnnouncement(NO_ANNOUNCEMENT);
    this.#take(welcome.games);
    // Repeated first, so that requests sent on the welcome are not sent twice.
    this.#subscriptions.repeat();
    this.#requests.repeat();
    this.dispatchEvent(new Event("status"));
    this.dispatchEvent(new Event("welcome"));
  }

  /** @param {Incoming} message */
  #receive(message) {
    if (message.type === "refused") return this.#refused(message);
    if (message.type === "your_restrictions") return this.#restrict(message);
    if (message.type === "announcement") return this.#hearAnnouncement(message);
    if (message.type === "bot_availability") return this.#hearOfBots(message);
    if (message.type === "interruption") return void this.dispatchEvent(new CustomEvent("interruption", { detail: message }));
    if ("id" in message && message.id) this.#requests.answered(/** @type {{ type: string, id: string }} */ (message));
    if (message.type === "your_tournament") this.dispatchEvent(new CustomEvent("tournament", { detail: message }));
    else if (LOBBY_MESSAGES.has(message.type)) this.dispatchEvent(new CustomEvent("lobby", { detail: message }));
    else this.#subscriptions.tell(message);
  }

  /** @param {Announcement} announcement */
  #hearAnnouncement(announcement) {
    this.announcement = announcement;
    this.dispatchEvent(new Event("announcement"));
  }

  /** @param {BotAvailability} bots */
  #hearOfBots(bots) {
    this.bots = bots;
    this.dispatchEvent(new Event("bots"));
  }

  /** @param {YourRestrictions} restrictions */
  #restrict(restrictions) {
    this.restrictions = restrictions;
    this.dispatchEvent(new Event("restrictions"));
  }

  /** @param {Refused} refused */
  #refused(refused) {
    const isBadHello = refused.code === "malformed" && this.player === null;
    const isOut = refused.code === "signed_out" || (!refused.id && (refused.code === "banned" || refused.code === "bad_token" || isBadHello));
    const isRegistered = refused.code === "guest_registered" && !refused.id;
    if (isRegistered) this.dispatchEvent(new CustomEvent("guestregistered", { detail: refused.message }));
    else if (isOut) this.dispatchEvent(new CustomEvent("signedout", { detail: refused.message }));
    else if (!this.#requests.refused(refused)) this.#subscriptions.refused(refused);
  }
}
