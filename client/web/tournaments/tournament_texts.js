/** Texts about a tournament's rules, times and results. No DOM. */

import { clockText } from "../clock_texts.js";
import { momentText } from "../dates.js";
import { gettext, ngettext, numberText } from "../language/texts.js";
import { pointsText } from "../points_text.js";
import { hasTables, kindOf } from "./tournament_kind.js";

/** @import { GameInfo, TournamentPlan, TournamentSummary, TournamentTable, YourStanding } from "../protocol.js" */

/** A round that is so late waits for players. */
const LATE_MS = 5_000;

/** @param {TournamentPlan} plan @param {number} score As in `Standing.score`. @returns {string} */
export function scoreText(plan, score) {
  if (hasTables(plan)) return numberText(score / 12);
  return kindOf(plan) === "arena" ? String(score) : pointsText(score);
}

/** @param {number} hundredths Of a cell. @returns {string} `+1.5`. */
export function differenceText(hundredths) {
  return hundredths > 0 ? `+${numberText(hundredths / 100)}` : numberText(hundredths / 100);
}

/** @param {TournamentSummary} summary @returns {boolean} Whether new players may join: a Swiss until half of its rounds. */
export function admits({ status, plan, round = 0, rounds = 0 }) {
  if (status !== "running" || kindOf(plan) === "arena") return true;
  return kindOf(plan) === "swiss" && 2 * round <= rounds;
}

/** @param {TournamentPlan} plan @param {GameInfo[]} games @returns {string} `Nine Men's Morris · 3+2 · rated · arena of 60 minutes`. */
export function factsText(plan, games) {
  const title = games.find(({ name }) => name === plan.game)?.title ?? plan.game;
  const isRated = plan.rated ?? true;
  return [title, clockText(plan.clock), isRated ? gettext("rated") : gettext("casual"), kindText(plan)].join(" · ");
}

/** @param {TournamentPlan} plan */
function kindText({ kind = "arena", minutes = 0, rounds = 0, double, best_of = 2, seats = 2, duplicate = false }) {
  switch (kind) {
    case "arena": {
      const length = ngettext("{count} minute", "{count} minutes", minutes);
      return seats > 2 ? [gettext("tables of {seats}", { seats }), duplicate ? gettext("duplicate") : "", length].filter(Boolean).join(", ") : length;
    }
    case "swiss":
      return ngettext("Swiss, {count} round", "Swiss, {count} rounds", rounds);
    case "round_robin":
      return double ? gettext("Double round robin") : gettext("Round robin");
    case "knockout":
      return [double ? gettext("Double elimination") : gettext("Knockout"), best_of > 1 ? gettext("best of {count}", { count: best_of }) : ""].filter(Boolean).join(", ");
    case "simul":
      return gettext("Simultaneous exhibition");
  }
}

/** @param {TournamentPlan} plan @returns {string[]} How long rounds are, what counts at tables, who may join, and what the host of a simul has. */
export function conditionTexts({ seats = 2, duplicate = false, round_days = 0, ratings, least_matches = 0, bots, extra_minutes = 0, host_seat = "alternating", kind }) {
  return [
    round_days > 0 ? ngettext("Each round lasts {count} day; in an unfinished match the player whose turns took longer loses", "Each round lasts {count} days; in an unfinished match the player whose turns took longer loses", round_days) : "",
    seats > 2 && !duplicate ? gettext("{points} points by place", { points: seats === 4 ? "4–2–1–0" : "3–1–0" }) : "",
    extra_minutes > 0 ? ngettext("The host has {count} minute more", "The host has {count} minutes more", extra_minutes) : "",
    kind === "simul" ? hostSeatText(host_seat) : "",
    ratings ? gettext("Ratings from {least} to {most}", { least: ratings.least, most: ratings.most }) : "",
    least_matches > 0 ? ngettext("At least {count} rated match of this kind", "At least {count} rated matches of this kind", least_matches) : "",
    bots ? gettext("Bots may join") : "",
  ].filter(Boolean);
}

/** @param {TournamentPlan["host_seat"]} seat */
export function hostSeatText(seat) {
  if (seat === "first") return gettext("The host moves first");
  return seat === "second" ? gettext("The host moves second") : gettext("The host moves first at every other board");
}

/** @param {TournamentSummary} summary @param {number} now_ms @returns {string} `Starts in 4:30`, `12:05 left`, `Round 2 of 5`. */
export function timeText(summary, now_ms) {
  const { status, plan, ends_at_ms, players } = summary;
  if (status === "over" && players === 0) return gettext("Nobody took part.");
  if (status === "over") return gettext("Ended {time}", { time: momentText(ends_at_ms) });
  if (kindOf(plan) === "simul" && (status === "running" || now_ms >= plan.starts_at_ms)) return status === "running" ? gettext("Under way") : gettext("The host is about to start.");
  if (status === "running" && kindOf(plan) !== "arena") return roundText(summary, now_ms);
  if (status === "running") return [gettext("{time} left", { time: countdown(ends_at_ms - now_ms) }), hasTables(plan) && (summary.round || summary.next_round_at_ms) ? roundText(summary, now_ms) : ""].filter(Boolean).join(" · ");
  const left_ms = plan.starts_at_ms - now_ms;
  return left_ms > 3_600_000 ? gettext("Starts {time}", { time: momentText(plan.starts_at_ms) }) : gettext("Starts in {time}", { time: countdown(left_ms) });
}

/** @param {TournamentSummary} summary @param {number} now_ms */
function roundText({ plan, round = 0, rounds = 0, next_round_at_ms = null }, now_ms) {
  if (plan.round_days && next_round_at_ms !== null) return gettext("Round {round} of {rounds}, until {time}", { round, rounds, time: momentText(next_round_at_ms) });
  if (next_round_at_ms !== null && now_ms > next_round_at_ms + LATE_MS) return gettext("Round {round} starts when enough players are here", { round: round + 1 });
  if (next_round_at_ms !== null) return gettext("Round {round} starts in {time}", { round: round + 1, time: countdown(next_round_at_ms - now_ms) });
  return rounds > 0 ? gettext("Round {round} of {rounds}", { round, rounds }) : gettext("Round {round}", { round });
}

/** @param {number} left_ms */
function countdown(left_ms) {
  const seconds = Math.max(0, Math.ceil(left_ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, String(minutes).padStart(2, "0")] : [minutes];
  return [...parts, String(seconds % 60).padStart(2, "0")].join(":");
}

/** @param {TournamentTable} table @returns {string} `2 – 0`, `½ – ½`, `+ – −` without a match, `vs`. */
export function resultText({ points = null, forfeit, players }) {
  if (points === null) return forfeit || players.includes(null) ? "" : gettext("vs");
  if (forfeit) return points[0] > points[1] ? "+ – −" : "− – +";
  return players.includes(null) ? pointsText(points[0]) : `${pointsText(points[0])} – ${pointsText(points[1])}`;
}

/** @param {YourStanding} you @returns {boolean} Whether the player can be paired. */
export function isWaiting({ standing, opponent }) {
  return !opponent && !standing.disqualified && !standing.out && !standing.paused;
}
