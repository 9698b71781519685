/**
 * The worker in which a game's engine searches, so that the page stays free.
 *
 * It searches in slices, and looks for the page's next message in between.
 */

import { EngineModule } from "./engine_module.js";
import { chanceOf, judgementOf } from "./judging.js";

/** @import { EngineLine, JudgedPly, Variation } from "../protocol.js" */
/** @import { Wanted } from "./engine_module.js" */

/**
 * @typedef {object} Analyse
 * @property {"analyse"} type
 * @property {number} search Its number, which the answers name.
 * @property {EngineLine} line
 * @property {number} variations
 */
/** @typedef {{ type: "review", search: number, line: EngineLine }} Review */
/** @typedef {{ type: "judge", search: number, line: EngineLine, text: string }} Judge A move at the end of a line, as a player writes it. */
/** @typedef {Analyse | Review | Judge | { type: "load", address: string } | { type: "stop" | "pause" | "resume" }} Order */
/**
 * @typedef {object} Found
 * @property {number} search
 * @property {number} depth 0 while nothing has been found.
 * @property {number} nodes
 * @property {number} nodes_per_second
 * @property {Variation[]} variations The best first.
 * @property {boolean} is_final
 */
/** @typedef {Omit<JudgedPly, "move">} Judged A move of a line. */
/** @typedef {{ search: number, done: number, judged: Judged[] | null, is_final: boolean }} Reviewed The number of judged moves; all of them, and again after each apparent mistake that has been checked. */
/** @typedef {{ search: number, judged: Judged }} Answered */
/** @typedef {{ search: number, fault: string }} Failed */

const TABLE_MEGABYTES = 16;
/** Nodes of the first slice, and of the others, which take about 20 ms. */
const FIRST_NODES = 4_000;
const SLICE_NODES = 40_000;
/** Where there is only one move, its value is of little interest. */
const FORCED_NODES = 200_000;
const MOST_DEPTH = 100;
/** Nodes for each move of a review, and at most for all of them. */
const PLY_NODES = 300_000;
const REVIEW_NODES = 60_000_000;
/** Apparent mistakes are searched again, so many and with so many nodes: a short search often mistakes a good move for one. */
const MOST_CHECKED = 8;
const CHECK_NODES = 1_500_000;

/** @type {Map<string, Promise<EngineModule>>} */
const modules = new Map();
/** The number of the search in progress. */
let current = 0;
let isPaused = false;
/** @type {() => void} */
let resume = () => {};
const channel = new MessageChannel();

self.addEventListener("message", ({ data }) => {
  const order = /** @type {Order} */ (data);
  if (order.type === "analyse") analyse(order).catch((error) => fail(order.search, error));
  if (order.type === "review") review(order).catch((error) => fail(order.search, error));
  if (order.type === "judge") answer(order).catch((error) => fail(order.search, error));
  if (order.type === "load") load(order.address).catch(() => modules.clear());
  if (order.type === "stop") current = 0;
  isPaused = order.type === "pause" || (isPaused && order.type !== "resume");
  if (!isPaused) resume();
});

/** @param {string} address @returns {Promise<EngineModule>} */
function load(address) {
  const module = modules.get(address) ?? EngineModule.load(address, TABLE_MEGABYTES);
  modules.set(address, module);
  return module;
}

/** @param {Analyse} order */
async function analyse({ search, line, variations }) {
  current = search;
  const module = await load(/** @type {string} */ (line.module));
  if (current !== search) return;
  module.setUp(line);
  const legal = module.legalMoves();
  const progress = new Progress(module, search);
  if (variations === 1 || legal.length === 1) return findBest(progress, legal.length === 1 ? FORCED_NODES : 0);
  return compare(progress, legal, variations);
}

/** Search deeper and deeper. @param {Progress} progress @param {number} nodes At most so many; 0 for no limit. */
async function findBest(progress, nodes) {
  const { module } = progress;
  module.beginSearch({ nodes });
  let told = 0;
  let found = module.variation();
  for await (const isDone of progress.slices()) {
    // Later, it is of an iteration that is not complete.
    if (module.depth > told) found = module.variation();
    if (isDone || module.depth > told) progress.tell(module.depth, [found], isDone);
    told = module.depth;
  }
}

/**
 * Search for the best moves, one after another, all equally deeply; then deeper.
 * @param {Progress} progress
 * @param {number[]} legal
 * @param {number} most How many lines.
 */
async function compare(progress, legal, most) {
  const { module } = progress;
  for (let depth = 1; depth <= MOST_DEPTH; depth += 1) {
    const found = [];
    let left = legal;
    let isSettled = false;
    while (found.length < most && left.length > 0) {
      module.beginSearch({ depth, candidates: found.length === 0 ? [] : left });
      for await (const _ of progress.slices());
      if (!progress.isCurrent) return;
      const best = module.bestMove;
      if (found.length === 0) isSettled = module.depth < depth;
      found.push({ value: module.value, variation: module.variation() });
      left = left.filter((move) => move !== best);
    }
    found.sort((one, other) => other.value - one.value);
    const isLast = isSettled || depth === MOST_DEPTH;
    progress.tell(depth, found.map(({ variation }) => variation), isLast);
    if (isLast) return;
  }
}

/** Judge every move of a line, the last one first, so that the table knows how earlier ones went on. @param {Review} order */
async function review({ search, line }) {
  current = search;
  const module = await load(/** @type {string} */ (line.module));
  if (current !== search) return;
  const progress = new Progress(module, search);
  const { moves } = line;
  const nodes = Math.min(PLY_NODES, Math.floor(REVIEW_NODES / moves.length));
  const lineBefore = (/** @type {number} */ ply) => ({ ...line, moves: moves.slice(0, ply) });
  /** @type {Judged[]} */
  const judged = [];
  for (let ply = moves.length - 1; ply >= 0; ply -= 1) {
    const found = await judge(progress, lineBefore(ply), moves[ply], nodes);
    if (found === null) return;
    judged.unshift(found);
    if (ply > 0) report({ search, done: judged.length, judged: null, is_final: false });
  }
  // What looks like a mistake counts as good until it has been checked, so that no verdict is taken back.
  const suspected = [...judged.keys()].filter((ply) => judged[ply].judgement !== "good").slice(0, MOST_CHECKED);
  const tell = () => report({ search, done: judged.length, judged: judged.map((each, ply) => (suspected.includes(ply) ? { ...each, judgement: "good" } : each)), is_final: suspected.length === 0 });
  tell();
  while (suspected.length > 0) {
    const found = await judge(progress, lineBefore(suspected[0]), moves[suspected[0]], CHECK_NODES);
    if (found === null) return;
    const ply = /** @type {number} */ (suspected.shift());
    if (found.depth > judged[ply].depth) judged[ply] = found;
    tell();
  }
}

/** Judge a player's move. @param {Judge} order */
async function answer({ search, line, text }) {
  current = search;
  const module = await load(/** @type {string} */ (line.module));
  if (current !== search) return;
  module.setUp(line);
  const judged = await judge(new Progress(module, search), line, module.moveOf(text), CHECK_NODES);
  if (judged !== null) report({ search, judged });
}

/**
 * Compare a move with the best one, both searched equally deeply.
 * @param {Progress} progress
 * @param {EngineLine} line What was played before.
 * @param {number} move In the module's number.
 * @param {number} nodes For finding the best one.
 * @returns {Promise<Judged | null>} Null if another search has begun.
 */
async function judge(progress, line, move, nodes) {
  const { module } = progress;
  module.setUp(line);
  const legal = module.legalMoves();
  const is_forced = legal.length < 2;
  const seat = (line.first_seat + line.moves.length) % line.seats;
  const { depth, best, bestMove } = await runSearch(progress, { nodes: is_forced ? Math.min(nodes, FORCED_NODES) : nodes });
  if (!progress.isCurrent) return null;
  const isBest = is_forced || bestMove === move;
  const { score } = isBest ? best : (await runSearch(progress, { depth: Math.max(1, depth), candidates: [move] })).best;
  if (!progress.isCurrent) return null;
  const loss = Math.max(0, chanceOf(best.score, seat) - chanceOf(score, seat));
  const judgement = judgementOf(loss, module.isDrawish && line.moves.length < line.seats);
  return { seat, is_forced, best, score, loss, judgement, depth };
}

/** @param {Progress} progress @param {Wanted} wanted @returns What the last complete iteration has found. */
async function runSearch(progress, wanted) {
  const { module } = progress;
  module.beginSearch(wanted);
  let found = { depth: 0, best: module.variation(), bestMove: 0 };
  for await (const _ of progress.slices()) {
    if (module.depth > found.depth) found = { depth: module.depth, best: module.variation(), bestMove: module.bestMove };
  }
  return found;
}

/** @param {Reviewed | Answered} answer */
function report(answer) {
  self.postMessage(answer);
}

/** One analysis: its nodes and time, over all its searches. */
class Progress {
  #nodes = 0;
  #milliseconds = 0;
  #slice = FIRST_NODES;

  /** @param {EngineModule} module @param {number} search */
  constructor(module, search) {
    this.module = module;
    this.search = search;
  }

  get isCurrent() {
    return current === this.search;
  }

  /** Search on, slice by slice, while this is the current search. @returns {AsyncGenerator<boolean>} Whether it has ended. */
  async *slices() {
    let isDone = false;
    let nodes = 0;
    while (!isDone) {
      await breathe();
      if (!this.isCurrent) return;
      const began = performance.now();
      isDone = this.module.search(this.#slice);
      this.#milliseconds += performance.now() - began;
      this.#nodes += this.module.nodes - nodes;
      nodes = this.module.nodes;
      this.#slice = SLICE_NODES;
      yield isDone;
    }
  }

  /** @param {number} depth @param {Variation[]} variations @param {boolean} is_final */
  tell(depth, variations, is_final) {
    const nodes_per_second = Math.round((this.#nodes / Math.max(this.#milliseconds, 1)) * 1000);
    /** @type {Found} */
    const found = { search: this.search, depth, nodes: this.#nodes, nodes_per_second, variations, is_final };
    self.postMessage(found);
  }
}

/** Let the page's messages in; and wait while the page is hidden. */
async function breathe() {
  await new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });
  while (isPaused) await new Promise((resolve) => (resume = () => resolve(undefined)));
}

/** @param {number} search @param {Error} error */
function fail(search, error) {
  modules.clear();
  /** @type {Failed} */
  const failed = { search, fault: error.message };
  self.postMessage(failed);
}
