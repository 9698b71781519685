/** A page of the standings: rank, player, points of each match, score. */

import { element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { pointsText } from "../points_text.js";
import { ratingNumber } from "../ratings/rating_texts.js";

/** @import { Standing, TournamentKind } from "../protocol.js" */

/** @param {Standing[]} standings @param {string} own The reader's identity. @param {TournamentKind} kind */
export function standingsTable(standings, own, kind) {
  const hasPoints = kind !== "knockout";
  const hasTieBreaks = kind === "swiss" || kind === "round_robin";
  const columns = [
    element("th", { scope: "col", class: "number" }, "#"),
    element("th", { scope: "col" }, gettext("Player")),
    hasPoints ? element("th", { scope: "col", class: "points" }, gettext("Points")) : null,
    element("th", { scope: "col", class: "number" }, gettext("Score")),
    ...(hasTieBreaks ? TIE_BREAKS().map(([short, long]) => element("th", { scope: "col", class: "number tie-break" }, element("abbr", { title: long }, short))) : []),
  ];
  return element(
    "table",
    { class: "rating-table standings" },
    element("caption", { class: "visually-hidden" }, gettext("Standings")),
    element("thead", {}, element("tr", {}, ...columns)),
    element("tbody", {}, ...standings.map((standing) => row(standing, own, kind, hasPoints, hasTieBreaks))),
  );
}

/** @returns {[string, string][]} */
const TIE_BREAKS = () => [
  [gettext("BH"), gettext("Buchholz")],
  [gettext("SB"), gettext("Sonneborn-Berger")],
  [gettext("Perf."), gettext("Performance")],
];

/** @param {Standing} standing @param {string} own @param {TournamentKind} kind @param {boolean} hasPoints @param {boolean} hasTieBreaks */
function row(standing, own, kind, hasPoints, hasTieBreaks) {
  const { rank, player, rating, provisional, score, points = [], fire, paused, disqualified, out } = standing;
  const { buchholz, sonneborn_berger: sonnebornBerger, performance } = standing;
  const inPoints = kind === "arena" ? String : pointsText;
  const state = disqualified ? gettext("disqualified") : out ? gettext("out") : paused ? gettext("paused") : null;
  const tieBreaks = hasTieBreaks ? [pointsText(buchholz ?? 0), String((sonnebornBerger ?? 0) / 4), String(performance ?? "")] : [];
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
      state === null ? null : element("span", { class: "soft state" }, state),
    ),
    hasPoints ? element("td", { class: "points" }, points.map(inPoints).join(" ")) : null,
    element("td", { class: "number strong" }, inPoints(score)),
    ...tieBreaks.map((words) => element("td", { class: "number tie-break" }, words)),
  );
}

/** After two wins in a row. */
function flame() {
  const label = gettext("On a streak: results count double");
  return element("span", { class: "flame", role: "img", "aria-label": label, title: label }, icon("flame"));
}
