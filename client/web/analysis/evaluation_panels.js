/**
 * The evaluation of the shown position: engine panel, evaluation bar and tablebase panel.
 *
 * It requests, caches and shows evaluations of the position that the page chooses.
 */

import { gettext } from "../language/texts.js";
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
 * @property {(isMore: boolean) => void} think The reader turned the engine on or asked for a longer search.
 * @property {() => void} changed
 */
/**
 * How to show a position.
 * @typedef {object} Look
 * @property {Score | null} final Its score if play is over there.
 * @property {Score | null} judged Its score in the match report.
 * @property {boolean} isTurned
 * @property {boolean} isQuiet Whether evaluations must stay hidden.
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

  /** @param {Connection} connection @param {EvaluationHandlers} handlers */
  constructor(connection, handlers) {
    this.connection = connection;
    this.handlers = handlers;
    this.#thinking = new EngineSearch(connection, handlers.changed);
    if (this.#isOn) this.#thinking.start();
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

  /** @param {PositionCache} cache @param {LineNode} node Where the reader is about to stay. */
  prepare(cache, node) {
    if (this.#isOn) this.#thinking.prepare(cache, node);
  }

  /** Stop searching. */
  end() {
    this.#thinking.end();
  }

  /** Stop searching for good: the page is closed. */
  close() {
    this.#thinking.close();
  }

  /** @param {PositionCache} cache @param {LineNode} node @param {boolean} isMore */
  think(cache, node, isMore) {
    if (this.#isOn) this.#thinking.ask(cache, node, this.#variations, isMore);
  }

  /** @param {PositionCache} cache @param {LineNode} node */
  async probeTablebase(cache, node) {
    if (this.#probed.has(node)) return;
    try {
      this.#probed.set(node, await this.connection.askOnce({ type: "probe_tablebase", line: cache.line(node) }));
    } catch {
      // The engine panel already shows a refusal, and the next visit repeats a lost request.
      return;
    }
    this.handlers.changed();
  }

  /** @param {LineNode} node @returns {readonly string[]} The clicks of the engine's move, if the engine is on. */
  advised(node) {
    return this.#isOn ? (this.#thinking.found(node)?.variations[0]?.clicks ?? []) : [];
  }

  /** @param {LineNode} node @returns {string} Which tablebases exist. */
  tables(node) {
    const told = this.#probed.get(node);
    return told ? tablesText(told) : "";
  }

  /** @param {Lines} view @param {Look} look */
  show(view, { final, judged, isTurned, isQuiet, mover, nameOf }) {
    const { node } = view;
    const found = this.#thinking.found(node);
    const isWaiting = found === null && this.#thinking.isGoing;
    const note = this.#thinking.refusal || (isWaiting ? gettext("Starting the engine…") : "");
    const score = final ?? (this.#isOn ? found?.variations[0]?.score : null) ?? judged ?? null;
    this.engine.element.hidden = isQuiet;
    this.engine.show(found, this.#thinking.canBeDeeper(node), this.#isOn ? note : "", this.#isOn, view, nameOf);
    this.bar.show(isQuiet ? null : score, view.seats, isTurned, nameOf);
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
