/**
 * The state of the analysis board: the tree, the shown node, and the server's answers.
 *
 * No DOM except the address, which names the shown node. The browser stores the variations.
 */

import { isOnDevice } from "../device/device_ids.js";
import { seatPlans } from "../match/seat_plans.js";
import { answerOrToast } from "../toasts.js";
import { addressOf, studyAddressOf } from "../analysis_address.js";
import { PositionCache } from "./position_cache.js";
import { movesTo } from "./line_tree.js";
import { savedLines, saveLines } from "./saved_lines.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Root } from "./position_cache.js" */
/** @import { LineNode, LineTree } from "./line_tree.js" */
/** @import { Accepted, Level, SeatPlan } from "../protocol.js" */
/** @import { Opponent } from "../match/seat_plans.js" */

export class Study {
  cache;
  /** The shown node. @type {LineNode} */
  node;
  /** The id of the study of the address; empty for none. */
  id;

  /**
   * @param {Connection} connection
   * @param {string} game
   * @param {Root} root
   * @param {LineTree} tree Stored variations are added to it, unless it is that of a study.
   * @param {string} [id]
   */
  constructor(connection, game, root, tree, id = "") {
    this.connection = connection;
    this.game = game;
    this.root = root;
    // The server does not know a match on this device: its lines begin at the usual start.
    this.cache = new PositionCache(connection, "match" in root && isOnDevice(root.match) ? { game, setup: "" } : root);
    this.tree = tree;
    this.node = tree.root;
    this.id = id;
    if (id === "") tree.restore(savedLines(JSON.stringify(root)));
  }

  /** The server's answer for the shown node, if known. */
  get told() {
    return this.cache.told(this.node);
  }

  /** The seat to move; null while unknown and once the match is over. */
  get toMove() {
    return this.told?.to_move ?? null;
  }

  /** The last move of the match on the way to the shown node. @returns {LineNode} */
  get fixedNode() {
    let { node } = this;
    while (!node.isFixed && node.parent !== null) node = node.parent;
    return node;
  }

  /** @param {LineNode} node The node to show. */
  turnTo(node) {
    this.node = node;
    this.keep();
  }

  /** Put the shown node into the address, and store the variations. */
  keep() {
    const { root } = this;
    if (this.id !== "") return history.replaceState(null, "", studyAddressOf(this.id, movesTo(this.node)));
    const base = "match" in root ? this.fixedNode.ply : 0;
    const address = addressOf(root, base, movesTo(this.node).slice(base));
    if (location.pathname !== "/analysis" || this.node.parent !== null) history.replaceState(null, "", address);
    saveLines(JSON.stringify(root), this.tree.stored());
  }

  /**
   * Request what is unknown about a node, its parent and, if wanted, the root.
   * @param {LineNode} node
   * @param {boolean} withRoot
   * @returns {Promise<boolean>} Whether the line is legal.
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

  /** Send a clicked move; the server answers with the position after it and its text. @param {string} clicks */
  try(clicks) {
    return answerOrToast(this.cache.try(this.node, clicks));
  }

  /**
   * Start a match from the shown position; the reader plays the side to move.
   * @param {number} seats
   * @param {Opponent} opponent
   * @param {Level} level
   * @returns {Promise<Accepted | null>} Null if refused, or if nobody is to move there.
   */
  async playFrom(seats, opponent, level) {
    const { told, toMove } = this;
    if (told === null || toMove === null || told.position === "") return null;
    return this.#start(told.position, seatPlans(seats, toMove, opponent, level));
  }

  /**
   * Start a match against bots.
   * @param {string | null} setup Null for the shown position.
   * @param {number} seats
   * @param {number} own The reader's seat.
   * @param {Level} level
   * @returns {Promise<Accepted | null>} Null if refused, or if nobody is to move in the shown position.
   */
  async practise(setup, seats, own, level) {
    const from = setup ?? (this.toMove === null ? null : this.told?.position || null);
    return from === null ? null : this.#start(from, seatPlans(seats, own, "bot", level));
  }

  /** @param {string} setup @param {SeatPlan[]} plans @returns {Promise<Accepted | null>} */
  #start(setup, plans) {
    return answerOrToast(this.connection.command({ type: "create", game: this.game, seats: plans, setup, clock: null, shuffle: false }));
  }

  /** @param {readonly string[]} moves Moves from the shown node. @returns {LineNode} The last of them. */
  add(moves) {
    return moves.reduce((node, move) => this.tree.add(node, move), this.node);
  }
}
