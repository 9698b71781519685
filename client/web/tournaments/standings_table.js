/** A page of the standings: rank, player, points of each match, score. */

import { element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { ratingNumber } from "../ratings/rating_texts.js";

/** @import { Standing } from "../protocol.js" */

/** @param {Standing[]} standings @param {string} own The reader's identity. */
export function standingsTable(standings, own) {
  const columns = [
    element("th", { scope: "col", class: "number" }, "#"),
    element("th", { scope: "col" }, gettext("Player")),
    element("th", { scope: "col", class: "points" }, gettext("Points")),
    element("th", { scope: "col", class: "number" }, gettext("Score")),
  ];
  return element(
    "table",
    { class: "rating-table standings" },
    element("caption", { class: "visually-hidden" }, gettext("Standings")),
    element("thead", {}, element("tr", {}, ...columns)),
    element("tbody", {}, ...standings.map((standing) => row(standing, own))),
  );
}

/** @param {Standing} standing @param {string} own */
function row(standing, own) {
  const { rank, player, rating, provisional, score, points = [], fire, paused, disqualified } = standing;
  return element(
    "tr",
    { class: player.id === own ? "own" : "", "data-player": player.name },
    element("td", { class: "number place" }, String(rank)),
    element(
      "th",
      { scope: "row" },
      playerLink(player),
      " ",
      element("span", { class: "soft" }, ...ratingNumber(rating, provisional)),
      fire ? flame() : null,
      paused ? element("span", { class: "soft state" }, disqualified ? gettext("disqualified") : gettext("paused")) : null,
    ),
    element("td", { class: "points" }, points.join(" ")),
    element("td", { class: "number strong" }, String(score)),
  );
}

/** After two wins in a row. */
function flame() {
  const label = gettext("On a streak: results count double");
  return element("span", { class: "flame", role: "img", "aria-label": label, title: label }, icon("flame"));
}
