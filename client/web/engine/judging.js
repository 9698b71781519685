/**
 * Moves of a match judged by the chance to win that they gave away, and a summary for each seat.
 *
 * As the server judges them (`server/learning/analysis/judgement.py` and `accuracy.py`, with the sources), but without
 * its opening books. No DOM.
 */

/** @import { JudgedPly, Judgement, Score } from "../protocol.js" */

/** The least loss of each judgement, 0 to 1. @type {readonly [number, Judgement][]} */
const THRESHOLDS = [
  [0.15, "blunder"],
  [0.1, "mistake"],
  [0.05, "inaccuracy"],
];
/** The chance to win at which a seat counts as ahead. */
const AHEAD = 0.6;

/** @param {Score} score @param {number} seat One of two, or the score's. @returns {number} Its chance to win, 0 to 1. */
export function chanceOf({ seat: of, expectation }, seat) {
  return of === seat ? expectation : 1 - expectation;
}

/**
 * @param {number} loss In the chance to win, 0 to 1.
 * @param {boolean} isFirst Whether it is a seat's first move in a game with many draws, which must be a blunder to count.
 * @returns {Judgement}
 */
export function judgementOf(loss, isFirst) {
  const [, judgement] = THRESHOLDS.find(([least]) => loss >= least) ?? [0, "good"];
  return isFirst && judgement !== "blunder" ? "good" : judgement;
}

/**
 * @param {readonly JudgedPly[]} plies
 * @param {number} seat
 * @returns {number | null} In percent; null for a seat that never had a choice.
 */
export function accuracyOf(plies, seat) {
  const own = plies.filter((ply) => ply.seat === seat && !ply.is_forced).map(({ loss }) => moveAccuracy(loss));
  if (own.length === 0) return null;
  const sum = own.reduce((total, each) => total + each, 0);
  const inverse = own.reduce((total, each) => total + 1 / Math.max(each, 1), 0);
  return Math.round(((sum / own.length + own.length / inverse) / 2) * 10) / 10;
}

/**
 * @param {readonly JudgedPly[]} plies
 * @param {readonly number[] | null} ranks
 * @returns {number | null} The ply, from 1, that decided the match: the worst mistake of a seat that did not win; with
 *   two seats, after the winner was last not ahead.
 */
export function turningPoint(plies, ranks) {
  if (ranks === null || ranks.filter((rank) => rank === 1).length !== 1) return null;
  const winner = ranks.indexOf(1);
  const begin = ranks.length === 2 ? aheadSince(plies, winner) : 0;
  let worst = -1;
  for (let ply = begin; ply < plies.length; ply += 1) {
    if (plies[ply].seat !== winner && (worst < 0 || plies[ply].loss > plies[worst].loss)) worst = ply;
  }
  return worst < 0 || plies[worst].judgement === "good" ? null : worst + 1;
}

/** @param {number} loss @returns {number} In percent. */
function moveAccuracy(loss) {
  return Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354415 * loss) - 3.1669));
}

/** @param {readonly JudgedPly[]} plies @param {number} winner @returns {number} The plies after which the winner was last not ahead. */
function aheadSince(plies, winner) {
  return plies.findLastIndex(({ score }) => chanceOf(score, winner) < AHEAD) + 1;
}
