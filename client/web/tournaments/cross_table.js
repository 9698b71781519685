/** The cross table of a round robin: what everybody scored against everybody. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { pointsText } from "../points_text.js";

/** @import { Standing, TournamentTable } from "../protocol.js" */

/** @param {Standing[]} standings Of all players. @param {TournamentTable[]} tables Of all rounds. */
export function crossTable(standings, tables) {
  const numbers = standings.map(({ rank }) => element("th", { scope: "col", class: "number" }, String(rank)));
  return element(
    "table",
    { class: "rating-table cross-table" },
    element("caption", { class: "visually-hidden" }, gettext("Cross table")),
    element("thead", {}, element("tr", {}, element("th", { scope: "col", class: "number" }, "#"), element("th", { scope: "col" }, gettext("Player")), ...numbers)),
    element(
      "tbody",
      {},
      ...standings.map(({ rank, player }) =>
        element(
          "tr",
          {},
          element("td", { class: "number place" }, String(rank)),
          element("th", { scope: "row" }, playerLink(player)),
          ...standings.map((other) => (other.rank === rank ? element("td", { class: "self" }) : element("td", { class: "number" }, ...results(tables, player.id, other.player.id)))),
        ),
      ),
    ),
  );
}

/** @param {TournamentTable[]} tables @param {string} own @param {string} other @returns {(HTMLElement | string)[]} What one scored against the other, each a link to its match. */
function results(tables, own, other) {
  return tables.flatMap(({ players, points, match }) => {
    const seat = players.findIndex((player) => player?.id === own);
    if (seat === -1 || players[1 - seat]?.id !== other || !points) return [];
    const words = pointsText(points[seat]);
    return [match ? element("a", { href: `/match/${match}` }, words) : words, " "];
  });
}
