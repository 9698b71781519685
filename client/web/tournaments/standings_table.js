/** A page of the standings: rank, player, points of each match, score. */

import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { shownName } from "../players/shown_name.js";
import { pointsText } from "../points_text.js";
import { ratingNumber } from "../ratings/rating_texts.js";
import { hasTables, kindOf } from "./tournament_kind.js";
import { differenceText, scoreText } from "./tournament_texts.js";

/** @import { Standing, TournamentPlan } from "../protocol.js" */

/**
 * @param {Standing[]} standings
 * @param {string} own The reader's identity.
 * @param {TournamentPlan} plan
 * @param {(standing: Standing) => unknown} open Shows the matches of a player.
 */
export function standingsTable(standings, own, plan, open) {
  const tieBreaks = tieBreaksOf(plan);
  const [scoreClass, tieBreakClass] = numberClasses(plan);
  const columns = [
    element("th", { scope: "col", class: "number" }, "#"),
    element("th", { scope: "col" }, gettext("Player")),
    hasPoints(plan) ? element("th", { scope: "col", class: "points" }, gettext("Points")) : null,
    element("th", { scope: "col", class: scoreClass }, gettext("Score")),
    ...tieBreaks.map(({ short, long }) => element("th", { scope: "col", class: tieBreakClass }, element("abbr", { title: long }, short))),
  ];
  return element(
    "table",
    { class: "rating-table standings" },
    element("caption", { class: "visually-hidden" }, gettext("Standings")),
    element("thead", {}, element("tr", {}, ...columns)),
    element("tbody", {}, ...standings.map((standing) => row(standing, own, plan, open))),
  );
}

/** @param {TournamentPlan} plan */
function hasPoints(plan) {
  return kindOf(plan) !== "knockout";
}

/** @param {TournamentPlan} plan @returns {[string, string]} The classes of the score and of tie-breaks. */
function numberClasses({ duplicate = false }) {
  const [decisive, other] = ["number strong", "number tie-break"];
  return duplicate ? [other, decisive] : [decisive, other];
}

/** @param {TournamentPlan} plan @returns {{ short: string, long: string, of: (standing: Standing) => string }[]} */
function tieBreaksOf(plan) {
  if (hasTables(plan)) return [{ short: gettext("Diff."), long: gettext("Cells above the mean of everyone in the same seats"), of: ({ difference }) => differenceText(difference ?? 0) }];
  if (!["swiss", "round_robin"].includes(kindOf(plan))) return [];
  return [
    { short: gettext("BH"), long: gettext("Buchholz"), of: ({ buchholz }) => pointsText(buchholz ?? 0) },
    { short: gettext("SB"), long: gettext("Sonneborn-Berger"), of: ({ sonneborn_berger: quarters }) => String((quarters ?? 0) / 4) },
    { short: gettext("Perf."), long: gettext("Performance"), of: ({ performance }) => String(performance ?? "") },
  ];
}

/** @param {Standing} standing @param {string} own @param {TournamentPlan} plan @param {(standing: Standing) => unknown} open */
function row(standing, own, plan, open) {
  const { rank, player, rating, provisional, score, points = [], fire, paused, disqualified, out } = standing;
  const [scoreClass, tieBreakClass] = numberClasses(plan);
  const state = disqualified ? gettext("disqualified") : out ? gettext("out") : paused ? gettext("paused") : null;
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
    hasPoints(plan) ? element("td", { class: "points" }, points.map((each) => scoreText(plan, each)).join(" ")) : null,
    element("td", { class: scoreClass }, button(scoreText(plan, score), () => open(standing), { class: "score-button", title: gettext("Matches of {name}", { name: shownName(player.name) }) })),
    ...tieBreaksOf(plan).map(({ of }) => element("td", { class: tieBreakClass }, of(standing))),
  );
}

/** After two wins in a row. */
function flame() {
  const label = gettext("On a streak: results count double");
  return element("span", { class: "flame", role: "img", "aria-label": label, title: label }, icon("flame"));
}
