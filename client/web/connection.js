/**
 * The connection to the server: what is asked over its line, who follows what, and what must survive the line's loss.
 *
 * No DOM. After each reconnection it follows the same matches from the last event that each follower has, and sends
 * commands without an answer again under their old ids, which the server answers alike if they had their effect already.
 */

import { Line } from "./line.js";

/** @import { Heard } from "./line.js" */
/** @import { Accepted, AccountCommand, Challenges, Chat, Command, Described, Done, GameInfo, Leaders, LiveMatches, MatchMessage, MeetingAnswer, MeetingCommand, OnlineBots, Paired, Player, Previewed, Profile, RatingKind, Refused, Said, SearchEnded, Searching, Seeks, TalkCommand, Welcome, YourMatch } from "./protocol.js" */

const UNAVAILABLE_RETRY_MS = 1_000;
const ANSWER_LOST = "The connection was lost before the server answered; please try again.";

/**
 * @typedef {object} Follower
 * @property {() => number} since The number of the last event that it has.
 * @property {(message: MatchMessage) => void} receive
 */
/**
 * @typedef {object} Pending
 * @property {object} command With its id.
 * @property {(answer: any) => void} resolve Of the type of answer that the message has.
 * @property {(reason: Error) => void} reject
 * @property {boolean} isSent
 * @property {boolean} isLasting Whether it is sent again on the next connection.
 */

/** A command that the server refused; its message is for people. */
export class RefusedError extends Error {
  /** @param {Refused} refused */
  constructor(refused) {
    super(refused.message);
    this.code = refused.code;
  }
}

/** Fires `status` and `welcome` events, `signedout` with the server's words as its detail, and `meeting` with each message about meeting people as its detail. */
export class Connection extends EventTarget {
  /** Who this browser is to others; null before the first welcome. @type {Player | null} */
  player = null;
  /** The games that the server offers. @type {GameInfo[]} */
  games = [];

  #line;
  /** @type {Map<string, Pending>} */
  #pending = new Map();
  /** @type {Map<string, Follower>} */
  #followers = new Map();
  /** Who hears what is said beside a match. @type {Map<string, (message: Chat | Said) => void>} */
  #hearers = new Map();
  /** @type {((list: LiveMatches | OnlineBots | Seeks) => void) | null} */
  #lobby = null;
  /** @type {((matches: YourMatch[]) => void) | null} */
  #ownMatches = null;

  /** @param {string} url Of the server's socket. */
  constructor(url) {
    super();
    this.#line = new Line(url, {
      changed: () => this.dispatchEvent(new Event("status")),
      welcomed: (welcome) => this.#welcome(welcome),
      received: (message) => this.#receive(message),
      lost: () => this.#lost(),
    });
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

  /** The server's clock, as well as it can be known here. @returns {number} */
  now_ms() {
    return this.#line.now_ms();
  }

  /**
   * Send a command until it is answered.
   * @param {Command} command
   * @returns {Promise<Accepted>} Rejects with RefusedError.
   */
  command(command) {
    return this.#ask(command);
  }

  /**
   * Ask what a match from a set-up text would begin with.
   * @param {string} game
   * @param {string} setup
   * @returns {Promise<Previewed>} Rejects with RefusedError.
   */
  preview(game, setup) {
    return this.#ask({ type: "preview", game, setup });
  }

  /**
   * Ask for something of a quick pairing, or block somebody; what comes of it is told by `meeting` events too.
   * @param {MeetingCommand} command
   * @param {string} [id] By which it is known when it is asked again.
   * @returns {Promise<MeetingAnswer>} Rejects with RefusedError.
   */
  meet(command, id) {
    return this.#ask(command, id);
  }

  /**
   * Ask for the position of a match after so many plies.
   * @param {string} match
   * @param {number} ply
   * @returns {Promise<Described>} Rejects with RefusedError.
   */
  describe(match, ply) {
    return this.#ask({ type: "describe", match, ply });
  }

  /**
   * Ask for the best players of a kind of match.
   * @param {RatingKind} kind
   * @returns {Promise<Leaders>} Rejects with RefusedError.
   */
  leaders(kind) {
    return this.#ask({ type: "get_leaders", kind });
  }

  /**
   * Ask for what there is to see of a player.
   * @param {string} name Of an account, or a bot's id.
   * @returns {Promise<Profile>} Rejects with RefusedError.
   */
  profile(name) {
    return this.#ask({ type: "get_profile", name });
  }

  /**
   * Ask for something about the account. Unlike commands this is not sent again when the connection breaks.
   * @param {AccountCommand} command
   * @returns {Promise<any>} Of the type that answers it; rejects with RefusedError, or Error if the answer was lost.
   */
  account(command) {
    return this.#ask(command, undefined, false);
  }

  /** Connect anew, because this browser has signed in or out in another tab. */
  renew() {
    this.#line.renew();
  }

  /**
   * Say something, mute somebody or send a report.
   * @param {TalkCommand} command
   * @returns {Promise<Done>} Rejects with RefusedError.
   */
  talk(command) {
    return this.#ask(command);
  }

  /**
   * Hear what is said beside a match, across reconnections, or no longer.
   * @param {string} match
   * @param {((message: Chat | Said) => void) | null} receive
   */
  listen(match, receive) {
    if (receive === null) this.#hearers.delete(match);
    else this.#hearers.set(match, receive);
    this.#line.send({ type: "watch_chat", match, on: receive !== null });
  }

  /**
   * @param {object} message
   * @param {string} [id]
   * @param {boolean} [isLasting]
   * @returns {Promise<any>}
   */
  #ask(message, id = randomId(), isLasting = true) {
    return new Promise((resolve, reject) => {
      const pending = { command: { ...message, id }, resolve, reject, isLasting, isSent: this.#line.isWelcome };
      this.#pending.set(id, pending);
      this.#line.send(pending.command);
    });
  }

  /**
   * Follow a match from the event after `follower.since()`, across reconnections.
   * @param {string} match
   * @param {Follower} follower
   */
  follow(match, follower) {
    this.#followers.set(match, follower);
    this.#line.send(this.#watching(match) ?? {});
  }

  /** @param {string} match */
  unfollow(match) {
    if (this.#followers.delete(match)) this.#line.send({ type: "unwatch", match });
  }

  /**
   * Follow the lists of live matches, of bots and of seeks, or no longer.
   * @param {((list: LiveMatches | OnlineBots | Seeks) => void) | null} receive
   */
  followLobby(receive) {
    const isChange = (receive === null) !== (this.#lobby === null);
    this.#lobby = receive;
    if (isChange) this.#line.send({ type: "watch_lobby", on: receive !== null });
  }

  /**
   * Follow the list of one's own matches, or no longer.
   * @param {((matches: YourMatch[]) => void) | null} receive
   */
  followOwnMatches(receive) {
    const isChange = (receive === null) !== (this.#ownMatches === null);
    this.#ownMatches = receive;
    if (isChange) this.#line.send({ type: "watch_your_matches", on: receive !== null });
  }

  #lost() {
    for (const [id, { isLasting, isSent }] of this.#pending) {
      if (isSent && !isLasting) this.#settle(id, (pending) => pending.reject(new Error(ANSWER_LOST)));
    }
  }

  /** @param {Heard} message */
  #receive(message) {
    switch (message.type) {
      case "accepted":
      case "previewed":
      case "described":
      case "done":
      case "signed_in":
      case "token_created":
      case "tokens":
      case "leaders":
      case "profile":
        return this.#settle(message.id, (pending) => pending.resolve(message));
      case "refused":
        return this.#refused(message);
      case "chat":
      case "said":
        return this.#hearers.get(message.match)?.(message);
      case "your_matches":
        return this.#ownMatches?.(message.matches);
      case "live_matches":
      case "online_bots":
      case "seeks":
        return this.#lobby?.(message);
      case "searching":
      case "paired":
      case "search_ended":
      case "challenges":
        return this.#meet(message);
      case "blocked":
        return this.#settle(message.id, (pending) => pending.resolve(message));
      default:
        return this.#followers.get(message.match)?.receive(message);
    }
  }

  /** @param {Searching | Paired | SearchEnded | Challenges} message */
  #meet(message) {
    if (message.type !== "challenges" && message.id) this.#settle(message.id, (pending) => pending.resolve(message));
    this.dispatchEvent(new CustomEvent("meeting", { detail: message }));
  }

  /** @param {Welcome} welcome */
  #welcome(welcome) {
    this.player = welcome.player;
    this.games = welcome.games;
    this.dispatchEvent(new Event("status"));
    this.dispatchEvent(new Event("welcome"));
    for (const match of this.#followers.keys()) this.#line.send(this.#watching(match) ?? {});
    for (const match of this.#hearers.keys()) this.#line.send({ type: "watch_chat", match, on: true });
    if (this.#lobby !== null) this.#line.send({ type: "watch_lobby", on: true });
    if (this.#ownMatches !== null) this.#line.send({ type: "watch_your_matches", on: true });
    for (const pending of this.#pending.values()) {
      pending.isSent = true;
      this.#line.send(pending.command);
    }
  }

  /** @param {Refused} refused */
  #refused(refused) {
    if (refused.code === "signed_out") {
      this.dispatchEvent(new CustomEvent("signedout", { detail: refused.message }));
      return;
    }
    if (refused.id && this.#pending.has(refused.id)) {
      const { isLasting } = /** @type {Pending} */ (this.#pending.get(refused.id));
      if (refused.code === "unavailable" && isLasting) return this.#later(() => this.#pending.get(refused.id ?? "")?.command);
      return this.#settle(refused.id, (pending) => pending.reject(new RefusedError(refused)));
    }
    const { match } = refused;
    if (!match) return;
    if (refused.code === "unavailable") this.#later(() => this.#watching(match));
    else this.#followers.get(match)?.receive(refused);
  }

  /**
   * What the server could not store or read is asked again after a while, if it still matters then.
   * @param {() => object | undefined} message
   */
  #later(message) {
    setTimeout(() => {
      const again = message();
      if (again !== undefined) this.#line.send(again);
    }, UNAVAILABLE_RETRY_MS);
  }

  /**
   * @param {string} match
   * @returns {object | undefined} The request to follow it, unless it is no longer followed.
   */
  #watching(match) {
    const follower = this.#followers.get(match);
    return follower && { type: "watch", match, since: follower.since() };
  }

  /**
   * @param {string} id
   * @param {(pending: Pending) => void} answer
   */
  #settle(id, answer) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending) answer(pending);
  }
}

/** `crypto.randomUUID` is missing on plain http. @returns {string} */
function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
