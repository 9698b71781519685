/** The first three of a tournament that is over. Confetti falls unless the reader prefers less motion. */

import { element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { pointsText } from "../points_text.js";

/** @import { Standing, TournamentKind } from "../protocol.js" */

const PIECES = 28;

/** @param {Standing[]} standings From the first on; at least one. @param {TournamentKind} kind */
export function podium(standings, kind) {
  const steps = standings.slice(0, 3).filter(({ disqualified }) => !disqualified);
  return element(
    "section",
    { class: "card podium", "aria-label": gettext("Podium") },
    element("div", { class: "confetti", "aria-hidden": "true" }, ...Array.from({ length: PIECES }, () => element("i"))),
    element("ol", { class: "podium-steps" }, ...steps.map((standing) => step(standing, kind))),
  );
}

/** @param {Standing} standing @param {TournamentKind} kind */
function step({ rank, player, score, performance, points = [], wins = 0, berserks = 0 }, kind) {
  const facts = [
    kind === "arena" ? ngettext("{count} match", "{count} matches", points.length) : "",
    ngettext("{count} win", "{count} wins", wins),
    performance === null || performance === undefined ? "" : gettext("performance {rating}", { rating: performance }),
    berserks > 0 ? gettext("berserk: {count}", { count: berserks }) : "",
  ];
  return element(
    "li",
    { class: `podium-step place-${rank}` },
    element("span", { class: "podium-rank" }, String(rank)),
    element("strong", {}, playerLink(player)),
    element("span", { class: "podium-score" }, kind === "arena" ? ngettext("{count} point", "{count} points", score) : `${gettext("Score")}: ${pointsText(score)}`),
    element("span", { class: "soft" }, facts.filter(Boolean).join(" · ")),
  );
}
