/** The first three of a tournament that is over. Confetti falls unless the reader prefers less motion. */

import { element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { playerFigure } from "../players/player_figure.js";
import { playerLink } from "../players/player_link.js";
import { hasTables, kindOf } from "./tournament_kind.js";
import { differenceText, scoreText } from "./tournament_texts.js";

/** @import { Standing, TournamentPlan } from "../protocol.js" */

const PIECES = 28;

/** @param {Standing[]} standings From the first on; at least one. @param {TournamentPlan} plan */
export function podium(standings, plan) {
  const steps = standings.slice(0, 3).filter(({ disqualified }) => !disqualified);
  return element(
    "section",
    { class: "card podium", "aria-label": gettext("Podium") },
    element("div", { class: "confetti", "aria-hidden": "true" }, ...Array.from({ length: PIECES }, () => element("i"))),
    element("ol", { class: "podium-steps" }, ...steps.map((standing) => step(standing, plan))),
  );
}

/** @param {Standing} standing @param {TournamentPlan} plan */
function step({ rank, player, score, difference, performance, points = [], wins = 0, berserks = 0 }, plan) {
  const isArena = kindOf(plan) === "arena";
  const merit = plan.duplicate ? `${gettext("Diff.")}: ${differenceText(difference ?? 0)}` : `${gettext("Score")}: ${scoreText(plan, score)}`;
  const facts = [
    isArena ? ngettext("{count} match", "{count} matches", points.length) : "",
    ngettext("{count} win", "{count} wins", wins),
    performance === null || performance === undefined ? "" : gettext("performance {rating}", { rating: performance }),
    berserks > 0 ? gettext("berserk: {count}", { count: berserks }) : "",
  ];
  return element(
    "li",
    { class: `podium-step place-${rank}` },
    element("span", { class: "podium-rank" }, String(rank)),
    playerFigure(player),
    element("strong", {}, playerLink(player)),
    element("span", { class: "podium-score" }, isArena && !hasTables(plan) ? ngettext("{count} point", "{count} points", score) : merit),
    element("span", { class: "soft" }, facts.filter(Boolean).join(" · ")),
  );
}
