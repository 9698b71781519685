/**
 * A board on which the reader plays along a line of moves: a step of a lesson, or a puzzle.
 *
 * The server supplies each position with its legal moves. What a move means is for the page to decide.
 */

import { LineTree } from "../analysis/line_tree.js";
import { PositionCache } from "../analysis/position_cache.js";
import { liveScene, pastScene } from "../match/board_scene.js";
import { MoveBoard } from "../match/move_board.js";
import { moveEffects } from "../match/move_effects.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Explored, Line } from "../protocol.js" */
/** @import { LineNode } from "../analysis/line_tree.js" */
/** @import { Played, Seats } from "../match/board_scene.js" */

/**
 * @typedef {object} LineBoardHandlers
 * @property {(move: string, told: Explored) => void} played Receives the text of a move that the reader has entered, and the position after it.
 * @property {() => void} shown Called whenever the board has been drawn.
 * @property {(aspect: number) => void} laidOut Receives the aspect ratio of a new board.
 */

/** The end of a line that can be shown at once. @typedef {{ cache: PositionCache, tree: LineTree, node: LineNode }} PreparedLine */

export class LineBoard {
  /** Whether the reader may enter a move. A complete one closes the board, until the page opens it again. */
  isOpen = false;
  /** Whether the squares that each seat holds are painted. */
  showsTerritory = false;
  /** The cells of a hint. @type {readonly string[]} */
  advised = [];
  /** @type {PositionCache | null} */
  #cache = null;
  #tree = new LineTree();
  /** @type {LineNode} */
  #node = this.#tree.root;
  #isSending = false;
  #board;

  /** @param {Connection} connection @param {Seats} seats @param {LineBoardHandlers} handlers */
  constructor(connection, seats, handlers) {
    this.connection = connection;
    this.seats = seats;
    this.handlers = handlers;
    this.#board = new MoveBoard(
      {
        click: (key) => this.#click(key),
        drop: () => this.drop(),
        changed: () => this.#show(),
        laidOut: handlers.laidOut,
      },
      (seat) => seats.colourOf(seat),
    );
    this.element = this.#board.element;
    /** Choices in a move that are not cells. */
    this.choices = this.#board.choicePanel.element;
  }

  /** What the server said about the shown position. @returns {Explored | null} */
  get told() {
    return this.#cache?.told(this.#node) ?? null;
  }

  /** The shape of the shown board. */
  get shape() {
    return this.#cache?.position(this.#node)?.board?.shape;
  }

  /** Each seat's pieces still to be placed in the shown position. @returns {readonly number[]} */
  get reserves() {
    return this.#cache?.position(this.#node)?.reserves ?? [];
  }

  /**
   * Show the end of a line.
   * @param {Line} line From a set-up.
   * @returns {Promise<Explored | null>} Null if it cannot be shown.
   */
  async start(line) {
    const prepared = await this.prepare(line);
    if (prepared !== null) this.show(prepared);
    return prepared === null ? null : this.told;
  }

  /**
   * Ask for the positions of a line, without showing them.
   * @param {Line} line From a set-up.
   * @returns {Promise<PreparedLine | null>} Null if it cannot be shown.
   */
  async prepare({ game = "", setup = "", moves = [] }) {
    const [cache, tree] = [new PositionCache(this.connection, { game, setup }), new LineTree()];
    const node = tree.follow(moves);
    const [told] = await Promise.all([answerOrToast(cache.ask(node)), node.parent === null ? null : answerOrToast(cache.ask(node.parent))]);
    return told === null ? null : { cache, tree, node };
  }

  /** Show the end of a prepared line, from the side of the seat to move. @param {PreparedLine} prepared */
  show({ cache, tree, node }) {
    this.#cache = cache;
    this.#tree = tree;
    const told = cache.told(node);
    this.#board.face(told?.to_move ?? 0, told?.seats ?? 2, cache.position(node));
    this.#turnTo(node);
  }

  /**
   * Play a move on the board.
   * @param {string} move Its text.
   * @returns {Promise<Explored | null>} The position after it.
   */
  async advance(move) {
    const [cache, node] = [this.#cache, this.#tree.add(this.#node, move)];
    const told = cache === null ? null : await answerOrToast(cache.ask(node));
    if (told === null || cache !== this.#cache) return null;
    this.#turnTo(node);
    this.#hear();
    return told;
  }

  /** Go back to the position before the last move. */
  back() {
    if (this.#node.parent !== null) this.#turnTo(this.#node.parent);
  }

  /** Go back to an earlier position. @param {number} ply Its number of moves since the start of the tree. */
  backTo(ply) {
    let node = this.#node;
    while (node.parent !== null && node.ply > ply) node = node.parent;
    if (node !== this.#node) this.#turnTo(node);
  }

  /** A button that turns the board. */
  turnButton() {
    return this.#board.turnButton();
  }

  /** Draw the board again, since the reader may now enter a move, or no longer. */
  refresh() {
    this.#show();
  }

  /** @returns {boolean} Whether there were clicks to undo. */
  drop() {
    const { entry } = this.#board;
    const hasClicks = entry.clicks.length > 0;
    entry.drop();
    if (hasClicks) this.#show();
    return hasClicks;
  }

  get shortcuts() {
    return this.#board.shortcuts;
  }

  /** @param {LineNode} node */
  #turnTo(node) {
    this.#node = node;
    this.#board.entry.drop();
    this.#show();
  }

  /** The move that led to the shown position makes itself heard. */
  #hear() {
    const played = this.#played;
    const ply = played?.plies.at(-1);
    if (played && ply) moveEffects(ply, played.position);
  }

  get #played() {
    const { told } = this;
    if (told === null) return null;
    const { to_move, seats } = told;
    return this.#cache?.played(this.#node, ((to_move ?? 0) + seats - 1) % seats) ?? null;
  }

  #show() {
    const { told } = this;
    const played = this.#played;
    if (told === null || played === null || played.position.board === null) return;
    const { to_move } = told;
    this.#board.offer(played.position.board, told.moves, told.refused);
    const isOpen = this.isOpen && to_move !== null;
    this.#board.showChoices(isOpen);
    const { entry, choicePanel } = this.#board;
    const shown = this.showsTerritory ? withTerritory(played, told.territory ?? null) : played;
    const { seats: names, advised } = this;
    this.#board.show(isOpen ? liveScene(shown, entry, names, choicePanel.amount, null, advised) : pastScene(shown, shown.plies.length, names, null, advised));
    this.handlers.shown();
  }

  /** @param {string} key A cell or a choice. */
  #click(key) {
    const { told } = this;
    const position = this.#cache?.position(this.#node) ?? null;
    if (!this.isOpen || this.#isSending || told === null || told.to_move === null || position === null) return;
    const { entry } = this.#board;
    const clicks = entry.click(key, entry.stage(position, told.to_move));
    this.#show();
    if (clicks !== null) this.#send(clicks.join(" "));
  }

  /** @param {string} clicks Of a complete move. */
  async #send(clicks) {
    const [cache, node] = [this.#cache, this.#node];
    if (cache === null) return;
    this.#isSending = true;
    const told = await answerOrToast(cache.try(node, clicks));
    this.#isSending = false;
    if (cache !== this.#cache || node !== this.#node) return;
    if (told === null) return void this.drop();
    this.isOpen = false;
    const next = this.#tree.add(node, told.move);
    cache.take(next, told);
    this.#turnTo(next);
    this.#hear();
    this.handlers.played(told.move, told);
  }
}

/** @param {Played} played @param {readonly number[] | null} territory @returns {Played} With the territory of its last position. */
function withTerritory(played, territory) {
  const position = { ...played.position, territory };
  return { ...played, position, positions: [...played.positions.slice(0, -1), position] };
}
