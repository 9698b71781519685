/**
 * Entering a move: clicks narrow the tree of legal moves until one is complete.
 *
 * Headless, and no rules: a key of the tree that is no cell's name is a choice, such as a pass or a number of pieces.
 * A second tree has the moves that only the ban on repetition forbids: they can be looked at, and are never sent.
 */

/** @import { MoveTree } from "../protocol.js" */
/** @import { Pile, Position } from "../board/position.js" */

/**
 * What is asked for next: nothing (`idle`), the cell to begin with (`begin`), a cell to go to (`go`), another's piece
 * to take (`take`), a choice that is no cell (`choose`), or the server's answer (`wait`).
 * @typedef {"idle" | "begin" | "go" | "take" | "choose" | "wait"} Stage
 */

export class MoveEntry {
  /** The clicks so far. @type {string[]} */
  clicks = [];
  /** Whether the clicks are a whole move that was sent. */
  isSent = false;
  /** The clicks of a barred move that was tried last, to be explained. @type {string[] | null} */
  barred = null;

  /** @type {MoveTree | null} */
  #tree = null;
  /** @type {MoveTree | null} */
  #barredTree = null;
  /** @type {ReadonlySet<string>} */
  #cells;

  /** @param {Iterable<string>} cells The names of the cells. */
  constructor(cells) {
    this.#cells = new Set(cells);
  }

  /**
   * Begin anew with these legal moves, or with none when it is not one's turn; the same tree changes nothing.
   * @param {MoveTree | null} tree
   * @param {MoveTree | null} [barredTree]
   */
  offer(tree, barredTree = null) {
    if (tree === this.#tree) return;
    this.#tree = tree;
    this.#barredTree = barredTree;
    this.drop();
    this.barred = null;
  }

  /** Take every click back. */
  drop() {
    this.clicks = [];
    this.isSent = false;
  }

  /**
   * Take clicks that were made beforehand.
   * @param {string[]} clicks
   * @returns {boolean} Whether a move begins so; else none is taken.
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

  /** Whether the ban on repetition forbids some move now. @returns {boolean} */
  get isBarring() {
    return Object.keys(this.#barredTree ?? {}).length > 0;
  }

  /**
   * Take a click: the next of the move, or another beginning; the first click again, or one that leads nowhere, takes
   * every click back. While a piece is to be taken only the last click again does, so that no slip undoes the move.
   * @param {string} key A cell's name or a choice.
   * @param {Stage} stage
   * @returns {string[] | null} The clicks of the whole move, when it is complete.
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

  /** The cells with which a move may begin. @returns {string[]} */
  get beginnings() {
    const keys = Object.keys({ ...this.#tree, ...this.#barredTree });
    return this.isSent ? [] : keys.filter((key) => this.#cells.has(key));
  }

  /** The cells that may be clicked next. @returns {string[]} */
  get cells() {
    return this.#keys().filter((key) => this.#cells.has(key));
  }

  /** The cells at which a barred move would end. @returns {string[]} */
  get barredCells() {
    const branch = this.isSent ? null : this.#branch(this.#barredTree);
    return Object.keys(branch ?? {}).filter((key) => branch?.[key] === null && this.#cells.has(key));
  }

  /** The choices, which are no cells, that may be made next. @returns {string[]} */
  get choices() {
    return this.#keys().filter((key) => !this.#cells.has(key));
  }

  /**
   * @param {Position} position Before the move.
   * @param {number} seat To move.
   * @returns {Stage}
   */
  stage(position, seat) {
    if (this.isSent) return "wait";
    const { cells } = this;
    if (cells.length === 0 && this.clicks.length > 0 && this.barredCells.length > 0) return "go";
    if (cells.length === 0) return this.choices.length === 0 ? "idle" : "choose";
    if (cells.every((cell) => isOthers(position.piles.get(cell), seat))) return "take";
    return this.clicks.length === 0 ? "begin" : "go";
  }

  /**
   * What the board looks like with the clicks so far carried out, as far as clicks alone can tell; the server's word
   * replaces it.
   * @param {Position} position Before the move.
   * @param {number} seat To move.
   * @param {number} [amount] How many of a pile go along while that is being chosen.
   * @returns {Position}
   */
  preview(position, seat, amount) {
    // While the board is being laid, clicks name cells of the ground to come: nothing is put on them.
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
    return { ...position, piles, reserves };
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

  /**
   * @param {string} key
   * @returns {boolean} Whether it was allowed.
   */
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

  /**
   * @param {MoveTree | null} tree
   * @returns {MoveTree | null} What is left of it after the clicks.
   */
  #branch(tree) {
    let branch = tree;
    for (const click of this.clicks) branch = branch?.[click] ?? null;
    return branch;
  }
}

/**
 * @param {Pile | undefined} pile
 * @param {number} seat
 */
function isOthers(pile, seat) {
  return pile !== undefined && pile.seat !== seat;
}
