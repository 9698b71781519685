/** What an open match is to a visitor who may join it: who invites, to what, and as whom. No DOM. */

import { seatName } from "../board/seat_colours.js";
import { clockSentence } from "../clock_texts.js";
import { gettext, ngettext } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";
import { timeText } from "./match_texts.js";

/** @import { GameInfo } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/** The name of the player who created the match; null if nobody waits in it. @param {MatchState} state */
export function hostName({ hostSeat, players }) {
  const host = hostSeat === null ? null : players[hostSeat];
  return host === null ? null : shownName(host.name);
}

/**
 * @param {MatchState} state With open seats.
 * @param {GameInfo | undefined} game
 * @returns {{ headline: string, detail: string }}
 */
export function invitationText(state, game) {
  const name = hostName(state);
  if (name === null) return { headline: gettext("A seat is free"), detail: "" };
  const time = state.clock === null ? gettext("There is no clock.") : gettext("Time: {clock}.", { clock: hasOdds(state) ? timeText(state) : clockSentence(state.clock) });
  const sentences = [seatText(state, game, name), time, state.isRated ? gettext("The match changes your ratings.") : ""];
  return { headline: gettext("{name} invites you to {game}", { name, game: game?.title ?? state.game }), detail: sentences.filter((each) => each !== "").join(" ") };
}

/** @param {MatchState} state */
function hasOdds({ plan }) {
  return plan.some(({ initial_ms }) => (initial_ms ?? null) !== null);
}

/** @param {MatchState} state @param {GameInfo | undefined} game @param {string} name Of the host. */
function seatText({ players, openSeats }, game, name) {
  if (players.length > 2) return ngettext("One seat is free.", "{count} seats are free.", openSeats.length);
  const [seat] = openSeats;
  const colour = seatName(game, seat);
  return seat === 0 ? gettext("You play {colour} and move first.", { colour }) : gettext("You play {colour}; {name} moves first.", { colour, name });
}
