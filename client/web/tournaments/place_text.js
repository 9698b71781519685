/** The reader's place in a tournament, which every page shows. No DOM. */

import { gettext, listText } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";
import { hasTables, kindOf } from "./tournament_kind.js";

/** @import { TournamentSummary, YourStanding } from "../protocol.js" */

/** @param {YourStanding} you @param {TournamentSummary} [summary] Of one in rounds. @returns {string} `You play Walker, table 3.` */
export function placeText({ standing, opponent, table, opponents = [] }, summary) {
  if (opponents.length > 1) return gettext("You play at table {table} with {names}.", { table: table ?? 0, names: listText(opponents.map(({ name }) => name)) });
  if (opponent) return gettext("You play {name}, table {table}.", { name: shownName(opponent.name), table: table ?? 0 });
  if (standing.disqualified) return gettext("You have been disqualified.");
  if (standing.out) return gettext("You have been eliminated.");
  if (standing.paused) return gettext("You are paused. Return to be paired again.");
  if (summary && (kindOf(summary.plan) !== "arena" || hasTables(summary.plan))) return summary.next_round_at_ms ? gettext("You are waiting for the next round.") : gettext("You are waiting for the end of the round.");
  return gettext("You are waiting for an opponent.");
}
