/**
 * How the board decided a match, with names and numbers: who took the last man that counts, who is blocked, who holds
 * how much. No DOM.
 *
 * The game's reason says what decided; the moves, the pieces and what the game counts say how.
 */

import { gameText } from "../language/game_texts.js";
import { gettext, ngettext } from "../language/texts.js";
import { READER, blockedSeat, plyText, spoken } from "./match_texts.js";

/** @import { GameInfo } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/** Reasons for which what the game counts for each seat decides. */
const COUNTED = ["most_cells", "largest_group", "shared"];

/**
 * @param {MatchState} state Of a match that has ended.
 * @param {(seat: number) => string} titleOf A player's name, or "You" for the reader.
 * @param {GameInfo | undefined} game
 * @returns {string} A sentence without a full stop; empty if there is nothing to say beyond the reason.
 */
export function decisionText(state, titleOf, game) {
  const { ranks = null, reason = "" } = state.end ?? {};
  if (ranks === null || ranks.length !== 2) return "";
  const loser = ranks[0] === 1 ? 1 : 0;
  if (state.position.territory !== null) return territoryText(state.position.territory, loser, titleOf);
  if (ranks[0] === ranks[1]) return "";
  if (blockedSeat(state) === loser) return blockedText(titleOf(loser), piecesOf(state, loser));
  const last = state.plies.at(-1);
  if (reason !== "too_few_men" || last === undefined) return "";
  const deed = plyText(titleOf(last.seat), last, state.positions[state.plies.length - 1], state.position, game);
  return fewMenText(deed, titleOf(loser), piecesOf(state, loser));
}

/**
 * The counts that decided a match, as an addition to the reason.
 * @param {MatchState} state
 * @param {(seat: number) => string} titleOf
 * @param {GameInfo | undefined} game
 * @returns {string} `Cells: Ben 14, You 6`, the best first; empty if no count decided.
 */
export function countsText({ end, position: { tallies } }, titleOf, game) {
  const ranks = end?.ranks ?? null;
  if (ranks === null || end === null || !COUNTED.includes(end.reason)) return "";
  const winners = [...ranks.keys()].filter((seat) => ranks[seat] === 1);
  const isDeciding = (/** @type {readonly number[]} */ counts) => counts.filter((count) => count >= counts[winners[0]]).length === winners.length;
  const deciding = tallies.find(({ counts }) => isDeciding(counts)) ?? tallies.at(-1);
  if (deciding === undefined) return "";
  const seats = [...ranks.keys()].sort((one, other) => ranks[one] - ranks[other] || one - other);
  const counts = seats.map((seat) => `${spoken(titleOf(seat))} ${deciding.counts[seat]}`).join(", ");
  return `${gameText(game, deciding.name)}: ${counts}`;
}

/** @param {MatchState} state @param {number} seat */
function piecesOf({ position }, seat) {
  return (position.reserves[seat] ?? 0) + [...position.piles.values()].filter((pile) => pile.seat === seat).length;
}

/** @param {string} name @param {number} count */
function blockedText(name, count) {
  if (name === READER) return ngettext("You cannot move: your last piece is blocked", "You cannot move: all {count} of your pieces are blocked", count);
  return ngettext("{name} cannot move: the last piece is blocked", "{name} cannot move: all {count} pieces are blocked", count, { name });
}

/** @param {string} deed `Greta moved g4 to g7, closed a mill and took d2`. @param {string} name The loser's. @param {number} count */
function fewMenText(deed, name, count) {
  if (name === READER) return ngettext("{deed}: you have one man left", "{deed}: you have {count} men left", count, { deed });
  return ngettext("{deed}: {name} has one man left", "{deed}: {name} has {count} men left", count, { deed, name });
}

/** @param {readonly number[]} territory @param {number} loser @param {(seat: number) => string} titleOf */
function territoryText(territory, loser, titleOf) {
  const [most, least] = [1 - loser, loser].map((seat) => territory.filter((holder) => holder === seat).length);
  if (most === least) return gettext("Both players hold {count} squares", { count: most });
  const [winner, other] = [titleOf(1 - loser), titleOf(loser)];
  if (winner === READER) return gettext("You hold {most} squares, and {name} holds {least}", { most, least, name: other });
  if (other === READER) return gettext("{name} holds {most} squares, and you hold {least}", { most, least, name: winner });
  return gettext("{name} holds {most} squares, and {other} holds {least}", { most, least, name: winner, other });
}
