/**
 * Engine searches: one at a time, started once the reader stays at a position, with cached results.
 *
 * No DOM.
 */

/** @import { Connection } from "../connection/connection.js" */
/** @import { Evaluated } from "../protocol.js" */
/** @import { PositionCache } from "./position_cache.js" */
/** @import { LineNode } from "./line_tree.js" */

/** Delay before a search, so that stepping quickly starts none. */
export const REST_MS = 150;
const SECONDS = 8;
const MORE_SECONDS = 30;

export class EngineSearch {
  /** @type {Map<LineNode, Evaluated>} */
  #found = new Map();
  /** The number of lines of each completed search. @type {Map<LineNode, number>} */
  #done = new Map();
  /** @type {(() => void) | null} */
  #stop = null;
  #timer = 0;
  /** @type {LineNode | null} */
  #node = null;
  /** The server's reason for refusing; empty for none. */
  refusal = "";

  /** @param {Connection} connection @param {() => void} changed */
  constructor(connection, changed) {
    this.connection = connection;
    this.changed = changed;
  }

  /** @param {LineNode} node @returns {Evaluated | null} The result so far. */
  found(node) {
    return this.#found.get(node) ?? null;
  }

  /** Whether a search is running or scheduled. */
  get isGoing() {
    return this.#node !== null;
  }

  /**
   * Search a position, unless that is already done.
   * @param {PositionCache} cache
   * @param {LineNode} node
   * @param {number} variations
   * @param {boolean} [isMore] Whether to search longer.
   */
  ask(cache, node, variations, isMore = false) {
    this.end();
    if (!isMore && (this.#done.get(node) ?? 0) >= variations) return;
    this.#node = node;
    const seconds = isMore ? MORE_SECONDS : SECONDS;
    this.#timer = setTimeout(() => {
      this.#stop = this.connection.stream({ type: "analyse", line: cache.line(node), variations, seconds }, (message) => {
        if (node !== this.#node) return;
        this.refusal = message.type === "refused" ? message.message : "";
        if (message.type === "evaluated") this.#found.set(node, message);
        const isLast = message.type === "refused" || (message.type === "evaluated" && message.is_final);
        if (isLast) this.#node = null;
        if (isLast && message.type === "evaluated") this.#done.set(node, variations);
        this.changed();
      });
    }, REST_MS);
  }

  /** Stop searching. */
  end() {
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#stop = null;
    this.#node = null;
    this.refusal = "";
  }
}
