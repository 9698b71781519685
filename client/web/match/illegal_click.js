/**
 * Why a click on the board does nothing, in words. It knows no rules, only which cells the legal moves lead through.
 */

import { gettext } from "../language/texts.js";

/** @import { MoveEntry } from "./move_entry.js" */
/** @import { Position } from "../board/position.js" */

/**
 * @param {MoveEntry} entry Before the click.
 * @param {string} cell
 * @param {Position} position Before the move.
 * @param {number} seat To move.
 * @returns {string} Empty if the click is part of a move, or undoes one.
 */
export function illegalClickText(entry, cell, position, seat) {
  const isCell = position.board?.cells.some(([name]) => name === cell);
  const leadsOn = [...entry.cells, ...entry.beginnings, ...entry.barredCells, ...entry.clicks].includes(cell);
  const stage = entry.stage(position, seat);
  if (!isCell || position.ground !== null || entry.isSent || (leadsOn && stage !== "take")) return "";
  const pile = position.piles.get(cell);
  if (stage === "take") return entry.cells.includes(cell) || entry.clicks.includes(cell) ? "" : gettext("Take one of the marked pieces first.");
  if (entry.clicks.length > 0) return pile === undefined ? gettext("That piece cannot move there.") : gettext("That place is taken.");
  if (pile !== undefined) return pile.seat === seat ? gettext("That piece cannot move now.") : gettext("That piece is not yours.");
  return (position.reserves[seat] ?? 0) > 0 ? gettext("You cannot place a piece there.") : gettext("Choose a piece to move first.");
}
