/**
 * Lines of play from a game's usual start, answered on this device in place of the server, for the analysis board. No DOM.
 */

import { moveTreeOf } from "./move_tree.js";

/** @import { PlayEngine } from "../engine/play_engine.js" */
/** @import { Situation } from "../engine/engine_module.js" */
/** @import { Change, EngineLine, Explored } from "../protocol.js" */
/** @import { PlayableGame } from "./playable_games.js" */

/** @typedef {{ situation: Situation, numbers: number[], text: string }} LineEnd With the moves in the engine's numbers, and the text of the last one. */

/**
 * Answer `explore` or `get_engine_line`.
 * @param {"explore" | "get_engine_line"} type
 * @param {readonly string[]} moves Their texts, or their clicks separated by spaces.
 * @param {PlayableGame} playable
 * @param {PlayEngine} engine
 * @returns {Promise<Explored | EngineLine | null>} Null if the moves cannot be played.
 */
export async function answerLine(type, moves, playable, engine) {
  const end = await endOf(moves, playable, engine);
  if (end === null) return null;
  return type === "explore" ? explored(end, playable) : { ...playable.line, moves: end.numbers };
}

/** @param {readonly string[]} moves @param {PlayableGame} playable @param {PlayEngine} engine @returns {Promise<LineEnd | null>} */
async function endOf(moves, { line }, engine) {
  /** @type {LineEnd} */
  let end = { situation: await engine.look({ ...line, moves: [] }), numbers: [], text: "" };
  for (const move of moves) {
    const found = end.situation.moves.find(({ text, clicks }) => text === move || clicks.join(" ") === move);
    if (found === undefined) return null;
    const numbers = [...end.numbers, found.move];
    end = { situation: await engine.look({ ...line, moves: numbers }), numbers, text: found.text };
  }
  return end;
}

/** @param {LineEnd} end @param {PlayableGame} playable @returns {Explored} */
function explored({ situation, numbers, text }, { board, line }) {
  const { seat, moves, end, piles, reserves, tallies, territory } = situation;
  const changes = board.cells.flatMap(([cell], index) => (piles[index][1] > 0 ? [/** @type {Change} */ ([cell, ...piles[index]])] : []));
  return {
    type: "explored",
    id: "",
    seats: line.seats,
    ply: numbers.length,
    to_move: end === null ? seat : null,
    board,
    view: { changes, reserves, tallies, board: null, territory: null, ground: null, highlights: [] },
    position: "",
    move: text,
    moves: moveTreeOf(moves),
    refused: {},
    ranks: end?.ranks ?? null,
    explanation: end?.explanation ?? "",
    score: null,
    notations: {},
    territory: end === null ? null : territory.slice(0, board.cells.length),
  };
}
