/**
 * What the server knows about the openings of shown positions: asked once for each, the latest question only.
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
  /** Why the server does not answer; empty for no reason. */
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
        // What is lost with the connection is asked again at the next visit.
        if (error instanceof RefusedError) this.refusal = error.message;
      }
    }
    this.changed();
  }

  get #known() {
    return this.#found[Number(this.isForPeople)];
  }
}
