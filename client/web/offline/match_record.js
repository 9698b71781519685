/**
 * The record of a followed match: the server's messages about it, kept once it is over.
 *
 * Only matches in which the reader has a seat are kept. No DOM.
 */

/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { MatchEvent, Player } from "../protocol.js" */
/** @import { KeptMatch } from "./device_store.js" */

const RECORDED = new Set(["watching", "match_event", "match_events", "renamed"]);

export class MatchRecord {
  /** Whether the server has sent anything. */
  hasHeard = false;
  /** @type {MatchMessage[]} */
  #messages = [];
  #isOwn = false;
  #game = "";
  /** @type {(Player | null)[]} */
  #players = [];
  /** @type {number | null} */
  #ended_ms = null;

  /** @param {string} match @param {(message: MatchMessage) => void} receive */
  constructor(match, receive) {
    this.match = match;
    this.receive = receive;
  }

  /**
   * Record a message and pass it on.
   * @param {MatchMessage} message
   * @returns {KeptMatch | null} What to keep; null while the match is not over.
   */
  hear(message) {
    this.hasHeard = true;
    if (RECORDED.has(message.type)) {
      this.#messages.push(message);
      if (message.type === "watching") this.#isOwn ||= message.your_seats.length > 0;
      if (message.type === "match_event") this.#note(message);
      if (message.type === "match_events") for (const each of message.events) this.#note(each);
    }
    this.receive(message);
    if (this.#ended_ms === null || !this.#isOwn || !RECORDED.has(message.type)) return null;
    return { key: this.match, at_ms: this.#ended_ms, game: this.#game, players: this.#players, messages: this.#messages };
  }

  /** @param {MatchEvent} event */
  #note({ event, at_ms }) {
    if (event.type === "created") {
      this.#game = event.game;
      this.#players = event.seats.map(() => null);
    } else if (event.type === "seated") {
      this.#players[event.seat] = event.player;
    } else if (event.type === "ended") {
      this.#ended_ms = at_ms;
    }
  }
}
