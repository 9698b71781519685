/**
 * A tree of variations: moves as text; the first child is the main line.
 *
 * No DOM; the server decides whether a move is legal. The moves of a match are fixed: they cannot be removed and stay
 * the main line.
 */

import { noteText, takeNote } from "./movetext.js";

/** @import { Drawing } from "../board/drawings.js" */

/**
 * @typedef {object} LineNode
 * @property {string} move Its text; empty at the root.
 * @property {number} ply How many plies have been played after it, counted from the root.
 * @property {boolean} isFixed Whether it is a move of the match.
 * @property {LineNode | null} parent
 * @property {LineNode[]} children The main line first.
 * @property {string} comment
 * @property {number[]} glyphs The assessment of the move, as glyph numbers of PGN.
 * @property {readonly Drawing[]} drawings
 */
/** A node's children as they are stored, each with its note as text. @typedef {[move: string, children: Stored[], note?: string]} Stored */

export class LineTree {
  /** @type {LineNode} */
  root = { move: "", ply: 0, isFixed: true, parent: null, children: [], comment: "", glyphs: [], drawings: [] };

  /** @param {readonly string[]} [moves] The fixed moves. */
  constructor(moves = []) {
    let node = this.root;
    for (const move of moves) {
      node = this.add(node, move);
      node.isFixed = true;
    }
  }

  /** The last move of the main line. @returns {LineNode} */
  get end() {
    return endOf(this.root);
  }

  /** @param {LineNode} parent @param {string} move @returns {LineNode} The new child, or the existing one. */
  add(parent, move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    /** @type {LineNode} */
    const node = { move, ply: parent.ply + 1, isFixed: false, parent, children: [], comment: "", glyphs: [], drawings: [] };
    parent.children.push(node);
    return node;
  }

  /**
   * Move the variation of a node before the line that it branches off from; fixed moves stay first.
   * @param {LineNode} node
   */
  promote(node) {
    const branch = branchOf(node);
    const siblings = branch?.parent?.children;
    if (!branch || !siblings) return;
    const at = siblings.indexOf(branch);
    siblings.splice(at, 1);
    siblings.splice(at - 1, 0, branch);
  }

  /** @param {LineNode} node @returns {boolean} Whether its variation can be promoted. */
  canPromote(node) {
    const branch = branchOf(node);
    const siblings = branch?.parent?.children ?? [];
    return branch !== null && !siblings[siblings.indexOf(branch) - 1]?.isFixed;
  }

  /**
   * Remove a move and everything after it.
   * @param {LineNode} node A node that is not fixed.
   * @returns {LineNode} Its parent.
   */
  remove(node) {
    const { parent } = node;
    if (parent === null || node.isFixed) return node;
    parent.children = parent.children.filter((child) => child !== node);
    return parent;
  }

  /**
   * Follow moves from the root, and add those that are missing.
   * @param {readonly string[]} moves
   * @returns {LineNode}
   */
  follow(moves) {
    let node = this.root;
    for (const move of moves) node = this.add(node, move);
    return node;
  }

  /** The variations to store. @returns {Stored[]} */
  stored() {
    const note = noteText(this.root);
    return [...(note === "" ? [] : [/** @type {Stored} */ (["", [], note])]), ...storedOf(this.root)];
  }

  /** Add stored variations. @param {readonly Stored[]} stored @param {LineNode} [parent] */
  restore(stored, parent = this.root) {
    for (const [move, children, note] of stored) {
      const node = move === "" ? this.root : this.add(parent, move);
      if (note) takeNote(node, note);
      this.restore(children, node);
    }
  }
}

/** @param {LineNode} node @returns {LineNode[]} From the first move to this one. */
export function lineTo(node) {
  /** @type {LineNode[]} */
  const line = [];
  for (let each = node; each.parent !== null; each = each.parent) line.unshift(each);
  return line;
}

/** @param {LineNode} node @returns {string[]} */
export function movesTo(node) {
  return lineTo(node).map(({ move }) => move);
}

/** @param {LineNode} node @returns {LineNode} The end of the main line from here. */
export function endOf(node) {
  let end = node;
  while (end.children.length > 0) end = end.children[0];
  return end;
}

/** @param {LineTree} tree @returns {string[]} The moves of the match. */
export function fixedMoves({ root }) {
  const moves = [];
  for (let node = root.children[0]; node?.isFixed; node = node.children[0]) moves.push(node.move);
  return moves;
}

/** @param {LineNode} node @returns {LineNode} It, or the last node on the way to it that is still in the tree. */
export function remaining(node) {
  const line = lineTo(node);
  const gone = line.find((each) => !each.parent?.children.includes(each));
  return gone?.parent ?? node;
}

/** @param {LineNode} node @returns {LineNode | null} The last node on the way that is not a first child. */
function branchOf(node) {
  for (let each = node; each.parent !== null; each = each.parent) {
    if (each.parent.children[0] !== each) return each;
  }
  return null;
}

/** @param {LineNode} node @returns {Stored[]} */
function storedOf(node) {
  return node.children.flatMap((child) => {
    const children = storedOf(child);
    // Fixed moves are stored only where a variation follows.
    const note = noteText(child);
    if (child.isFixed && children.length === 0 && note === "") return [];
    return [/** @type {Stored} */ (note === "" ? [child.move, children] : [child.move, children, note])];
  });
}
