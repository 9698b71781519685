/**
 * The position and legal moves of each node of a tree, requested from the server once.
 *
 * No DOM. The positions of a match are known from its events, so stepping through it needs no request.
 */

import { EMPTY, changed } from "../board/position.js";
import { NOBODY } from "../protocol.js";
import { movesTo } from "./line_tree.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Played } from "../match/board_scene.js" */
/** @import { Ply } from "../match/public_match.js" */
/** @import { Position } from "../board/position.js" */
/** @import { Board as Geometry, Change, Explored, Line as LineOfPlay } from "../protocol.js" */
/** @import { LineNode } from "./line_tree.js" */

/**
 * The start of all lines.
 * @typedef {{ match: string } | { game: string, setup: string }} Root
 */

export class PositionCache {
  /** @type {Map<LineNode, Explored>} */
  #told = new Map();
  /** @type {Map<LineNode, Position>} */
  #positions = new Map();
  /** @type {Geometry[]} */
  #boards = [];
  /** @type {Map<LineNode, Promise<Explored>>} */
  #asked = new Map();

  /** @param {Connection} connection @param {Root} root */
  constructor(connection, root) {
    this.connection = connection;
    this.root = root;
  }

  /** @param {LineNode} node @param {Position} position Known without a request. */
  know(node, position) {
    const board = position.board && this.#oneBoard(position.board);
    this.#positions.set(node, { ...position, board });
  }

  /** @param {LineNode} node @returns {LineOfPlay} */
  line(node) {
    if (!("match" in this.root)) return { ...this.root, moves: movesTo(node) };
    let base = node;
    while (!base.isFixed && base.parent !== null) base = base.parent;
    return { match: this.root.match, ply: base.ply, moves: movesTo(node).slice(base.ply) };
  }

  /** @param {LineNode} node @returns {Explored | null} The server's answer for it, if known. */
  told(node) {
    return this.#told.get(node) ?? null;
  }

  /** @param {LineNode} node @returns {Position | null} */
  position(node) {
    return this.#positions.get(node) ?? null;
  }

  /** @param {LineNode} node @returns {Promise<Explored>} Rejects with RefusedError. */
  ask(node) {
    const asked = this.#asked.get(node) ?? this.connection.ask({ type: "explore", line: this.line(node) }).then((told) => this.take(node, told));
    this.#asked.set(node, asked);
    return asked;
  }

  /**
   * Ask the server where a clicked move leads.
   * @param {LineNode} node
   * @param {string} move Its text, or its clicks separated by spaces.
   * @returns {Promise<Explored>} Rejects with RefusedError.
   */
  try(node, move) {
    const line = this.line(node);
    return this.connection.ask({ type: "explore", line: { ...line, moves: [...(line.moves ?? []), move] } });
  }

  /** @param {LineNode} node @param {Explored} told The server's answer for it. @returns {Explored} */
  take(node, told) {
    this.#told.set(node, told);
    if (!this.#positions.has(node)) this.know(node, changed({ ...EMPTY, board: told.board }, told.view));
    return told;
  }

  /**
   * Return one object for equal boards, so that the board is not redrawn.
   * @param {Geometry} board
   * @returns {Geometry}
   */
  #oneBoard(board) {
    const known = this.#boards.find((each) => isSameBoard(each, board));
    if (known === undefined) this.#boards.push(board);
    return known ?? board;
  }

  /**
   * The position at a node, and the move that led there if the position before is known.
   * @param {LineNode} node
   * @param {number} seat That made the move.
   * @returns {Played | null} Null while the position is unknown.
   */
  played(node, seat) {
    const position = this.#positions.get(node);
    if (position === undefined) return null;
    const before = node.parent === null ? undefined : this.#positions.get(node.parent);
    const toMove = this.told(node)?.to_move ?? null;
    if (before === undefined) return { plies: [], positions: [position], position, toMove };
    /** @type {Ply} */
    const ply = { seat, move: node.move, changes: changesBetween(before, position), isForced: false, faces: [] };
    return { plies: [ply], positions: [before, position], position, toMove };
  }
}

/** @param {Position} before @param {Position} after @returns {readonly Change[]} Empty if the board itself changed. */
function changesBetween(before, after) {
  if (before.board !== after.board) return [];
  /** @type {Change[]} */
  const changes = [];
  for (const cell of new Set([...before.piles.keys(), ...after.piles.keys()])) {
    const [old, now] = [before.piles.get(cell), after.piles.get(cell)];
    if (old?.seat === now?.seat && old?.size === now?.size) continue;
    changes.push(now === undefined ? [cell, NOBODY, 0] : [cell, now.seat, now.size]);
  }
  return changes;
}

/** @param {Geometry} one @param {Geometry} other */
function isSameBoard(one, other) {
  return one === other || (one.cells.length === other.cells.length && one.cells.every(([name, x, y], index) => isAt(other.cells[index], name, x, y)));
}

/** @param {[name: string, x: number, y: number]} cell @param {string} name @param {number} x @param {number} y */
function isAt(cell, name, x, y) {
  return cell[0] === name && cell[1] === x && cell[2] === y;
}
