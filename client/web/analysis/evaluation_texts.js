/** Scores, tablebase results and judgements as text. No DOM. */

import { chanceOf } from "../engine/judging.js";
import { decimalText, gettext, later, listText, ngettext } from "../language/texts.js";

/** @import { Explored, JudgedPly, Judgement, TablebaseProbed, Score } from "../protocol.js" */

/** Signs after a move. @type {Record<Judgement, string>} */
export const JUDGEMENT_SIGNS = { good: "", inaccuracy: " ?!", mistake: " ?", blunder: " ??" };

/** Maximum number of tablebases to name one by one; there are 49 in all. */
const LISTED_TABLES = 12;

/** @type {Judgement[]} */
export const MISTAKES = ["inaccuracy", "mistake", "blunder"];

/** @type {Record<Judgement, string>} */
const JUDGEMENT_NAMES = { good: later("good"), inaccuracy: later("inaccuracy"), mistake: later("mistake"), blunder: later("blunder") };

/** @param {Judgement} judgement */
export function judgementName(judgement) {
  return gettext(JUDGEMENT_NAMES[judgement]);
}

/** @param {Judgement} judgement @param {number} count @returns {string} Such as `blunders`, beside the number. */
export function mistakesText(judgement, count) {
  if (judgement === "inaccuracy") return ngettext("inaccuracy", "inaccuracies", count);
  return judgement === "mistake" ? ngettext("mistake", "mistakes", count) : ngettext("blunder", "blunders", count);
}

/**
 * @param {JudgedPly} ply A mistake.
 * @param {(seat: number) => string} nameOf
 * @returns {string} What it gave away.
 */
export function lossText({ seat, best, score }, nameOf) {
  const name = nameOf(seat);
  const [before, after] = [best.score, score].map((each) => Math.round(chanceOf(each, seat) * 100));
  if (best.score.ends_in !== null && before === 100) {
    const count = Math.abs(best.score.ends_in);
    return ngettext("{name} could have won in {count} ply", "{name} could have won in {count} plies", count, { name });
  }
  if (score.ends_in !== null && after === 0) return ngettext("{name} loses in {count} ply", "{name} loses in {count} plies", Math.abs(score.ends_in), { name });
  return gettext("{name}’s chances fall from {before}% to {after}%", { name, before, after });
}

/** @param {Score} score @returns {string} Such as `+1.25`; `#12` for a win in that many plies, `−#3` for a loss. */
export function scoreSign({ hundredths, ends_in, expectation }) {
  if (ends_in === 0) return expectation > 0.5 ? "1" : "0";
  if (ends_in !== null) return ends_in > 0 ? `#${ends_in}` : `−#${-ends_in}`;
  const men = (hundredths ?? 0) / 100;
  return `${men > 0 ? "+" : men < 0 ? "−" : ""}${decimalText(Math.abs(men), 2)}`;
}

/** @param {Score} score @returns {string} A shorter form for small places. */
export function shortSign(score) {
  const { hundredths, ends_in } = score;
  if (ends_in !== null || hundredths === null) return scoreSign(score).replace("−", "-");
  const men = Math.abs(hundredths) / 100;
  return decimalText(men, men < 9.95 ? 1 : 0);
}

/** @param {Score} score @param {(seat: number) => string} nameOf @returns {string} Such as `White is ahead by 1.25`. */
export function scoreText({ seat, hundredths, ends_in, expectation }, nameOf) {
  const name = nameOf(seat);
  if (ends_in !== null) {
    if (ends_in === 0) return expectation > 0.5 ? gettext("{name} has won", { name }) : gettext("{name} has lost", { name });
    const count = Math.abs(ends_in);
    if (ends_in > 0) return ngettext("{name} wins in {count} ply", "{name} wins in {count} plies", count, { name });
    return ngettext("{name} loses in {count} ply", "{name} loses in {count} plies", count, { name });
  }
  const men = (hundredths ?? 0) / 100;
  const chance = gettext("{percent}% for {name}", { percent: Math.round(expectation * 100), name });
  if (Math.abs(men) < 0.005) return gettext("Equal, {chance}", { chance });
  const lead = decimalText(Math.abs(men), 2);
  return men > 0 ? gettext("{name} is ahead by {lead}, {chance}", { name, lead, chance }) : gettext("{name} is behind by {lead}, {chance}", { name, lead, chance });
}

/**
 * @param {Explored} told
 * @param {(seat: number) => string} nameOf
 * @returns {string} Who is to move, or how the match ended.
 */
export function positionText({ to_move, ranks, seats, explanation }, nameOf) {
  if (to_move !== null) return gettext("{player} to move", { player: nameOf(to_move) });
  const winners = (ranks ?? []).flatMap((rank, seat) => (rank === 1 ? [nameOf(seat)] : []));
  const result = winners.length === 1 ? gettext("{name} wins", { name: winners[0] }) : winners.length === seats ? gettext("Draw") : gettext("{names} share the win", { names: listText(winners) });
  return `${result}: ${explanation}`;
}

/**
 * @param {number} result
 * @param {number | null} plies Null if only the result is known.
 * @returns {string} Such as `wins in 12 plies`.
 */
export function solvedText(result, plies) {
  if (result === 0) return gettext("draws");
  if (plies === null) return result > 0 ? gettext("wins") : gettext("loses");
  if (plies === 0) return result > 0 ? gettext("has won") : gettext("has lost");
  return result > 0 ? ngettext("wins in {count} ply", "wins in {count} plies", plies) : ngettext("loses in {count} ply", "loses in {count} plies", plies);
}

/** @param {TablebaseProbed} told @returns {string} Which tablebases exist; empty if none. */
export function tablesText({ tables }) {
  const [first, last] = [tables[0], tables[tables.length - 1]];
  if (tables.length > LISTED_TABLES) return gettext("{count} tablebases on this server, from {first} to {last} (pieces of the side to move and of the opponent).", { count: tables.length, first, last });
  return tables.length === 0 ? "" : gettext("Tablebases on this server, as pieces of the side to move and of the opponent: {tables}.", { tables: tables.join(", ") });
}

/** @param {number} nodes Per second. @returns {string} Such as `4.8 M/s`. */
export function speedText(nodes) {
  return nodes >= 1_000_000 ? `${decimalText(nodes / 1_000_000, 1)} M/s` : `${Math.round(nodes / 1_000)} k/s`;
}
