/**
 * A WebSocket to the server that says hello, sends pings, and reconnects when it breaks.
 *
 * No DOM and no commands; the connection repeats requests on a new socket.
 */

import { VERSION } from "../protocol.js";
import { forget, recall, remember } from "../storage.js";

/** @import { Pong, Refused, ServerMessage, Welcome } from "../protocol.js" */

const TOKEN_KEY = "millrace.token";
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;
const PING_EVERY_MS = 5_000;
const SILENCE_MS = 12_000;
/** A connection that breaks sooner counts as another failure: what breaks it may be repeated on the next. */
const STEADY_MS = 5_000;
/** @type {Ending} */
const UNREACHED = { code: 1006, reason: "" };

/** @typedef {"connecting" | "online" | "offline" | "outdated" | "closed"} SocketStatus */
/** How a socket was closed. @typedef {{ code: number, reason: string }} Ending */
/** @typedef {Exclude<ServerMessage, Welcome | Pong>} Incoming Messages for the connection. */
/**
 * @typedef {object} SocketListener
 * @property {() => void} changed The status or the round-trip time changed.
 * @property {(welcome: Welcome) => void} welcomed A new socket is ready: repeat open requests.
 * @property {(message: Incoming) => void} received
 * @property {(end: Ending | null) => void} lost The socket broke, or was silent for too long (null).
 */
/**
 * Who connects.
 * @typedef {object} Identity
 * @property {string} program The name of the program, for the server's operator.
 * @property {() => string | null} token The token to send.
 * @property {(token: string) => void} keep The server has given the player this token.
 * @property {() => boolean} drop The server does not accept the token: returns whether to say hello without one.
 */

/** The browser's guest. @type {Identity} */
const STORED = {
  program: "millrace-web",
  token: () => recall(TOKEN_KEY),
  keep: (token) => remember(TOKEN_KEY, token),
  drop: () => {
    forget(TOKEN_KEY);
    return true;
  },
};

export class ReconnectingSocket {
  /** @type {SocketStatus} */
  status = "connecting";
  /** Whether the current socket has been welcomed. */
  isWelcome = false;
  /** Round-trip time of the last ping in milliseconds; null while unknown. @type {number | null} */
  roundTrip_ms = null;

  /** @type {WebSocket | null} */
  #socket = null;
  #failures = 0;
  #welcomed_ms = 0;
  #clockOffset_ms = 0;
  #lastHeard_ms = 0;
  #nonce = 0;
  /** @type {Map<number, number>} */
  #pingsSent = new Map();
  /** @type {number | undefined} */
  #retry = undefined;
  /** @type {number | undefined} */
  #beats = undefined;

  /** @param {string} url The server's socket. @param {SocketListener} listener @param {Identity} identity */
  constructor(url, listener, identity = STORED) {
    this.url = url;
    this.listener = listener;
    this.identity = identity;
  }

  /** Connect, and reconnect whenever the connection is lost. */
  open() {
    this.#beats = setInterval(() => this.#beat(), PING_EVERY_MS);
    // Outside a browser there are neither network events nor a document.
    globalThis.addEventListener?.("online", () => this.hurry());
    globalThis.addEventListener?.("offline", () => this.#abandon());
    globalThis.document?.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hurry();
    });
    this.#connect();
  }

  /** Close the connection for good. */
  close() {
    clearInterval(this.#beats);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    this.isWelcome = false;
    this.#setStatus("closed");
    socket?.close();
  }

  /** Reconnect with the current cookie. */
  renew() {
    const socket = this.#socket;
    // A socket that is still opening may have sent the old cookie.
    if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
    else socket?.close();
  }

  /** The estimated server time. */
  now_ms() {
    return Date.now() + this.#clockOffset_ms;
  }

  /** Send a message if the current socket has been welcomed. @param {object} message */
  send(message) {
    if (this.isWelcome) this.#write(message);
  }

  #connect() {
    clearTimeout(this.#retry);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#lastHeard_ms = Date.now();
    socket.addEventListener("open", () => this.#hello());
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(event.data));
    });
    const lost = (/** @type {Ending} */ end) => {
      if (socket === this.#socket) this.#lost(end);
    };
    socket.addEventListener("close", lost);
    // Node 20 does not report the close of a socket that could not be opened.
    socket.addEventListener("error", () => lost(UNREACHED));
  }

  #hello() {
    const token = this.identity.token();
    const hello = { type: "hello", version: VERSION, client: this.identity.program };
    this.#write(token === null ? hello : { ...hello, token });
  }

  /** @param {Ending | null} end */
  #lost(end) {
    if (this.isWelcome && Date.now() - this.#welcomed_ms >= STEADY_MS) this.#failures = 0;
    this.#socket = null;
    this.isWelcome = false;
    this.#pingsSent.clear();
    this.roundTrip_ms = null;
    if (this.status === "outdated") return;
    this.#setStatus("offline");
    this.listener.lost(end);
    if (/** @type {SocketStatus} */ (this.status) === "closed") return;
    const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Randomised, so that not all pages reconnect at once after a restart.
    this.#retry = setTimeout(() => this.#connect(), ceiling * (0.5 + Math.random() / 2));
  }

  /** Reconnect without waiting: the network or the reader is back, or the reader asks for it. */
  hurry() {
    if (this.#socket === null && this.status === "offline") this.#connect();
  }

  /** Measure the round trip; give up a socket that is open but dead. */
  #beat() {
    if (this.#socket === null) return;
    if (Date.now() - this.#lastHeard_ms > SILENCE_MS) this.#abandon();
    else if (this.isWelcome) this.#ping();
  }

  /** Take the socket for lost, although it has not been closed. */
  #abandon() {
    const dead = this.#socket;
    if (dead === null) return;
    this.#lost(null);
    dead.close();
  }

  #ping() {
    this.#nonce += 1;
    this.#pingsSent.set(this.#nonce, Date.now());
    this.#write({ type: "ping", nonce: this.#nonce });
  }

  /** @param {object} message */
  #write(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    this.#lastHeard_ms = Date.now();
    if (message.type === "welcome") this.#welcome(message);
    else if (message.type === "pong") this.#pong(message.nonce, message.now_ms);
    else if (message.type !== "refused" || !this.#isOwn(message)) this.listener.received(message);
  }

  /** @param {Welcome} welcome */
  #welcome(welcome) {
    this.isWelcome = true;
    this.#welcomed_ms = Date.now();
    this.#clockOffset_ms = welcome.now_ms - Date.now();
    // Signed in, the cookie is the secret; the guest's token is kept for afterwards.
    if (welcome.token !== "") this.identity.keep(welcome.token);
    this.status = "online";
    this.listener.welcomed(welcome);
    this.#ping();
  }

  /** @param {number} nonce @param {number} now_ms */
  #pong(nonce, now_ms) {
    const sent_ms = this.#pingsSent.get(nonce);
    if (sent_ms === undefined) return;
    this.#pingsSent.clear();
    this.roundTrip_ms = Date.now() - sent_ms;
    this.#clockOffset_ms = now_ms + this.roundTrip_ms / 2 - Date.now();
    this.listener.changed();
  }

  /**
   * @param {Refused} refused
   * @returns {boolean} Whether the refusal answers the hello and needs no message to the reader.
   */
  #isOwn({ code }) {
    if (code === "unsupported_version") {
      this.#setStatus("outdated");
      return true;
    }
    if (code === "unavailable" && !this.isWelcome) {
      // The server cannot read who this is: another connection tries again.
      this.#socket?.close();
      return true;
    }
    if (code !== "bad_token" && code !== "guest_registered") return false;
    if (!this.identity.drop()) return false;
    // The server closes a welcomed socket, and the next one uses the cookie.
    if (this.isWelcome) return true;
    this.#hello();
    return code === "bad_token";
  }

  /** @param {SocketStatus} status */
  #setStatus(status) {
    this.status = status;
    this.listener.changed();
  }
}
