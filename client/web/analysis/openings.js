/**
 * Opening statistics of the shown positions, requested once for each; only the latest request is sent.
 *
 * No DOM.
 */

import { RefusedError } from "../connection/requests.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { OpeningExplored } from "../protocol.js" */
/** @import { LineNode } from "./line_tree.js" */
/** @import { PositionCache } from "./position_cache.js" */

export class OpeningSearch {
  /** Whether matches with bots are left out. */
  isForPeople = false;
  /** The server's reason for refusing; empty for none. */
  refusal = "";
  /** @type {[Map<LineNode, OpeningExplored>, Map<LineNode, OpeningExplored>]} */
  #found = [new Map(), new Map()];

  /** @param {Connection} connection @param {() => void} changed */
  constructor(connection, changed) {
    this.connection = connection;
    this.changed = changed;
  }

  /** @param {LineNode} node @returns {OpeningExplored | null} */
  found(node) {
    return this.#known.get(node) ?? null;
  }

  /** @param {PositionCache} cache @param {LineNode} node */
  async ask(cache, node) {
    const known = this.#known;
    this.refusal = "";
    if (!known.has(node)) {
      try {
        known.set(node, await this.connection.askOnce({ type: "explore_opening", line: cache.line(node), people: this.isForPeople }));
      } catch (error) {
        // A request lost with the connection is repeated at the next visit.
        if (error instanceof RefusedError) this.refusal = error.message;
      }
    }
    this.changed();
  }

  get #known() {
    return this.#found[Number(this.isForPeople)];
  }
}
