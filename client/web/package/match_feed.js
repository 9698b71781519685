/** A match that a program follows: its state, this player's turns, its events and its end. */

import { RefusedError } from "../connection/requests.js";
import { MatchState } from "../match/match_state.js";
import { listMoves } from "./seats.js";

/** @import * as Interface from "./millrace.d.mts" */
/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { Event, MoveTree } from "../protocol.js" */
/** @import { PlayerConnection } from "./player_connection.js" */

/** @implements {Interface.MatchFeed} */
export class MatchFeed {
  match;
  #connection;
  #forget;
  /** @type {() => void} */
  #unfollow = () => {};
  /** What is called at each change. @type {Set<(news: Event[]) => void>} */
  #listeners = new Set();
  /** Why nothing more will come. @type {Error | null} */
  #error = null;
  /** The turn that was given out last. @type {{ from: number, turn: MyTurn } | null} */
  #given = null;

  /** @param {PlayerConnection} connection @param {string} match @param {() => void} forget Called when it is over. */
  constructor(connection, match, forget) {
    this.#connection = connection;
    this.#forget = forget;
    this.match = new MatchState(match, () => connection.player?.id);
    this.#follow();
  }

  /** The turn of one of the player's seats; null at other times. @returns {MyTurn | null} */
  get turn() {
    const { isLoaded, moves, toMove, turnFrom } = this.match;
    const isOpen = isLoaded && moves !== null && toMove !== null;
    if (this.#given !== null && (!isOpen || this.#given.from !== turnFrom)) {
      this.#given.turn.end();
      this.#given = null;
    }
    if (isOpen) this.#given ??= { from: turnFrom, turn: new MyTurn(this.#connection, this.match, toMove, moves) };
    return this.#given?.turn ?? null;
  }

  async *turns() {
    /** @type {MyTurn | null} */
    let seen = null;
    while (this.match.end === null) {
      const { turn } = this;
      if (turn === null || turn === seen) await this.changed();
      else yield (seen = turn);
    }
  }

  async *events() {
    /** @type {Event[]} */
    const buffer = [];
    const listen = (/** @type {Event[]} */ news) => void buffer.push(...news);
    this.#listeners.add(listen);
    try {
      for (;;) {
        for (const event of buffer.splice(0)) {
          yield event;
          if (event.type === "ended") return;
        }
        if (buffer.length === 0) await this.changed();
      }
    } finally {
      this.#listeners.delete(listen);
    }
  }

  async result() {
    while (this.match.end === null) await this.changed();
    return this.match.end;
  }

  close() {
    this.fail(new Error("This feed has been closed."));
  }

  /** Nothing more will come. @param {Error} error */
  fail(error) {
    if (this.#error !== null) return;
    this.#error = error;
    this.#unfollow();
    this.#forget();
    this.#given?.turn.end();
    this.#tell([]);
  }

  /** Wait for the next change. @returns {Promise<void>} */
  changed() {
    return new Promise((resolve, reject) => {
      const listen = () => {
        this.#listeners.delete(listen);
        if (this.#error === null) resolve();
        else reject(this.#error);
      };
      if (this.#error === null) this.#listeners.add(listen);
      else reject(this.#error);
    });
  }

  #follow() {
    this.#unfollow = this.#connection.follow(this.match.request(), (message) => this.#receive(message));
  }

  /** @param {MatchMessage} message */
  #receive(message) {
    if (message.type === "refused") return this.fail(new RefusedError(message));
    const { news, isGap } = this.match.receive(message);
    if (isGap) this.#follow();
    this.#tell(news);
  }

  /** @param {Event[]} news */
  #tell(news) {
    void this.turn; // a turn that is over is aborted at once
    for (const listen of [...this.#listeners]) listen(news);
  }
}

/** @implements {Interface.MyTurn} */
class MyTurn {
  #connection;
  #ending = new AbortController();

  /** @param {PlayerConnection} connection @param {MatchState} match @param {number} seat @param {MoveTree} tree */
  constructor(connection, match, seat, tree) {
    this.#connection = connection;
    this.match = match;
    this.seat = seat;
    this.tree = tree;
    this.moves = listMoves(tree);
  }

  get clock() {
    return this.match.clockFace(this.seat, this.#connection.now_ms());
  }

  get signal() {
    return this.#ending.signal;
  }

  /** @param {string} move */
  play(move) {
    return this.#connection.command({ type: "play", match: this.match.id, seat: this.seat, move });
  }

  end() {
    this.#ending.abort();
  }
}
