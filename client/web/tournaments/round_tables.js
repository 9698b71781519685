/** The tables of a round: who plays whom, and the results. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { hasTables } from "./tournament_kind.js";
import { resultText, scoreText } from "./tournament_texts.js";

/** @import { TournamentPlan, TournamentTable } from "../protocol.js" */

/** @param {TournamentTable[]} tables Of one round, or of a player. @param {string} own The reader's identity. @param {TournamentPlan} plan @param {string} [caption] */
export function roundTables(tables, own, plan, caption = gettext("The tables of the round")) {
  const ordered = tables.toSorted((one, other) => one.round - other.round || one.table - other.table);
  return element(
    "table",
    { class: "rating-table round-tables" },
    element("caption", { class: "visually-hidden" }, caption),
    element("tbody", {}, ...ordered.map((table) => element("tr", { class: table.players.some((player) => player?.id === own) ? "own" : "" }, ...(hasTables(plan) ? seatCells(table, plan) : cells(table))))),
  );
}

/** A table of an arena, each player with the points. @param {TournamentTable} table @param {TournamentPlan} plan */
function seatCells({ table, players, points, match }, plan) {
  const seats = players.map((player, seat) => element("li", {}, player === null ? "" : playerLink(player), points ? element("span", { class: "strong" }, ` ${scoreText(plan, points[seat])}`) : null));
  return [
    element("td", { class: "number place" }, String(table)),
    element("td", {}, element("ul", { class: "table-seats" }, ...seats)),
    element("td", { class: "result" }, match ? element("a", { href: `/match/${match}` }, gettext("To the board")) : null),
  ];
}

/** @param {TournamentTable} table */
function cells(table) {
  const [one, other] = table.players;
  return [
    element("td", { class: "number place" }, other === null ? "" : String(table.table || table.round)),
    element("td", { class: "first" }, one === null ? null : playerLink(one)),
    element("td", { class: "result" }, resultLink(table)),
    element("td", {}, other === null ? element("span", { class: "soft" }, gettext("bye")) : playerLink(other)),
  ];
}

/** @param {TournamentTable} table @returns {HTMLElement | string} */
export function resultLink(table) {
  const words = resultText(table);
  return table.match ? element("a", { href: `/match/${table.match}` }, words) : words;
}
