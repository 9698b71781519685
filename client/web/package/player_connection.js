/** A connection of a program: with a token of its own, commands with defaults, and an end that everything notices. */

import { Connection } from "../connection/connection.js";
import { ConnectionLostError } from "./connection_lost.js";
import { MatchFeed } from "./match_feed.js";
import { ME, OPEN } from "./seats.js";

/** @import * as Interface from "./millrace.d.mts" */
/** @import { Ending } from "../connection/reconnecting_socket.js" */
/** @import { Questions } from "../connection/questions.js" */
/** @import { SeatPlan, Seek } from "../protocol.js" */

/** Close codes for errors of this program, which would recur after reconnecting (RFC 6455, section 7.4.1). */
const PERMANENT = new Set([1002, 1003, 1007, 1008, 1009]);
const OUTDATED = "The server speaks another version of the protocol. Get the package from this server again.";

/**
 * Fires `ended` when the connection is over.
 * @implements {Omit<Interface.Connection, "player">}
 */
export class PlayerConnection extends Connection {
  token;
  /** The challenges that wait for this player's answer. @type {readonly Seek[]} */
  challenges = [];
  /** Why the connection is over; null while it is not. @type {ConnectionLostError | null} */
  error = null;
  #url;
  #isWelcome = false;
  /** By match. @type {Map<string, MatchFeed>} */
  #feeds = new Map();

  /** @param {string} url @param {string} token Empty for a new guest. @param {string} program */
  constructor(url, token, program) {
    super(url, {
      program,
      token: () => this.token || null,
      keep: (given) => (this.token = given),
      drop: () => false,
    });
    this.token = token;
    this.#url = url;
    for (const type of ["signedout", "guestregistered"]) this.addEventListener(type, (event) => this.#fail(detailOf(event)));
    this.addEventListener("welcome", () => (this.#isWelcome = true));
    this.addEventListener("lost", (event) => this.#lost(detailOf(event)));
    this.addEventListener("status", () => this.status === "outdated" && this.#fail(OUTDATED));
    this.addEventListener("lobby", (event) => {
      const news = detailOf(event);
      if (news.type === "challenges") this.challenges = news.challenges;
    });
  }

  /** Open the connection and wait for the server's welcome. @returns {Promise<void>} Rejects with ConnectionLostError. */
  connected() {
    return new Promise((resolve, reject) => {
      this.whenKnown(resolve);
      this.addEventListener("ended", () => reject(this.error));
      this.open();
    });
  }

  /**
   * @template {keyof Questions} Type
   * @param {{ type: Type } & Questions[Type][0]} question
   * @param {string} [id]
   * @returns {Promise<Questions[Type][1]>}
   */
  ask(question, id) {
    return this.error === null ? super.ask(question, id) : Promise.reject(this.error);
  }

  /** @param {string} game @param {readonly SeatPlan[]} seats @param {Interface.MatchOptions} [options] */
  create(game, seats, options) {
    return this.command({ type: "create", game, seats: [...seats], ...options });
  }

  /** @param {string} name @param {string} game @param {Interface.ChallengeOptions} [options] */
  challenge(name, game, { seats = [ME, OPEN], ...options } = {}) {
    return this.create(game, seats, { shuffle: true, ...options, invited: name });
  }

  /** @param {string} match @param {number | null} [seat] */
  join(match, seat = null) {
    return this.command({ type: "join", match, seat });
  }

  /** @param {string} match */
  watch(match) {
    this.#feeds.get(match)?.close();
    const feed = new MatchFeed(this, match, () => this.#feeds.delete(match));
    if (this.error === null) this.#feeds.set(match, feed);
    else feed.fail(this.error);
    return feed;
  }

  close() {
    this.#fail("This program has closed the connection.");
  }

  /** @param {Ending | null} end Null for a silence, such as while the server starts. */
  #lost(end) {
    const wasWelcome = this.#isWelcome;
    this.#isWelcome = false;
    if (end === null) return;
    // Before its welcome, a server that is full or has just started may close a connection that is in order.
    if (wasWelcome && PERMANENT.has(end.code)) this.#fail(end.reason || `The server closed the connection (${end.code}).`);
    else if (this.player === null) this.#fail(end.reason || `Could not connect to ${this.#url}. ${this.#hint()}`);
  }

  #hint() {
    const page = globalThis.location?.origin;
    const isElsewhere = page !== undefined && new URL(page).host !== new URL(this.#url).host;
    return isElsewhere ? `Is the server running, and with --origin ${page}?` : "Is the server running?";
  }

  /** @param {string} reason */
  #fail(reason) {
    if (this.error !== null) return;
    this.error = new ConnectionLostError(reason);
    this.end(this.error);
    for (const feed of this.#feeds.values()) feed.fail(this.error);
    this.dispatchEvent(new globalThis.Event("ended"));
  }
}

/** @param {Event} event */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
