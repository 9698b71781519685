/**
 * A tree of lines of play: moves as texts, the first of several the main one.
 *
 * Headless; whether a move may be played is the server's to say. What it begins with may be fixed: the moves of a match
 * are never removed, and stay the main line.
 */

/**
 * @typedef {object} LineNode
 * @property {string} move Its text; empty at the root.
 * @property {number} ply How many plies have been played after it, counted from the root.
 * @property {boolean} isFixed Whether the match itself came this way.
 * @property {LineNode | null} parent
 * @property {LineNode[]} children The main one first.
 */
/** A node's children as they are stored. @typedef {[move: string, children: Stored[]]} Stored */

export class LineTree {
  /** @type {LineNode} */
  root = { move: "", ply: 0, isFixed: true, parent: null, children: [] };

  /** @param {readonly string[]} [moves] That are fixed. */
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

  /**
   * @param {LineNode} parent
   * @param {string} move
   * @returns {LineNode} The new one, or that which was there.
   */
  add(parent, move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = { move, ply: parent.ply + 1, isFixed: false, parent, children: [] };
    parent.children.push(node);
    return node;
  }

  /**
   * Put the line to which a move belongs before the one that it branches off from; fixed moves stay where they are.
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

  /**
   * @param {LineNode} node
   * @returns {boolean} Whether its line may come before another.
   */
  canPromote(node) {
    const branch = branchOf(node);
    const siblings = branch?.parent?.children ?? [];
    return branch !== null && !siblings[siblings.indexOf(branch) - 1]?.isFixed;
  }

  /**
   * Remove a move and all that follows it.
   * @param {LineNode} node That is not fixed.
   * @returns {LineNode} What it followed.
   */
  remove(node) {
    const { parent } = node;
    if (parent === null || node.isFixed) return node;
    parent.children = parent.children.filter((child) => child !== node);
    return parent;
  }

  /**
   * Follow moves from the root as far as they are there, and add the others.
   * @param {readonly string[]} moves
   * @returns {LineNode}
   */
  follow(moves) {
    let node = this.root;
    for (const move of moves) node = this.add(node, move);
    return node;
  }

  /** What is not fixed, to be stored. @returns {Stored[]} */
  stored() {
    return storedOf(this.root);
  }

  /**
   * Add what was stored.
   * @param {readonly Stored[]} stored
   * @param {LineNode} [parent]
   */
  restore(stored, parent = this.root) {
    for (const [move, children] of stored) this.restore(children, this.add(parent, move));
  }
}

/**
 * @param {LineNode} node
 * @returns {LineNode[]} From the first move to this one.
 */
export function lineTo(node) {
  /** @type {LineNode[]} */
  const line = [];
  for (let each = node; each.parent !== null; each = each.parent) line.unshift(each);
  return line;
}

/**
 * @param {LineNode} node
 * @returns {string[]}
 */
export function movesTo(node) {
  return lineTo(node).map(({ move }) => move);
}

/**
 * @param {LineNode} node
 * @returns {LineNode} Where the main line from here ends.
 */
export function endOf(node) {
  let end = node;
  while (end.children.length > 0) end = end.children[0];
  return end;
}

/**
 * @param {LineNode} node
 * @returns {LineNode | null} The latest move on the way to a node that is not the main one of its siblings.
 */
function branchOf(node) {
  for (let each = node; each.parent !== null; each = each.parent) {
    if (each.parent.children[0] !== each) return each;
  }
  return null;
}

/**
 * @param {LineNode} node
 * @returns {Stored[]}
 */
function storedOf(node) {
  return node.children.flatMap((child) => {
    const children = storedOf(child);
    // Of what is fixed only the way to what is not.
    return child.isFixed && children.length === 0 ? [] : [/** @type {Stored} */ ([child.move, children])];
  });
}
