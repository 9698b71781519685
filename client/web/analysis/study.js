/**
 * What is looked at on the analysis board: lines, the node among them, and what the server has told of it.
 *
 * No DOM but the address, which names what is looked at; the lines are kept in the browser. Imported by
 * `analysis_page.js`.
 */

import { answerOrToast } from "../toasts.js";
import { addressOf } from "../analysis_address.js";
import { PositionCache } from "./position_cache.js";
import { movesTo } from "./line_tree.js";
import { savedLines, saveLines } from "./saved_lines.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Root } from "./position_cache.js" */
/** @import { LineNode, LineTree } from "./line_tree.js" */

export class Study {
  cache;
  /** That is looked at. @type {LineNode} */
  node;

  /**
   * @param {Connection} connection
   * @param {Root} root
   * @param {LineTree} tree To which the lines that were kept are added.
   */
  constructor(connection, root, tree) {
    this.cache = new PositionCache(connection, root);
    this.tree = tree;
    this.node = tree.root;
    tree.restore(savedLines(JSON.stringify(root)));
  }

  /** What the server has told of what is looked at, if it has. */
  get told() {
    return this.cache.told(this.node);
  }

  /** The seat to move there; null while that is not known, and where play is over. */
  get toMove() {
    return this.told?.to_move ?? null;
  }

  /** The latest node on the way to what is looked at that belongs to the match. @returns {LineNode} */
  get fixedNode() {
    let { node } = this;
    while (!node.isFixed && node.parent !== null) node = node.parent;
    return node;
  }

  /** @param {LineNode} node To look at. */
  turnTo(node) {
    this.node = node;
    this.keep();
  }

  /** Keep what is looked at in the address, and the lines in the browser. */
  keep() {
    const { root } = this.cache;
    const base = "match" in root ? this.fixedNode.ply : 0;
    const address = addressOf(root, base, movesTo(this.node).slice(base));
    if (location.pathname !== "/analysis" || this.node.parent !== null) history.replaceState(null, "", address);
    saveLines(JSON.stringify(root), this.tree.stored());
  }

  /**
   * Ask for what is not known of a node, of what came before it and, if it is wanted, of the root.
   * @param {LineNode} node
   * @param {boolean} withRoot
   * @returns {Promise<boolean>} Whether the line can be played.
   */
  async learn(node, withRoot) {
    const { cache, tree } = this;
    const [told] = await Promise.all([
      answerOrToast(cache.ask(node)),
      node.parent === null || cache.position(node.parent) !== null ? null : answerOrToast(cache.ask(node.parent)),
      withRoot ? answerOrToast(cache.ask(tree.root)) : null,
    ]);
    return told !== null;
  }

  /**
   * Try the move that was clicked: the server tells what it leads to, and its text.
   * @param {string} clicks
   */
  try(clicks) {
    return answerOrToast(this.cache.try(this.node, clicks));
  }

  /**
   * @param {readonly string[]} moves That go on from what is looked at.
   * @returns {LineNode} Where they lead to.
   */
  add(moves) {
    return moves.reduce((node, move) => this.tree.add(node, move), this.node);
  }
}
