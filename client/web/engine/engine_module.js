/**
 * A game's WebAssembly module in memory of its own: a line of play, what its end looks like, searches, levels' moves.
 *
 * The module knows the rules; the page gives it arrays and reads its results (`docs/engine.md`). No DOM.
 */

/** @import { EngineLine, Score, Tally, Variation } from "../protocol.js" */

/** @typedef {{ dtype: string, shape: number[], address: number }} ArrayPlace */
/**
 * What the module says about itself (`engine/wasm/module.py`).
 * @typedef {object} Description
 * @property {number} end
 * @property {number} unpacked_at
 * @property {string[]} fields
 * @property {string[]} facts
 * @property {number} nodes_at
 * @property {{ quiescence: number, win: number, proven: number, logistic_scale: number, draw_share: number }} values
 * @property {Record<string, ArrayPlace>} arrays
 * @property {string[]} reasons
 * @property {string[]} explanations
 * @property {string[]} tallies
 * @property {number} forced_pass
 * @property {{ depth: number, nodes: number, noise: number, oversights: number, quiescence: number, captures: number, table_megabytes: number }[]} levels
 */
/** @typedef {{ move: number, clicks: string[], text: string }} LegalMove In the module's number, and as a player enters and reads it. */
/**
 * The end of a line, for players.
 * @typedef {object} Situation
 * @property {number} seat The seat to move, or that would be to move.
 * @property {LegalMove[]} moves None once play is over.
 * @property {number} forcedPass The move that is made for the seat because it has no other; 0 if it has.
 * @property {{ ranks: number[], reason: string, explanation: string } | null} end
 * @property {[number, number][]} piles The seat and the size of the pile on each cell, by index; seat -1 for none.
 * @property {number[]} reserves
 * @property {Tally[]} tallies
 * @property {number[]} territory The seat that owns each cell, or -1.
 */
/** @typedef {Record<string, (...numbers: number[]) => number>} Functions */
/** @typedef {{ depth?: number, nodes?: number, candidates?: readonly number[] }} Wanted Without a limit, 0; without candidates, all moves. */

const SECTION = "millrace";
const PAGE_BYTES = 65_536;
const ENTRY_BYTES = 16;
const ALIGNMENT = 64;
/** Columns of the array `cells`: the seat and the size of a pile, and the owner of the cell. */
const CELL_COLUMNS = 3;
/** Nodes of a call while a level chooses. */
const CHOICE_NODES = 100_000;
/** Maximum moves of a variation that are read; beyond that an engine only guesses. */
const MOST_MOVES = 24;
/** @type {Record<string, Int16ArrayConstructor | Int32ArrayConstructor | BigInt64ArrayConstructor>} */
const TYPES = { int16: Int16Array, int32: Int32Array, int64: BigInt64Array };

export class EngineModule {
  #description;
  #functions;
  #buffer;
  #fields;
  #facts;
  #counters;
  #moves;
  #clicks;
  /** What the transposition table is about. */
  #begun = "";
  /** @type {EngineLine} */
  #line = /** @type {any} */ (null);

  /** @param {Description} description @param {WebAssembly.Exports} exports @param {number} tableMegabytes */
  constructor(description, exports, tableMegabytes) {
    this.#description = description;
    this.#functions = /** @type {Functions} */ (/** @type {unknown} */ (exports));
    const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    const tableAt = Math.ceil(description.end / ALIGNMENT) * ALIGNMENT;
    const tableBytes = tableMegabytes * 2 ** 20;
    memory.grow(Math.ceil((tableAt + tableBytes) / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES);
    this.#buffer = memory.buffer;
    this.#fields = /** @type {BigInt64Array} */ (this.#array("fields"));
    this.#facts = /** @type {BigInt64Array} */ (this.#array("run.facts"));
    this.#counters = /** @type {BigInt64Array} */ (this.#array("tree.counters"));
    this.#moves = /** @type {Int32Array} */ (this.#array("moves"));
    this.#clicks = /** @type {Int16Array} */ (this.#array("clicks"));
    this.#set({ table_at: tableAt, table_entries: tableBytes / ENTRY_BYTES, unpacked_at: description.unpacked_at });
    if (description.unpacked_at !== 0) this.#call("unpack");
  }

  /** @param {string} address @param {number} tableMegabytes A power of two. @returns {Promise<EngineModule>} */
  static async load(address, tableMegabytes) {
    const module = await WebAssembly.compileStreaming(fetch(address));
    const [section] = WebAssembly.Module.customSections(module, SECTION);
    const { exports } = await WebAssembly.instantiate(module);
    return new EngineModule(JSON.parse(new TextDecoder().decode(section)), exports, tableMegabytes);
  }

  /** Take up a line of play. @param {EngineLine} line */
  setUp(line) {
    this.#line = line;
    for (const [name, content] of Object.entries(line.board)) this.#write(`board.${name}`, content);
    this.#write("line", line.words);
    /** @type {BigInt64Array} */ (this.#array("quiet_plies"))[0] = BigInt(line.quiet_plies);
    this.#set({ seats: line.seats, first_seat: line.first_seat });
    this.#call("begin");
    const begun = JSON.stringify([line.board, line.words, line.seats]);
    if (begun !== this.#begun) this.#call("forget");
    this.#begun = begun;
    for (const move of line.moves) {
      if (!this.#call("push", move) && !this.#call("skip")) throw new Error(`The engine does not know the move ${move}.`);
    }
  }

  /** @returns {number[]} In the module's numbers. */
  legalMoves() {
    return [...this.#moves.subarray(0, this.#call("legal_moves"))];
  }

  /** @returns {Situation} What players see at the line's end. */
  situation() {
    const { seats, first_seat, moves: played } = this.#line;
    const { reasons, explanations, tallies, forced_pass } = this.#description;
    const seat = (first_seat + played.length) % seats;
    const reason = this.#call("outcome");
    const end = reason < 0 ? null : { ranks: this.#numbers("ranks").slice(0, seats), reason: reasons[reason], explanation: explanations[reason] };
    const legal = end === null ? this.legalMoves() : [];
    const moves = legal.map((move) => {
      const clicks = this.#clicksOf(move);
      return { move, clicks, text: this.#text(move, clicks) };
    });
    this.#call("draw");
    const bySeat = (/** @type {number} */ turn) => (turn < 0 ? turn : (seat + turn) % seats);
    const cells = this.#numbers("cells");
    const rows = Array.from({ length: cells.length / CELL_COLUMNS }, (_, cell) => cells.slice(cell * CELL_COLUMNS, (cell + 1) * CELL_COLUMNS));
    const [reserves, ...counted] = this.#countsBySeat(seat);
    return {
      seat,
      moves,
      forcedPass: legal.length === 1 && legal[0] === forced_pass ? forced_pass : 0,
      end,
      piles: rows.map(([turn, size]) => [bySeat(turn), size]),
      reserves,
      tallies: tallies.map((name, index) => ({ name, counts: counted[index] })),
      territory: rows.map(([, , turn]) => bySeat(turn)),
    };
  }

  /** Choose the move of a level below the strongest, as the server's bots do. @param {number} level @param {number} seed @returns {number} */
  choose(level, seed) {
    const { depth, nodes, table_megabytes, ...terms } = this.#description.levels[level - 1];
    this.#set({ ...terms, seed, level_depth: depth, level_nodes: nodes, table_entries: (table_megabytes * 2 ** 20) / ENTRY_BYTES });
    this.#call("forget");
    this.#call("begin_move");
    while (this.#call("choose", CHOICE_NODES) === 0);
    return Number(this.#fields[this.#description.fields.indexOf("chosen")]);
  }

  /** Begin a search of the line's end. @param {Wanted} wanted */
  beginSearch({ depth = 0, nodes = 0, candidates = [] }) {
    this.#set({ noise: 0, seed: 0, oversights: 0, quiescence: this.#description.values.quiescence });
    this.#set({ max_depth: depth, max_nodes: nodes, candidates: candidates.length });
    /** @type {Int32Array} */ (this.#array("candidates")).set(candidates);
    this.#call("begin_search", candidates.length > 0 ? 1 : 0);
  }

  /** Search on, at most to the end of an iteration. @param {number} nodes @returns {boolean} Whether the search has ended. */
  search(nodes) {
    return this.#call("search", nodes) === 1;
  }

  /** The nodes of the search so far. */
  get nodes() {
    return Number(this.#counters[this.#description.nodes_at]);
  }

  /** The deepest completed iteration, in plies. */
  get depth() {
    return this.#fact("depth");
  }

  /** For the seat to move, in hundredths of a man or beyond `proven`. */
  get value() {
    return this.#fact("value");
  }

  /** The first move of the search's line, in the module's number; 0 if there is none. */
  get bestMove() {
    return this.#fact("length") === 0 ? 0 : Number(/** @type {BigInt64Array} */ (this.#array("run.variation"))[0]);
  }

  /** Whether many matches of the game are drawn. */
  get isDrawish() {
    return this.#description.values.draw_share > 0;
  }

  /** @param {string} text @returns {number} The legal move that is written so; 0 if there is none. */
  moveOf(text) {
    return this.legalMoves().find((move) => this.#text(move, this.#clicksOf(move)) === text) ?? 0;
  }

  /** @returns {Variation} The line that the search expects. */
  variation() {
    const line = /** @type {BigInt64Array} */ (this.#array("run.variation")).slice(0, Math.min(this.#fact("length"), MOST_MOVES));
    /** @type {string[]} */
    const moves = [];
    /** @type {string[]} */
    let first = [];
    let pushed = 0;
    for (const move of Array.from(line, Number)) {
      const clicks = this.#clicksOf(move);
      if (pushed === 0) first = clicks;
      moves.push(this.#text(move, clicks));
      if (!this.#call("push", move)) break;
      pushed += 1;
    }
    for (; pushed > 0; pushed -= 1) this.#call("undo");
    return { score: this.#score(this.value), moves, clicks: first };
  }

  /** @param {number} value For the seat to move. @returns {Score} For seat 0 of two, otherwise for the seat to move. */
  #score(value) {
    const { win, proven, logistic_scale: scale } = this.#description.values;
    const { seats, first_seat, moves } = this.#line;
    const mover = (first_seat + moves.length) % seats;
    const shown = seats === 2 && mover !== 0 ? -value : value;
    const isProven = Math.abs(shown) > proven;
    const expectation = isProven ? Number(shown > 0) : 1 / (1 + Math.exp(-shown / scale));
    const ends_in = isProven ? (shown > 0 ? win - shown : -win - shown) : null;
    return { seat: seats === 2 ? 0 : mover, hundredths: isProven ? null : shown, ends_in, expectation };
  }

  /** @param {number} move @returns {string[]} The names of its clicks. */
  #clicksOf(move) {
    const count = this.#call("write_clicks", move);
    return Array.from(this.#clicks.subarray(0, count), (click) => this.#line.clicks[click]);
  }

  /** @param {number} move @param {string[]} clicks */
  #text(move, clicks) {
    return clicks.map((name, index) => (index === 0 ? name : String.fromCharCode(this.#call("separator", move, index - 1)) + name)).join("");
  }

  /** @param {number} mover @returns {number[][]} The rows of the array `counts`, by seat. */
  #countsBySeat(mover) {
    const { seats } = this.#line;
    const [rows, columns] = this.#description.arrays.counts.shape;
    const counts = this.#numbers("counts");
    return Array.from({ length: rows }, (_, row) => Array.from({ length: seats }, (_, seat) => counts[row * columns + ((seat - mover + seats) % seats)]));
  }

  /** @param {string} name @returns {number[]} */
  #numbers(name) {
    return Array.from(this.#array(name), Number);
  }

  /** @param {string} name */
  #fact(name) {
    return Number(this.#facts[this.#description.facts.indexOf(name)]);
  }

  /** @param {Record<string, number>} values By field. */
  #set(values) {
    for (const [name, value] of Object.entries(values)) this.#fields[this.#description.fields.indexOf(name)] = BigInt(value);
  }

  /** @param {string} name @param {...number} numbers */
  #call(name, ...numbers) {
    return this.#functions[name](...numbers);
  }

  /** @param {string} name */
  #array(name) {
    const { dtype, shape, address } = this.#description.arrays[name];
    return new TYPES[dtype](this.#buffer, address, shape.reduce((size, each) => size * each, 1));
  }

  /** @param {string} name @param {string} content The beginning of the array, in base64. */
  #write(name, content) {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    new Uint8Array(this.#buffer, this.#description.arrays[name].address, bytes.length).set(bytes);
  }
}
