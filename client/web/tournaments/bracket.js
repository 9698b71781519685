/** The bracket of a knockout: its rounds side by side, the losers' side of a double elimination below. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { resultLink } from "./round_tables.js";

/** @import { TournamentTable } from "../protocol.js" */

/** @param {TournamentTable[]} tables The encounters. @returns {HTMLElement[]} */
export function bracket(tables) {
  const losers = tables.filter((table) => table.losers);
  const winners = side(tables.filter((table) => !table.losers), gettext("Bracket"));
  return losers.length === 0 ? [winners] : [winners, element("h3", {}, gettext("Losers' side")), side(losers, gettext("Losers' side"))];
}

/** @param {TournamentTable[]} tables @param {string} label */
function side(tables, label) {
  const rounds = [...new Set(tables.map(({ round }) => round))].sort((one, other) => one - other);
  const columns = rounds.map((round) => element("ol", { class: "bracket-round", "aria-label": gettext("Round {round}", { round }) }, ...tables.filter((table) => table.round === round).map(encounter)));
  return element("div", { class: "bracket table-frame", role: "group", tabindex: 0, "aria-label": label }, ...columns);
}

/** @param {TournamentTable} table */
function encounter(table) {
  const [one, other] = table.players.map((player) => element("span", { class: "bracket-player" }, player === null ? "–" : playerLink(player)));
  const isPlayed = table.match || table.points || table.forfeit;
  return element("li", { class: "bracket-encounter" }, one, element("span", { class: "result" }, isPlayed ? resultLink(table) : ""), other);
}
