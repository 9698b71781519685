/** Subscriptions to matches, chat and lists. They are sent again on every new connection. No DOM. */

import { UNAVAILABLE_RETRY_MS } from "./requests.js";

/** @import { ReconnectingSocket } from "./reconnecting_socket.js" */
/** @import { Followed } from "./questions.js" */
/** @import { Refused } from "../protocol.js" */

/** @typedef {{ type: keyof Followed, match?: string, game?: string | null, tournament?: string, ladder?: string, race?: string, study?: string, page?: number | null }} Request */
/** @typedef {{ match?: string | null, game?: string | null, tournament?: string, ladder?: string, race?: string, study?: string, summary?: { tournament?: string, ladder?: string } | null }} About */
/** @typedef {{ request: Request, receive: (message: any) => void }} Subscription */

/** The request that each message answers. @type {{ [message: string]: keyof Followed }} */
const REQUESTS = {
  watching: "watch",
  match_event: "watch",
  match_events: "watch",
  turn: "watch",
  bot_turn: "think_for_bot",
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
  tournaments: "watch_tournaments",
  tournament_view: "watch_tournament",
  tournament_update: "watch_tournament",
  ladder_view: "watch_ladder",
  race_view: "watch_race",
  study_news: "watch_study",
};

/** The requests refused without saying which one. @type {Partial<Record<Refused["code"], (keyof Followed)[]>>} */
const UNKNOWN = { unknown_tournament: ["watch_tournament", "watch_ladder"], unknown_race: ["watch_race"] };

export class Subscriptions {
  #line;
  /** @type {Map<string, Subscription>} */
  #followed = new Map();

  /** @param {ReconnectingSocket} line */
  constructor(line) {
    this.#line = line;
  }

  /**
   * Subscribe to something, replacing an earlier subscription to it.
   * @param {Request} request
   * @param {(message: any) => void} receive
   * @returns {() => void} Ends the subscription.
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

  /** Send all subscriptions again, on a new connection. */
  repeat() {
    for (const { request } of this.#followed.values()) this.#line.send(request);
  }

  /** @param {{ type: string } & About} message */
  tell(message) {
    const type = REQUESTS[message.type];
    if (type !== undefined) this.#followed.get(keyOf(type, message))?.receive(message);
  }

  /** @param {Refused} refused Why a match cannot be watched. */
  refused(refused) {
    const concerned = UNKNOWN[refused.code];
    if (concerned !== undefined) return this.#tellAll(concerned, refused);
    const key = keyOf("watch", { match: refused.match ?? "" });
    if (refused.code === "unavailable") setTimeout(() => this.#followAgain(key), UNAVAILABLE_RETRY_MS);
    else this.#followed.get(key)?.receive(refused);
  }

  /** The page follows one tournament, ladder or race at a time. @param {(keyof Followed)[]} types @param {Refused} refused */
  #tellAll(types, refused) {
    for (const { request, receive } of this.#followed.values()) if (types.includes(request.type)) receive(refused);
  }

  /** Subscribe again to a match that the server could not read. @param {string} key */
  #followAgain(key) {
    const subscription = this.#followed.get(key);
    if (subscription !== undefined) this.#line.send(subscription.request);
  }
}

/**
 * @param {keyof Followed} type
 * @param {About} about
 * @returns {string} Many matches, chats and featured games can be subscribed to at a time, but only one of each list.
 */
function keyOf(type, { match, game, tournament, ladder, race, study, summary }) {
  return `${type} ${type === "watch_featured" ? game : (match ?? tournament ?? ladder ?? race ?? study ?? summary?.tournament ?? summary?.ladder ?? "")}`;
}

/** @param {Request} request */
function ending({ type, match, game, tournament, ladder, race, study }) {
  if (type === "watch_tournament") return { type: "unwatch_tournament", tournament };
  if (type === "watch_ladder") return { type, ladder, on: false };
  if (type === "watch_race") return { type, race, on: false };
  if (type === "watch_study") return { type, study, on: false };
  if (type === "watch") return { type: "unwatch", match };
  if (type === "watch_chat" || type === "think_for_bot") return { type, match, on: false };
  return type === "watch_featured" ? { type, game, on: false } : { type, on: false };
}
