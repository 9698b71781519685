/**
 * Entering a move: clicks narrow the tree of legal moves until one is complete.
 *
 * No DOM and no rules. A key of the tree that is not a cell is a choice, such as a pass or a number of pieces. A second
 * tree holds moves forbidden only because they repeat a position; they can be tried, but are never sent.
 */

/** @import { Highlight, MoveTree } from "../protocol.js" */
/** @import { Pile, Position } from "../board/position.js" */

/**
 * The next step: nothing (`idle`), the first cell (`begin`), a destination (`go`), an opponent's piece to take
 * (`take`), a choice that is not a cell (`choose`), or the server's answer (`wait`).
 * @typedef {"idle" | "begin" | "go" | "take" | "choose" | "wait"} Stage
 */

export class MoveEntry {
  /** The clicks so far. @type {string[]} */
  clicks = [];
  /** Whether the clicks are a complete move that was sent. */
  isSent = false;
  /** The clicks of the last attempt at a forbidden move, to be explained. @type {string[] | null} */
  barred = null;

  /** @type {MoveTree | null} */
  #tree = null;
  /** @type {MoveTree | null} */
  #barredTree = null;
  /** What moves in progress achieve, by their clicks. @type {Record<string, Highlight[]>} */
  #highlights = {};
  /** @type {ReadonlySet<string>} */
  #cells;

  /** @param {Iterable<string>} cells The names of the cells. */
  constructor(cells) {
    this.#cells = new Set(cells);
  }

  /**
   * Start with these legal moves, or with none when it is not the reader's turn; the same tree changes nothing.
   * @param {MoveTree | null} tree
   * @param {MoveTree | null} [barredTree]
   * @param {Record<string, Highlight[]>} [highlights] What moves in progress achieve, by their clicks.
   */
  offer(tree, barredTree = null, highlights = {}) {
    if (tree === this.#tree) return;
    this.#tree = tree;
    this.#highlights = highlights;
    this.#barredTree = barredTree;
    this.drop();
    this.barred = null;
  }

  /** Undo all clicks. */
  drop() {
    this.clicks = [];
    this.isSent = false;
  }

  /**
   * Apply the clicks of a premove.
   * @param {string[]} clicks
   * @returns {boolean} Whether a move starts like this; otherwise no click is applied.
   */
  enter(clicks) {
    this.drop();
    for (const click of clicks) {
      if (!this.isSent && this.#extend(click)) continue;
      this.drop();
      return false;
    }
    return true;
  }

  /** Whether some move is forbidden because it repeats a position. */
  get isBarring() {
    return Object.keys(this.#barredTree ?? {}).length > 0;
  }

  /**
   * Apply a click: the next step of the move, or another first cell. Clicking the first cell again, or a cell that
   * leads nowhere, undoes all clicks. While a piece is to be taken, only the last cell undoes, so that a slip does not.
   * @param {string} key A cell's name or a choice.
   * @param {Stage} stage
   * @returns {string[] | null} The clicks of the move, when complete.
   */
  click(key, stage) {
    if (this.isSent) return null;
    this.barred = null;
    if (this.#extend(key)) return this.isSent ? [...this.clicks] : null;
    if (this.barredCells.includes(key)) {
      this.barred = [...this.clicks, key];
      return null;
    }
    if (stage === "take" && key !== this.clicks.at(-1)) return null;
    const isBack = key === this.clicks[0] || stage === "take";
    this.drop();
    if (!isBack) this.#extend(key);
    return this.isSent ? [...this.clicks] : null;
  }

  /** What the clicks so far achieve. @returns {Highlight[]} */
  get highlights() {
    const stems = this.clicks.map((_, index) => this.clicks.slice(0, index + 1).join(" "));
    return stems.flatMap((stem) => this.#highlights[stem] ?? []);
  }

  /** The possible first cells. @returns {string[]} */
  get beginnings() {
    const keys = Object.keys({ ...this.#tree, ...this.#barredTree });
    return this.isSent ? [] : keys.filter((key) => this.#cells.has(key));
  }

  /** The possible next cells. @returns {string[]} */
  get cells() {
    return this.#keys().filter((key) => this.#cells.has(key));
  }

  /** The cells at which a forbidden move would end. @returns {string[]} */
  get barredCells() {
    const branch = this.isSent ? null : this.#branch(this.#barredTree);
    return Object.keys(branch ?? {}).filter((key) => branch?.[key] === null && this.#cells.has(key));
  }

  /** The possible next choices that are not cells. @returns {string[]} */
  get choices() {
    return this.#keys().filter((key) => !this.#cells.has(key));
  }

  /** @param {Position} position Before the move. @param {number} seat To move. @returns {Stage} */
  stage(position, seat) {
    if (this.isSent) return "wait";
    const { cells } = this;
    if (cells.length === 0 && this.clicks.length > 0 && this.barredCells.length > 0) return "go";
    if (cells.length === 0) return this.choices.length === 0 ? "idle" : "choose";
    if (cells.every((cell) => isOthers(position.piles.get(cell), seat))) return "take";
    return this.clicks.length === 0 ? "begin" : "go";
  }

  /**
   * The position after the clicks so far, as far as the clicks show; the server's position replaces it.
   * @param {Position} position Before the move.
   * @param {number} seat To move.
   * @param {number} [amount] The number of pieces that move, while being chosen.
   * @returns {Position}
   */
  preview(position, seat, amount) {
    // While tiles are being placed, clicks name cells of the new tile: nothing is put on them.
    if (position.ground !== null) return position;
    const piles = new Map(position.piles);
    const reserves = [...position.reserves];
    const chosen = this.clicks.map(Number).find(Number.isInteger) ?? amount;
    /** @type {string | null} */
    let origin = null;
    for (const cell of this.clicks.filter((click) => this.#cells.has(click))) {
      const pile = piles.get(cell);
      if (pile === undefined) {
        this.#carry(piles, reserves, seat, origin, cell, chosen);
      } else if (pile.seat === seat) origin = cell;
      else piles.delete(cell);
    }
    return { ...position, piles, reserves, highlights: this.clicks.length === 0 ? position.highlights : this.highlights };
  }

  /**
   * @param {Map<string, Pile>} piles
   * @param {number[]} reserves
   * @param {number} seat
   * @param {string | null} origin
   * @param {string} target
   * @param {number | undefined} amount
   */
  #carry(piles, reserves, seat, origin, target, amount) {
    const whole = origin === null ? 1 : (piles.get(origin)?.size ?? 1);
    const size = Math.min(amount ?? whole, whole);
    piles.set(target, { seat, size });
    if (origin === null) reserves[seat] = Math.max(0, (reserves[seat] ?? 0) - 1);
    else if (size === whole) piles.delete(origin);
    else piles.set(origin, { seat, size: whole - size });
  }

  /** @param {string} key @returns {boolean} Whether it is legal. */
  #extend(key) {
    const [branch, barred] = [this.#branch(this.#tree), this.#branch(this.#barredTree)];
    const isLegal = branch !== null && Object.hasOwn(branch, key);
    if (!isLegal && !barred?.[key]) return false;
    this.clicks.push(key);
    this.isSent = isLegal && branch[key] === null;
    return true;
  }

  /** @returns {string[]} */
  #keys() {
    const branch = this.isSent ? null : this.#branch(this.#tree);
    return branch === null ? [] : Object.keys(branch);
  }

  /** @param {MoveTree | null} tree @returns {MoveTree | null} The branch after the clicks. */
  #branch(tree) {
    let branch = tree;
    for (const click of this.clicks) branch = branch?.[click] ?? null;
    return branch;
  }
}

/** @param {Pile | undefined} pile @param {number} seat */
function isOthers(pile, seat) {
  return pile !== undefined && pile.seat !== seat;
}
