/**
 * What is thought of the position on view: the engine's panel and bar, and what solved endings say.
 *
 * It asks, remembers and shows; which position that is, is the page's to say. Imported by `analysis_page.js`.
 */

import { recall, remember } from "../storage.js";
import { TablebasePanel } from "./tablebase_panel.js";
import { EnginePanel } from "./engine_panel.js";
import { EvalBar } from "./eval_bar.js";
import { EngineSearch } from "./engine_search.js";
import { tablesText } from "./evaluation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { TablebaseProbed, Score } from "../protocol.js" */
/** @import { PositionCache } from "./position_cache.js" */
/** @import { Lines } from "./line_list.js" */
/** @import { LineNode } from "./line_tree.js" */

const ENGINE_KEY = "millrace.engine";
const VARIATIONS_KEY = "millrace.variations";

/**
 * @typedef {object} EvaluationHandlers
 * @property {(moves: readonly string[]) => void} play
 * @property {(isMore: boolean) => void} think The reader wants the engine to think, or to think for longer.
 * @property {() => void} changed
 */
/**
 * How a position is looked at.
 * @typedef {object} Look
 * @property {Score | null} judged What the match's judgement says of it.
 * @property {boolean} isTurned
 * @property {boolean} isQuiet Whether the reader is not to be told.
 * @property {string} mover The name of the seat to move.
 * @property {(seat: number) => string} nameOf
 */

export class EvaluationPanels {
  bar = new EvalBar();
  engine;
  endings;
  #isOn = recall(ENGINE_KEY) !== "off";
  #variations = Number(recall(VARIATIONS_KEY) ?? 1) || 1;
  #thinking;
  /** @type {Map<LineNode, TablebaseProbed>} */
  #probed = new Map();
  /** The last that is known. @type {Score | null} */
  #score = null;

  /**
   * @param {Connection} connection
   * @param {EvaluationHandlers} handlers
   */
  constructor(connection, handlers) {
    this.connection = connection;
    this.handlers = handlers;
    this.#thinking = new EngineSearch(connection, handlers.changed);
    this.endings = new TablebasePanel((move) => handlers.play([move]));
    this.engine = new EnginePanel(
      {
        turn: (isOn) => this.#turn(isOn),
        choose: (count) => this.#choose(count),
        more: () => handlers.think(true),
        play: handlers.play,
      },
      this.#isOn,
      this.#variations,
    );
  }

  /** Think of nothing any more. */
  end() {
    this.#thinking.end();
  }

  /**
   * @param {PositionCache} cache
   * @param {LineNode} node
   * @param {boolean} isMore
   */
  think(cache, node, isMore) {
    if (this.#isOn) this.#thinking.ask(cache, node, this.#variations, isMore);
  }

  /**
   * @param {PositionCache} cache
   * @param {LineNode} node
   */
  async probeTablebase(cache, node) {
    if (this.#probed.has(node)) return;
    try {
      this.#probed.set(node, await this.connection.askOnce({ type: "probe_tablebase", line: cache.line(node) }));
    } catch {
      // The engine's refusal says why already, and a lost answer is asked for again here.
      return;
    }
    this.handlers.changed();
  }

  /**
   * @param {LineNode} node
   * @returns {readonly string[]} What is clicked to play the engine's move, as far as it is to be seen.
   */
  advised(node) {
    return this.#isOn ? (this.#thinking.found(node)?.variations[0]?.clicks ?? []) : [];
  }

  /**
   * @param {LineNode} node
   * @returns {string} Which endings are solved.
   */
  tables(node) {
    const told = this.#probed.get(node);
    return told ? tablesText(told) : "";
  }

  /**
   * @param {Lines} view
   * @param {Look} look
   */
  show(view, { judged, isTurned, isQuiet, mover, nameOf }) {
    const { node } = view;
    const found = this.#thinking.found(node);
    const isWaiting = found === null && this.#thinking.isGoing;
    const note = this.#thinking.refusal || (isWaiting ? "The engine begins to think …" : "");
    if (!isQuiet) this.#score = (this.#isOn ? found?.variations[0]?.score : null) ?? judged ?? this.#score;
    this.engine.element.hidden = isQuiet;
    this.engine.show(found, this.#isOn ? note : "", this.#isOn, view, nameOf);
    this.bar.show(isQuiet ? null : this.#score, view.seats, isTurned, nameOf);
    this.endings.show(isQuiet ? null : (this.#probed.get(node) ?? null), mover);
  }

  /** @param {boolean} isOn */
  #turn(isOn) {
    this.#isOn = isOn;
    remember(ENGINE_KEY, isOn ? "on" : "off");
    if (isOn) this.handlers.think(false);
    else this.end();
    this.handlers.changed();
  }

  /** @param {number} count */
  #choose(count) {
    this.#variations = count;
    remember(VARIATIONS_KEY, String(count));
    this.handlers.think(false);
  }
}
