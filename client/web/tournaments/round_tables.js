/** The tables of a round: who plays whom, and the results. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { resultText } from "./tournament_texts.js";

/** @import { TournamentTable } from "../protocol.js" */

/** @param {TournamentTable[]} tables Of one round. @param {string} own The reader's identity. */
export function roundTables(tables, own) {
  const ordered = tables.toSorted((one, other) => one.table - other.table);
  return element(
    "table",
    { class: "rating-table round-tables" },
    element("caption", { class: "visually-hidden" }, gettext("The tables of the round")),
    element("tbody", {}, ...ordered.map((table) => row(table, own))),
  );
}

/** @param {TournamentTable} table @param {string} own */
function row(table, own) {
  const [one, other] = table.players;
  return element(
    "tr",
    { class: table.players.some((player) => player?.id === own) ? "own" : "" },
    element("td", { class: "number place" }, other === null ? "" : String(table.table)),
    element("td", { class: "first" }, one === null ? null : playerLink(one)),
    element("td", { class: "result" }, resultLink(table)),
    element("td", {}, other === null ? element("span", { class: "soft" }, gettext("bye")) : playerLink(other)),
  );
}

/** @param {TournamentTable} table @returns {HTMLElement | string} */
export function resultLink(table) {
  const words = resultText(table);
  return table.match ? element("a", { href: `/match/${table.match}` }, words) : words;
}
