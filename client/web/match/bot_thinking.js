/**
 * Thinks in this page for the bot of a casual match that the reader plays alone, so that the server need not: it asks with
 * `bot_turn`, and checks the answer like any move. No view.
 *
 * While the page is hidden it offers nothing, and the server's bots think. The engine is loaded when both have moved.
 */

import { thinksForBots } from "../preferences.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PlayEngine } from "../engine/play_engine.js" */
/** @import { BotTurn, EngineLine } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

export class BotThinking {
  #connection;
  #state;
  /** @type {PlayEngine | null} */
  #engine = null;
  /** The start of the match, once the engine is ready. @type {EngineLine | null} */
  #line = null;
  #isBegun = false;
  #isClosed = false;
  /** Withdraws the offer. @type {(() => void) | null} */
  #withdraw = null;

  /** @param {Connection} connection @param {MatchState} state */
  constructor(connection, state) {
    this.#connection = connection;
    this.#state = state;
    this.onVisibility = () => this.#offer();
  }

  /** The match has changed. */
  hear() {
    if (!this.#isBegun && this.#state.soleBotLevel > 0 && this.#state.plies.length > 1 && isAllowed(this.#connection)) this.#begin();
    else if (this.#line !== null) this.#offer();
  }

  close() {
    this.#isClosed = true;
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.#offer();
    this.#engine?.close();
  }

  async #begin() {
    this.#isBegun = true;
    const { game, setup } = this.#state;
    try {
      const line = await this.#connection.ask({ type: "get_engine_line", line: { game, setup } });
      if (line.module === null || this.#isClosed) return;
      const { PlayEngine } = await import("../engine/play_engine.js");
      this.#engine = new PlayEngine();
      await this.#engine.look(line);
      this.#line = line;
    } catch {
      return; // The server's bots play, as without an engine.
    }
    document.addEventListener("visibilitychange", this.onVisibility);
    this.#offer();
  }

  /** Offer to think, or withdraw the offer. */
  #offer() {
    const isReady = this.#line !== null && !this.#isClosed && !document.hidden && this.#state.soleBotLevel > 0;
    if (isReady) this.#withdraw ??= this.#connection.follow({ type: "think_for_bot", match: this.#state.id }, (turn) => this.#think(turn));
    else {
      this.#withdraw?.();
      this.#withdraw = null;
    }
  }

  /** @param {BotTurn} turn */
  async #think({ match, seq, level, seed, moves }) {
    const [engine, line] = [/** @type {PlayEngine} */ (this.#engine), /** @type {EngineLine} */ (this.#line)];
    const move = await engine.chooseText({ ...line, moves: [...line.moves, ...moves] }, level, seed).catch(() => "");
    if (move === "") return this.close();
    // Refused if it is too late, as after a takeback.
    await this.#connection.askOnce({ type: "play_for_bot", match, seq, move }).catch(() => undefined);
  }
}

/** Whether the reader and the browser let this page think. @param {Connection} connection */
function isAllowed(connection) {
  const { saveData = false } = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator).connection ?? {};
  const isUsable = typeof WebAssembly === "object" && "compileStreaming" in WebAssembly && typeof Worker === "function";
  return isUsable && !saveData && thinksForBots(connection.player);
}
