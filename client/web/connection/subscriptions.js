/**
 * What is followed, and who hears of it: matches, what is said beside them, and lists that change.
 *
 * No DOM. Each connection is told anew what is followed. Imported by `connection.js`.
 */

import { UNAVAILABLE_RETRY_MS } from "./requests.js";

/** @import { ReconnectingSocket } from "./reconnecting_socket.js" */
/** @import { Followed } from "./questions.js" */
/** @import { Refused } from "../protocol.js" */

/** @typedef {{ type: keyof Followed, match?: string, game?: string | null }} Request */
/** @typedef {{ request: Request, receive: (message: any) => void }} Subscription */

/** The request from which each message follows. @type {{ [message: string]: keyof Followed }} */
const REQUESTS = {
  watching: "watch",
  match_event: "watch",
  match_events: "watch",
  turn: "watch",
  audience_update: "watch",
  renamed: "watch",
  chat: "watch_chat",
  chat_line_added: "watch_chat",
  live_matches: "watch_lobby",
  online_bots: "watch_lobby",
  seeks: "watch_lobby",
  your_matches: "watch_your_matches",
  live_page: "watch_live",
  featured: "watch_featured",
  open_reports: "watch_reports",
  online_players: "watch_players",
  followed_players: "watch_players",
  notifications: "watch_notifications",
  notification_added: "watch_notifications",
};

export class Subscriptions {
  #line;
  /** @type {Map<string, Subscription>} */
  #followed = new Map();

  /** @param {ReconnectingSocket} line */
  constructor(line) {
    this.#line = line;
  }

  /**
   * Follow something, in place of whoever has followed it until now.
   * @param {Request} request
   * @param {(message: any) => void} receive
   * @returns {() => void} Ends it.
   */
  follow(request, receive) {
    const key = keyOf(request.type, request);
    const subscription = { request, receive };
    this.#followed.set(key, subscription);
    this.#line.send(request);
    return () => {
      if (this.#followed.get(key) !== subscription) return;
      this.#followed.delete(key);
      this.#line.send(ending(request));
    };
  }

  /** On a new connection: follow the same as before. */
  repeat() {
    for (const { request } of this.#followed.values()) this.#line.send(request);
  }

  /** @param {{ type: string, match?: string | null, game?: string | null }} message */
  tell(message) {
    const type = REQUESTS[message.type];
    if (type !== undefined) this.#followed.get(keyOf(type, message))?.receive(message);
  }

  /** @param {Refused} refused No answer to a question: a match cannot be followed. */
  refused(refused) {
    const key = keyOf("watch", { match: refused.match ?? "" });
    if (refused.code === "unavailable") setTimeout(() => this.#followAgain(key), UNAVAILABLE_RETRY_MS);
    else this.#followed.get(key)?.receive(refused);
  }

  /** What the server could not read, if it is still followed. @param {string} key */
  #followAgain(key) {
    const subscription = this.#followed.get(key);
    if (subscription !== undefined) this.#line.send(subscription.request);
  }
}

/**
 * @param {keyof Followed} type
 * @param {{ match?: string | null, game?: string | null }} about
 * @returns {string} Of matches, talks and featured matches many are followed at a time, of the rest one.
 */
function keyOf(type, { match, game }) {
  return `${type} ${type === "watch_featured" ? game : (match ?? "")}`;
}

/** @param {Request} request */
function ending({ type, match, game }) {
  if (type === "watch") return { type: "unwatch", match };
  if (type === "watch_chat") return { type, match, on: false };
  return type === "watch_featured" ? { type, game, on: false } : { type, on: false };
}
