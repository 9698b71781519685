/**
 * The connection to the server: what is asked over its line, what is followed, and who the reader is there.
 *
 * No DOM, and nothing of what the questions are about: `Questions` and `Followed` in `questions.js` list them.
 */

import { ReconnectingSocket } from "./reconnecting_socket.js";
import { Requests, randomId } from "./requests.js";
import { Subscriptions } from "./subscriptions.js";

/** @import { Incoming } from "./reconnecting_socket.js" */
/** @import { Command, Followed, Questions, StreamCommand, Streamed } from "./questions.js" */
/** @import { Accepted, GameInfo, Player, Refused, Welcome, YourRestrictions } from "../protocol.js" */

/** @type {YourRestrictions} */
const NO_STANDING = { type: "your_restrictions", role: null, mute_text: "", muted_until_ms: null, name_removed: false };
const MEETING = new Set(["searching", "paired", "search_ended", "challenges"]);

/** Fires `status`, `welcome` and `standing` events, `signedout` with the server's words as its detail, `commanded` with each command that has had its effect, and `meeting` with each message about meeting people as its detail. */
export class Connection extends EventTarget {
  /** Who this browser is to others; null before the first welcome. @type {Player | null} */
  player = null;
  /** The games that the server offers. @type {GameInfo[]} */
  games = [];
  /** What holds of the reader beyond what holds of everybody. @type {YourRestrictions} */
  standing = NO_STANDING;

  #line;
  #requests;
  #subscriptions;

  /** @param {string} url Of the server's socket. */
  constructor(url) {
    super();
    this.#line = new ReconnectingSocket(url, {
      changed: () => this.dispatchEvent(new Event("status")),
      welcomed: (welcome) => this.#welcome(welcome),
      received: (message) => this.#receive(message),
      lost: () => this.#requests.lost(),
    });
    this.#requests = new Requests(this.#line);
    this.#subscriptions = new Subscriptions(this.#line);
  }

  get status() {
    return this.#line.status;
  }

  /** Of the last ping, in milliseconds; null while unknown. */
  get roundTrip_ms() {
    return this.#line.roundTrip_ms;
  }

  /** Connect now, and again whenever the connection is lost. */
  open() {
    this.#line.open();
  }

  /**
   * Begin as soon as the games are known.
   * @param {() => void} begin
   * @returns {() => void} Ends the waiting.
   */
  whenKnown(begin) {
    if (this.games.length > 0) begin();
    else this.addEventListener("welcome", begin, { once: true });
    return () => this.removeEventListener("welcome", begin);
  }

  /** Connect anew, because this browser has signed in or out in another tab. */
  renew() {
    this.#line.renew();
  }

  /** The server's clock, as well as it can be known here. @returns {number} */
  now_ms() {
    return this.#line.now_ms();
  }

  /**
   * Ask for something until it is answered.
   * @template {keyof Questions} Type
   * @param {{ type: Type } & Questions[Type][0]} question
   * @param {string} [id] By which it is known when it is asked again.
   * @returns {Promise<Questions[Type][1]>} Rejects with RefusedError.
   */
  ask(question, id = randomId()) {
    return this.#requests.ask(question, id, true);
  }

  /**
   * Ask for something that is not asked again when the connection breaks.
   * @template {keyof Questions} Type
   * @param {{ type: Type } & Questions[Type][0]} question
   * @returns {Promise<Questions[Type][1]>} Rejects with RefusedError, or Error if the answer was lost.
   */
  askOnce(question) {
    return this.#requests.ask(question, randomId(), false);
  }

  /**
   * Ask for something that changes a match, and let all know that it did.
   * @param {Command} command
   * @returns {Promise<Accepted>} Rejects with RefusedError.
   */
  async command(command) {
    const accepted = await this.ask(command);
    this.dispatchEvent(new CustomEvent("commanded", { detail: command }));
    return accepted;
  }

  /**
   * Ask for something that is answered again and again, across reconnections, until the last answer or a refusal.
   * @param {StreamCommand} command
   * @param {(message: Streamed) => void} receive
   * @returns {() => void} Ends it before.
   */
  stream(command, receive) {
    return this.#requests.stream(command, receive);
  }

  /**
   * Hear of something whenever it changes, across reconnections. There is one who hears of each thing: the latest.
   * @template {keyof Followed} Type
   * @param {{ type: Type } & Followed[Type][0]} request Sent on each connection; what is another then is a getter.
   * @param {(message: Followed[Type][1]) => void} receive
   * @returns {() => void} Ends it.
   */
  follow(request, receive) {
    return this.#subscriptions.follow(request, receive);
  }

  /** @param {Welcome} welcome */
  #welcome(welcome) {
    this.player = welcome.player;
    // What holds beyond what holds of everybody is told next, if anything does.
    this.#stand(NO_STANDING);
    this.games = welcome.games;
    this.dispatchEvent(new Event("status"));
    this.dispatchEvent(new Event("welcome"));
    this.#subscriptions.repeat();
    this.#requests.repeat();
  }

  /** @param {Incoming} message */
  #receive(message) {
    if (message.type === "refused") return this.#refused(message);
    if (message.type === "your_restrictions") return this.#stand(message);
    if ("id" in message && message.id) this.#requests.answered(/** @type {{ type: string, id: string }} */ (message));
    if (MEETING.has(message.type)) this.dispatchEvent(new CustomEvent("meeting", { detail: message }));
    else this.#subscriptions.tell(message);
  }

  /** @param {YourRestrictions} standing */
  #stand(standing) {
    this.standing = standing;
    this.dispatchEvent(new Event("standing"));
  }

  /** @param {Refused} refused */
  #refused(refused) {
    const isOut = refused.code === "signed_out" || (refused.code === "banned" && !refused.id);
    if (isOut) this.dispatchEvent(new CustomEvent("signedout", { detail: refused.message }));
    else if (!this.#requests.refused(refused)) this.#subscriptions.refused(refused);
  }
}
