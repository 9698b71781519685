/** Texts about a tournament: its rules, its times, and the reader's place. No DOM. */

import { clockText } from "../clock_texts.js";
import { momentText } from "../dates.js";
import { gettext, ngettext } from "../language/texts.js";

/** @import { TournamentPlan, GameInfo, TournamentSummary, YourStanding } from "../protocol.js" */

/** @param {TournamentPlan} plan @param {GameInfo[]} games @returns {string} `Nine Men's Morris · 3+2 · rated · 60 minutes`. */
export function factsText(plan, games) {
  const title = games.find(({ name }) => name === plan.game)?.title ?? plan.game;
  const isRated = plan.rated ?? true;
  return [title, clockText(plan.clock), isRated ? gettext("rated") : gettext("casual"), ngettext("{count} minute", "{count} minutes", plan.minutes)].join(" · ");
}

/** @param {TournamentPlan} plan @returns {string[]} Who may join. */
export function conditionTexts({ ratings, least_matches = 0, bots }) {
  return [
    ratings ? gettext("Ratings from {least} to {most}", { least: ratings.least, most: ratings.most }) : "",
    least_matches > 0 ? ngettext("At least {count} rated match of this kind", "At least {count} rated matches of this kind", least_matches) : "",
    bots ? gettext("Bots may join") : "",
  ].filter(Boolean);
}

/** @param {TournamentSummary} summary @param {number} now_ms @returns {string} `Starts in 4:30`, `12:05 left`. */
export function timeText({ status, plan, ends_at_ms, players }, now_ms) {
  if (status === "over" && players === 0) return gettext("Nobody took part.");
  if (status === "over") return gettext("Ended {time}", { time: momentText(ends_at_ms) });
  if (status === "running") return gettext("{time} left", { time: countdown(ends_at_ms - now_ms) });
  const left_ms = plan.starts_at_ms - now_ms;
  return left_ms > 3_600_000 ? gettext("Starts {time}", { time: momentText(plan.starts_at_ms) }) : gettext("Starts in {time}", { time: countdown(left_ms) });
}

/** @param {number} left_ms */
function countdown(left_ms) {
  const seconds = Math.max(0, Math.ceil(left_ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, String(minutes).padStart(2, "0")] : [minutes];
  return [...parts, String(seconds % 60).padStart(2, "0")].join(":");
}

/** @param {YourStanding} you @returns {string} `You play Walker, table 3.` */
export function placeText({ standing, opponent, table }) {
  if (opponent) return gettext("You play {name}, table {table}.", { name: opponent.name, table: table ?? 0 });
  if (standing.disqualified) return gettext("You have been disqualified.");
  if (standing.paused) return gettext("You are paused. Return to be paired again.");
  return gettext("You are waiting for an opponent.");
}
