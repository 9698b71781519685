/**
 * Scores, tablebase results and judgements as text. No DOM.
 */

/** @import { Explored, Judgement, TablebaseProbed, Score } from "../protocol.js" */

/** Signs after a move. @type {Record<Judgement, string>} */
export const JUDGEMENT_SIGNS = { good: "", inaccuracy: " ?!", mistake: " ?", blunder: " ??" };

/** @type {[Judgement, string, string][]} */
export const MISTAKES = [
  ["inaccuracy", "inaccuracy", "inaccuracies"],
  ["mistake", "mistake", "mistakes"],
  ["blunder", "blunder", "blunders"],
];

/**
 * @param {Score} score
 * @returns {string} Such as `+1.25`; `#12` for a win in that many plies, `−#3` for a loss.
 */
export function scoreSign({ hundredths, ends_in, expectation }) {
  if (ends_in === 0) return expectation > 0.5 ? "1" : "0";
  if (ends_in !== null) return ends_in > 0 ? `#${ends_in}` : `−#${-ends_in}`;
  const men = (hundredths ?? 0) / 100;
  return `${men > 0 ? "+" : men < 0 ? "−" : ""}${Math.abs(men).toFixed(2)}`;
}

/**
 * @param {Score} score
 * @returns {string} A shorter form for small places.
 */
export function shortSign(score) {
  const { hundredths, ends_in } = score;
  if (ends_in !== null || hundredths === null) return scoreSign(score).replace("−", "-");
  const men = Math.abs(hundredths) / 100;
  return men.toFixed(men < 9.95 ? 1 : 0);
}

/**
 * @param {Score} score
 * @param {(seat: number) => string} nameOf
 * @returns {string} Such as `White is ahead by 1.25`.
 */
export function scoreText({ seat, hundredths, ends_in, expectation }, nameOf) {
  const name = nameOf(seat);
  if (ends_in !== null) {
    if (ends_in === 0) return expectation > 0.5 ? `${name} has won` : `${name} has lost`;
    return `${name} ${ends_in > 0 ? "wins" : "loses"} in ${pliesText(Math.abs(ends_in))}`;
  }
  const men = (hundredths ?? 0) / 100;
  const chance = `${Math.round(expectation * 100)}% for ${name}`;
  if (Math.abs(men) < 0.005) return `Equal, ${chance}`;
  return `${name} is ${men > 0 ? "ahead" : "behind"} by ${Math.abs(men).toFixed(2)}, ${chance}`;
}

/**
 * @param {Explored} told
 * @param {(seat: number) => string} nameOf
 * @returns {string} Who is to move, or how the match ended.
 */
export function positionText({ to_move, ranks, seats, explanation }, nameOf) {
  if (to_move !== null) return `${nameOf(to_move)} to move`;
  const winners = (ranks ?? []).flatMap((rank, seat) => (rank === 1 ? [nameOf(seat)] : []));
  const result = winners.length === 1 ? `${winners[0]} wins` : winners.length === seats ? "Draw" : `${winners.join(" and ")} share the win`;
  return `${result}: ${explanation}`;
}

/** @param {number} plies */
export function pliesText(plies) {
  return plies === 1 ? "1 ply" : `${plies} plies`;
}

/**
 * @param {number} result
 * @param {number | null} plies
 * @returns {string} Such as `wins in 12 plies`.
 */
export function solvedText(result, plies) {
  if (result === 0) return "draws";
  if (plies === null || plies === 0) return result > 0 ? "has won" : "has lost";
  return `${result > 0 ? "wins" : "loses"} in ${pliesText(plies)}`;
}

/**
 * @param {TablebaseProbed} told
 * @returns {string} Which tablebases exist; empty if none.
 */
export function tablesText({ tables }) {
  return tables.length === 0 ? "" : `Tablebases on this server, as pieces of the side to move and of the opponent: ${tables.join(", ")}.`;
}

/**
 * @param {number} nodes Per second.
 * @returns {string} Such as `4.8 M/s`.
 */
export function speedText(nodes) {
  return nodes >= 1_000_000 ? `${(nodes / 1_000_000).toFixed(1)} M/s` : `${Math.round(nodes / 1_000)} k/s`;
}
