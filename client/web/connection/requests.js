/**
 * Requests that wait for one answer, or for a stream of them. No DOM.
 *
 * Unanswered requests are sent again on the next connection with the same ids; the server gives the same answer to a
 * request that already took effect.
 */

import { wholeCatalogue } from "../language/languages.js";
import { gettext, later } from "../language/texts.js";
import { refusalOfLength } from "./message_length.js";
import { refusalText } from "./refusal_texts.js";

/** @import { ReconnectingSocket } from "./reconnecting_socket.js" */
/** @import { StreamCommand, Streamed } from "./questions.js" */
/** @import { Refused } from "../protocol.js" */

export const UNAVAILABLE_RETRY_MS = 1_000;
const ANSWER_LOST = later("The connection was lost before the server answered. Please try again.");

/**
 * @typedef {object} Pending
 * @property {object} question With its id.
 * @property {(answer: any) => void} resolve Of the type of answer that the question has.
 * @property {(reason: Error) => void} reject
 * @property {boolean} isSent
 * @property {boolean} isLasting Whether it is sent again on the next connection.
 */

/** A request that the server refused; its message is for the reader. */
export class RefusedError extends Error {
  /** @param {Refused} refused */
  constructor(refused) {
    super(refusalText(refused));
    this.code = refused.code;
  }
}

export class Requests {
  #line;
  /** @type {Map<string, Pending>} */
  #pending = new Map();
  /** @type {Map<string, { question: object, receive: (message: Streamed) => void }>} */
  #streams = new Map();

  /** @param {ReconnectingSocket} line */
  constructor(line) {
    this.#line = line;
  }

  /**
   * @param {object} asked
   * @param {string} id
   * @param {boolean} isLasting
   * @returns {Promise<any>} Rejects with RefusedError, or Error if the answer was lost.
   */
  ask(asked, id, isLasting) {
    const question = { ...asked, id };
    const refused = refusalOfLength(question);
    if (refused !== null) return Promise.reject(new RefusedError(refused));
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { question, resolve, reject, isLasting, isSent: this.#line.isWelcome });
      this.#line.send(question);
    });
  }

  /**
   * @param {StreamCommand} asked
   * @param {(message: Streamed) => void} receive
   * @returns {() => void} Ends it before the last answer.
   */
  stream(asked, receive) {
    const id = newId();
    const question = { ...asked, id };
    const refused = refusalOfLength(question);
    if (refused !== null) {
      queueMicrotask(() => receive(refused));
      return () => {};
    }
    this.#streams.set(id, { question, receive });
    this.#line.send(question);
    return () => {
      if (this.#streams.delete(id) && asked.type === "analyse") this.#line.send({ type: "stop_analysis", id: newId() });
    };
  }

  /** Withdraw a request. It is never answered. @param {string} id */
  withdraw(id) {
    this.#settle(id);
  }

  /** On a new connection: repeat the unanswered requests. */
  repeat() {
    for (const { question } of this.#streams.values()) this.#line.send(question);
    for (const pending of this.#pending.values()) {
      pending.isSent = true;
      this.#line.send(pending.question);
    }
  }

  /** The connection has broken. */
  lost() {
    for (const [id, { isLasting, isSent }] of this.#pending) {
      if (isSent && !isLasting) this.#settle(id)?.reject(new Error(gettext(ANSWER_LOST)));
    }
  }

  /** Nothing more will be answered. @param {Error} reason */
  fail(reason) {
    for (const id of this.#pending.keys()) this.#settle(id)?.reject(reason);
  }

  /** @param {{ type: string, id: string }} answer */
  answered(answer) {
    if (this.#streams.has(answer.id)) this.#hear(answer.id, /** @type {Streamed} */ (answer));
    else this.#settle(answer.id)?.resolve(answer);
  }

  /** @param {Refused} refused @returns {boolean} Whether it answers one of these requests. */
  refused(refused) {
    const id = refused.id ?? "";
    const pending = this.#pending.get(id);
    if (this.#streams.has(id)) this.#hear(id, refused);
    else if (pending === undefined) return false;
    else if (refused.code === "unavailable" && pending.isLasting) setTimeout(() => this.#askAgain(id), UNAVAILABLE_RETRY_MS);
    else {
      const settled = this.#settle(id);
      wholeCatalogue().then(() => settled?.reject(new RefusedError(refused)));
    }
    return true;
  }

  /** @param {string} id @param {Streamed} message */
  #hear(id, message) {
    const stream = this.#streams.get(id);
    const isLast = message.type === "evaluated" ? message.is_final : message.type !== "match_progress";
    if (isLast) this.#streams.delete(id);
    stream?.receive(message);
  }

  /** @param {string} id */
  #settle(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** The request that the server could not store or read, if it is still open. @param {string} id */
  #askAgain(id) {
    const pending = this.#pending.get(id);
    if (pending !== undefined) this.#line.send(pending.question);
  }
}

/** `crypto.randomUUID` is missing on plain http. */
const session = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
let ids = 0;

/** A new id for a command. The server keeps it with the match for ever, and packs ids that begin alike. */
export function newId() {
  ids += 1;
  return `${session}-${ids}`;
}
