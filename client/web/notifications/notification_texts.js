/** A notification as text, and the address it leads to. */

import { placePath } from "../chat/place_path.js";
import { gameText } from "../language/game_texts.js";
import { gettext, later } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";

/** @import { GameInfo, Notification, NotificationKind } from "../protocol.js" */

/** The kinds that can be chosen, in the order shown. @type {[NotificationKind, string][]} */
export const KINDS = [
  ["your_turn", later("It is my turn in a correspondence match")],
  ["challenged", later("I am challenged")],
  ["challenge_accepted", later("My challenge is accepted")],
  ["challenge_declined", later("My challenge is declined")],
  ["match_ended", later("A match ended while I was away")],
  ["rematch_offered", later("I am offered a rematch")],
  ["report_upheld", later("Moderators acted on my report")],
  ["tournament_soon", later("A tournament that I have joined starts")],
  ["simul_accepted", later("I am accepted for a simultaneous exhibition")],
  ["simul_started", later("A simultaneous exhibition in which I play begins")],
  ["ladder_challenged", later("I am challenged on a ladder")],
  ["ladder_moved", later("I win or lose a place on a ladder")],
  ["study_shared", later("A player lets me edit a study")],
  ["followed_online", later("A player I follow comes online")],
  ["followed_playing", later("A player I follow starts a match")],
];

/** @param {Notification} notice */
export function notificationText({ kind, player, game, explanation }) {
  const name = player === null ? gettext("A player") : shownName(player.name);
  const reason = gameText({ name: game ?? "" }, explanation);
  switch (kind) {
    case "your_turn":
      return player === null ? gettext("It is your turn") : gettext("It is your turn against {name}", { name });
    case "challenged":
      return gettext("{name} challenges you", { name });
    case "challenge_accepted":
      return gettext("{name} accepted your challenge", { name });
    case "challenge_declined":
      return gettext("Your challenge was declined");
    case "match_ended":
      return player === null ? gettext("Your match is over: {reason}", { reason }) : gettext("Your match against {name} is over: {reason}", { name, reason });
    case "rematch_offered":
      return gettext("{name} offers a rematch", { name });
    case "report_upheld":
      return gettext("Moderators acted on your report. Thank you");
    case "tournament_soon":
      return gettext("Your tournament starts soon: {reason}", { reason: explanation });
    case "simul_accepted":
      return gettext("{name} has accepted you for the simultaneous exhibition", { name });
    case "simul_started":
      return gettext("The simultaneous exhibition of {name} has begun", { name });
    case "ladder_challenged":
      return gettext("{name} challenges you on the ladder", { name });
    case "ladder_moved":
      return player === null ? gettext("You lost on time, and have dropped off the ladder") : gettext("Your place on the ladder is {reason} after your match against {name}", { name, reason: explanation });
    case "study_shared":
      return gettext("{name} lets you edit a study: {reason}", { name, reason: explanation });
    case "followed_online":
      return gettext("{name} is online", { name });
    case "followed_playing":
      return gettext("{name} started a match", { name });
  }
}

/** @param {Notification} notice */
export function notificationPath({ kind, subject, match, player }) {
  if (kind === "tournament_soon" || kind === "simul_accepted" || kind === "ladder_moved") return `/tournament/${subject}`;
  if (kind === "study_shared") return `/study/${subject}`;
  if (match !== null) return placePath(match);
  return player === null ? "/" : `/player/${encodeURIComponent(player.name)}`;
}

/** @param {Notification} notice @param {GameInfo[]} games @returns {string} Empty if it is not about a match. */
export function gameTitle({ game }, games) {
  return games.find(({ name }) => name === game)?.title ?? game ?? "";
}
