/** The board's content: the shown position with the marks on its cells. Pure. */

import { gettext, later } from "../language/texts.js";
import { READER, blockedSeat, effectsOf } from "./match_texts.js";

/** @import { Mark, Scene } from "../board/board.js" */
/** @import { Ended } from "../protocol.js" */
/** @import { Ply } from "./public_match.js" */
/** @import { Position } from "../board/position.js" */
/** @import { MoveEntry } from "./move_entry.js" */

/** @typedef {Map<string, Set<Mark>>} Marks */
/**
 * A match, or a line of an analysis.
 * @typedef {object} Played
 * @property {readonly Ply[]} plies
 * @property {readonly Position[]} positions After each ply.
 * @property {Position} position The last position.
 * @property {number | null} toMove
 * @property {Ended | null} [end] How the match ended.
 */
/**
 * The reader's premoves.
 * @typedef {object} Plan
 * @property {readonly (readonly string[])[]} moves The clicks of each, in the order in which they are played.
 * @property {readonly string[]} cells The cells of them all.
 * @property {readonly string[]} own The cells of the pieces that another one may move.
 * @property {string | null} picked The cell of the piece that is picked up for another one.
 * @property {boolean} acceptsClicks Whether premoves can be entered now.
 * @property {number | null} seat The reader's.
 */
/**
 * @typedef {object} Seats
 * @property {(seat: number) => string} nameOf
 * @property {(seat: number) => string} colourOf
 */

/** @type {Partial<Record<Mark, string>>} */
const MARK_TEXTS = {
  origin: later("left by the last move"),
  target: later("last move"),
  turned: later("flipped by the last move"),
  picked: later("picked up"),
  pick: later("can be picked up"),
  go: later("can go here"),
  take: later("can be taken"),
  barred: later("not allowed: repeats an earlier position"),
  planned: later("premove"),
  advised: later("the engine’s move"),
  blocked: later("blocked"),
  blocking: later("blocks"),
};

/**
 * A position without move entry.
 * @param {Played} state
 * @param {number} ply The shown ply.
 * @param {Seats} seats
 * @param {Plan | null} [plan]
 * @param {readonly string[]} [advised] The clicks of the engine's move.
 * @returns {Scene}
 */
export function pastScene(state, ply, seats, plan = null, advised = []) {
  const position = state.positions[ply];
  const marks = lastMoveMarks(state, ply);
  if (ply === state.plies.length) addBlocks(state, marks);
  for (const cell of advised) add(marks, cell, "advised");
  for (const cell of plan?.own ?? []) add(marks, cell, "plannable");
  for (const cell of plan?.cells ?? []) add(marks, cell, "planned");
  if (plan?.picked) for (const mark of /** @type {const} */ (["planned", "picked"])) add(marks, plan.picked, mark);
  const acceptsPremove = plan?.acceptsClicks ?? false;
  return { position, marks, colour: null, acceptsPremove, plans: plansOf(plan, seats), isSudden: false, describe: describer(position, marks, seats) };
}

/**
 * The live position, with the move being entered.
 * @param {Played} state
 * @param {MoveEntry} entry
 * @param {Seats} seats
 * @param {number | undefined} amount The number being chosen.
 * @param {Plan | null} plan
 * @param {readonly string[]} [advised] The clicks of the engine's move.
 * @returns {Scene}
 */
export function liveScene(state, entry, seats, amount, plan, advised = []) {
  const seat = state.toMove;
  if (seat === null || (entry.beginnings.length === 0 && entry.clicks.length === 0)) {
    return pastScene(state, state.plies.length, seats, plan, advised);
  }
  const position = entry.preview(state.position, seat, amount);
  const marks = entry.clicks.length === 0 ? lastMoveMarks(state, state.plies.length) : new Map();
  const isTaking = entry.stage(state.position, seat) === "take";
  for (const cell of entry.clicks.length === 0 ? advised : []) add(marks, cell, "advised");
  for (const cell of entry.cells) add(marks, cell, markOf(position, cell, seat));
  for (const cell of isTaking ? [] : entry.beginnings) {
    if (position.piles.get(cell)?.seat === seat) add(marks, cell, "pick");
  }
  for (const cell of entry.barredCells) add(marks, cell, "barred");
  for (const click of entry.clicks) {
    const isGround = position.ground !== null;
    if (isGround || state.position.piles.get(click)?.seat === seat || position.piles.has(click)) add(marks, click, "picked");
  }
  const describe = describer(position, marks, seats);
  return { position, marks, colour: seats.colourOf(seat), acceptsPremove: false, plans: plansOf(plan, seats), isSudden: false, describe };
}

/** @param {Plan | null} plan @param {Seats} seats @returns {Scene["plans"]} */
function plansOf(plan, { colourOf }) {
  return plan === null || plan.seat === null ? null : { moves: plan.moves, colour: colourOf(plan.seat) };
}

/** @param {Position} position @param {string} cell @param {number} seat @returns {Mark} */
function markOf(position, cell, seat) {
  const pile = position.piles.get(cell);
  if (pile === undefined) return "go";
  return pile.seat === seat ? "pick" : "take";
}

/** @param {Played} state @param {number} ply @returns {Marks} */
function lastMoveMarks(state, ply) {
  /** @type {Marks} */
  const marks = new Map();
  // A forced pass does not hide the move before it.
  const last = state.plies.slice(0, ply).findLastIndex(({ isForced }) => !isForced);
  if (last < 0) return marks;
  const before = state.positions[last];
  const { origins, targets, taken, flipped } = effectsOf(state.plies[last], before);
  for (const cell of origins) add(marks, cell, "origin");
  for (const cell of [...targets, ...laidCells(before, state.positions[last + 1])]) add(marks, cell, "target");
  for (const cell of taken) add(marks, cell, "taken");
  for (const cell of flipped) add(marks, cell, "turned");
  return marks;
}

/**
 * Mark the pieces of a player who has lost because none can move, and those that stand in their way.
 * @param {Played} state
 * @param {Marks} marks
 */
function addBlocks(state, marks) {
  const seat = blockedSeat(state);
  const { board, piles } = state.position;
  if (seat === null || board === null) return;
  const isOwn = (/** @type {string} */ cell) => piles.get(cell)?.seat === seat;
  for (const cell of [...piles.keys()].filter(isOwn)) add(marks, cell, "blocked");
  for (const line of board.lines) {
    const ends = line.map((index) => board.cells[index][0]);
    for (const cell of ends) if (ends.some(isOwn) && piles.has(cell) && !isOwn(cell)) add(marks, cell, "blocking");
  }
}

/**
 * The cells of the tiles placed between two positions on the same board.
 * @param {Position} before
 * @param {Position} after
 * @returns {string[]}
 */
function laidCells({ board, ground }, after) {
  if (board === null || ground === null || after.board !== board) return [];
  return (after.ground ?? []).filter((index) => !ground.includes(index)).map((index) => board.cells[index][0]);
}

/** @param {Marks} marks @param {string} cell @param {Mark} mark */
function add(marks, cell, mark) {
  const known = marks.get(cell);
  if (known === undefined) marks.set(cell, new Set([mark]));
  else known.add(mark);
}

/** @param {Position} position @param {Marks} marks @param {Seats} seats @returns {(cell: string) => string} */
function describer(position, marks, { nameOf }) {
  return (cell) => {
    const pile = position.piles.get(cell);
    const content = pile === undefined ? gettext("empty") : pileText(nameOf(pile.seat), pile.size);
    const notes = [...(marks.get(cell) ?? [])].flatMap((mark) => MARK_TEXTS[mark] ?? []);
    return [cell, content, ...notes.map((note) => gettext(note))].join(", ");
  };
}

/** @param {string} name The player's name, or "You". @param {number} size */
function pileText(name, size) {
  if (size > 1) return name === READER ? gettext("your stack of {size}", { size }) : gettext("{name}’s stack of {size}", { name, size });
  return name === READER ? gettext("your piece") : gettext("{name}’s piece", { name });
}
