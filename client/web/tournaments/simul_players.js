/** The players of a simultaneous exhibition: who has applied, whom the host accepts, and their results. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { pointsText } from "../points_text.js";
import { ratingNumber } from "../ratings/rating_texts.js";

/** @import { Standing, TournamentSummary, YourStanding } from "../protocol.js" */

/**
 * @param {Standing[]} standings
 * @param {string} own The reader's identity.
 * @param {TournamentSummary["status"]} status
 * @param {((player: string, on: boolean) => void) | null} accept Accepts or removes a player by name; null except for the host before the start.
 */
export function simulPlayers(standings, own, status, accept) {
  const shown = status === "planned" ? standings : standings.filter(({ accepted }) => accepted);
  return element(
    "table",
    { class: "rating-table simul-players" },
    element("caption", { class: "visually-hidden" }, gettext("Players")),
    element("tbody", {}, ...shown.map((standing) => row(standing, own, status, accept))),
  );
}

/** @param {Standing} standing @param {string} own @param {TournamentSummary["status"]} status @param {((player: string, on: boolean) => void) | null} accept */
function row({ player, rating, provisional, accepted = false, disqualified, points = [] }, own, status, accept) {
  const state = disqualified ? gettext("disqualified") : status !== "planned" ? points.map(pointsText).join("") : accepted ? gettext("accepted") : gettext("has applied");
  const [words, label] = accepted ? [gettext("Remove"), gettext("Remove {name}", { name: player.name })] : [gettext("Accept"), gettext("Accept {name}", { name: player.name })];
  const act = accept === null || disqualified ? null : button(words, () => accept(player.name, !accepted), { class: `button small ${accepted ? "quiet" : "primary"}`, "aria-label": label });
  return element(
    "tr",
    { class: player.id === own ? "own" : "", "data-player": player.name },
    element("th", { scope: "row" }, playerLink(player), " ", element("span", { class: "soft" }, ...ratingNumber(rating, provisional))),
    element("td", { class: "soft state" }, state),
    accept === null ? null : element("td", { class: "action" }, act),
  );
}

/** @param {YourStanding} you @param {TournamentSummary} summary @returns {string} What a player waits for; empty once the match is over. */
export function applicationText({ standing }, { status }) {
  if (standing.disqualified) return gettext("You have been disqualified.");
  if (status === "planned") return standing.accepted ? gettext("You are accepted. The host will start the exhibition.") : gettext("You have applied. The host chooses the players.");
  return standing.accepted ? "" : gettext("The host has not chosen you this time.");
}
