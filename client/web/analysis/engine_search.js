/**
 * Engine searches: one at a time, with cached results, by the page's own engine where the game has one for browsers.
 *
 * The server searches for the others, once the reader stays at a position, and when it is asked for a deeper search. No
 * DOM.
 */

import { PageEngine } from "../engine/page_engine.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { RefusedError } from "../connection/requests.js" */
/** @import { EngineLine, Evaluated } from "../protocol.js" */
/** @import { PositionCache } from "./position_cache.js" */
/** @import { LineNode } from "./line_tree.js" */

/** A result; the server's says more. @typedef {Pick<Evaluated, "depth" | "nodes" | "nodes_per_second" | "variations" | "is_final">} Result */

/** Delay before a search by the server, so that stepping quickly starts none. */
export const REST_MS = 150;
const SECONDS = 8;
const MORE_SECONDS = 30;

export class EngineSearch {
  #engine = new PageEngine();
  /** @type {Map<LineNode, Result>} */
  #found = new Map();
  /** The number of lines of each completed search. @type {Map<LineNode, number>} */
  #done = new Map();
  /** Those that the page's own engine has searched, but the server has not. @type {Set<LineNode>} */
  #own = new Set();
  /** @type {(() => void) | null} */
  #stop = null;
  #timer = 0;
  /** @type {LineNode | null} */
  #node = null;
  #isPrepared = false;
  /** The answers about positions that have not been searched. @type {Map<LineNode, Promise<EngineLine>>} */
  #prepared = new Map();
  /** The server's reason for refusing; empty for none. */
  refusal = "";

  /** @param {Connection} connection @param {() => void} changed */
  constructor(connection, changed) {
    this.connection = connection;
    this.changed = changed;
  }

  /** @param {LineNode} node @returns {Result | null} The result so far. */
  found(node) {
    return this.#found.get(node) ?? null;
  }

  /** @param {LineNode} node @returns {boolean} Whether the server can search it deeper now. */
  canBeDeeper(node) {
    if (this.#own.has(node)) return this.connection.player?.registered ?? false;
    return this.#found.get(node)?.is_final ?? false;
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
   * @param {boolean} [isMore] Whether the server is to search for longer.
   */
  ask(cache, node, variations, isMore = false) {
    this.end();
    if (!isMore && (this.#done.get(node) ?? 0) >= variations) return;
    this.#node = node;
    if (isMore || !this.#engine.isUsable) this.#askServer(cache, node, variations, isMore);
    else this.#askHere(cache, node, variations);
  }

  /** A search will be asked for soon. */
  start() {
    this.#engine.start();
  }

  /**
   * Load the engine for the first position, while the position itself is still unknown.
   * @param {PositionCache} cache
   * @param {LineNode} node
   */
  prepare(cache, node) {
    if (!this.#engine.isUsable || this.#isPrepared) return;
    this.#isPrepared = true;
    const asked = this.#ask(cache, node);
    this.#prepared.set(node, asked);
    asked.then(({ module }) => module !== null && this.#engine.load(module), () => undefined);
  }

  /** Stop searching. */
  end() {
    clearTimeout(this.#timer);
    this.#engine.stop();
    this.#stop?.();
    this.#stop = null;
    this.#node = null;
    this.refusal = "";
  }

  /** Stop, and free the memory of the page's engine. */
  close() {
    this.end();
    this.#engine.close();
  }

  /** @param {PositionCache} cache @param {LineNode} node @returns {Promise<EngineLine>} */
  #ask(cache, node) {
    return this.connection.ask({ type: "get_engine_line", line: cache.line(node) });
  }

  /** @param {PositionCache} cache @param {LineNode} node @param {number} variations */
  async #askHere(cache, node, variations) {
    /** @type {EngineLine} */
    let line;
    try {
      line = await (this.#prepared.get(node) ?? this.#ask(cache, node));
    } catch (error) {
      if (node === this.#node) this.#refuse(/** @type {RefusedError} */ (error).message);
      return;
    }
    if (node !== this.#node) return;
    this.#prepared.delete(node);
    if (line.module === null) return this.#askServer(cache, node, variations, false);
    this.#engine.analyse(line, variations, (found) => {
      if (found === null) return this.#askServer(cache, node, variations, false);
      this.#own.add(node);
      this.#take(node, variations, found);
    });
  }

  /** @param {PositionCache} cache @param {LineNode} node @param {number} variations @param {boolean} isMore */
  #askServer(cache, node, variations, isMore) {
    this.#own.delete(node);
    const seconds = isMore ? MORE_SECONDS : SECONDS;
    this.#timer = setTimeout(() => {
      this.#stop = this.connection.stream({ type: "analyse", line: cache.line(node), variations, seconds }, (message) => {
        if (node !== this.#node) return;
        if (message.type === "refused") this.#refuse(message.message);
        if (message.type === "evaluated") this.#take(node, variations, message);
      });
    }, REST_MS);
  }

  /** @param {LineNode} node @param {number} variations @param {Result} found */
  #take(node, variations, found) {
    this.refusal = "";
    const known = this.#found.get(node);
    // A search that begins anew is not shown before it is as deep.
    if (known?.variations.length !== found.variations.length || known.depth <= found.depth) this.#found.set(node, found);
    if (found.is_final) {
      this.#done.set(node, variations);
      this.#node = null;
    }
    this.changed();
  }

  /** @param {string} reason */
  #refuse(reason) {
    this.refusal = reason;
    this.#node = null;
    this.changed();
  }
}
