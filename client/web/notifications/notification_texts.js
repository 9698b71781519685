/**
 * A notification as text, and the address it leads to.
 */

/** @import { GameInfo, Notification, NotificationKind } from "../protocol.js" */

/** The kinds that can be chosen, in the order shown. @type {[NotificationKind, string][]} */
export const KINDS = [
  ["your_turn", "It is my turn in a correspondence match"],
  ["challenged", "I am challenged"],
  ["challenge_accepted", "My challenge is accepted"],
  ["challenge_declined", "My challenge is declined"],
  ["match_ended", "A match ended while I was away"],
  ["rematch_offered", "I am offered a rematch"],
  ["report_upheld", "Moderators acted on my report"],
  ["followed_online", "A player I follow comes online"],
  ["followed_playing", "A player I follow starts a match"],
];

/**
 * @param {Notification} notice
 * @returns {string}
 */
export function notificationText({ kind, player, explanation }) {
  const who = player?.name ?? "A player";
  switch (kind) {
    case "your_turn":
      return player === null ? "It is your turn" : `It is your turn against ${who}`;
    case "challenged":
      return `${who} challenges you`;
    case "challenge_accepted":
      return `${who} accepted your challenge`;
    case "challenge_declined":
      return "Your challenge was declined";
    case "match_ended":
      return player === null ? `Your match is over: ${explanation}` : `Your match against ${who} is over: ${explanation}`;
    case "rematch_offered":
      return `${who} offers a rematch`;
    case "report_upheld":
      return "Moderators acted on your report. Thank you";
    case "followed_online":
      return `${who} is online`;
    case "followed_playing":
      return `${who} started a match`;
  }
}

/**
 * @param {Notification} notice
 * @returns {string}
 */
export function notificationPath({ match, player }) {
  if (match !== null) return `/match/${match}`;
  return player === null ? "/" : `/player/${encodeURIComponent(player.name)}`;
}

/**
 * @param {Notification} notice
 * @param {GameInfo[]} games
 * @returns {string} Empty if it is not about a match.
 */
export function gameTitle({ game }, games) {
  return games.find(({ name }) => name === game)?.title ?? game ?? "";
}
