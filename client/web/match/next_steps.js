/**
 * What a player can do after a match besides a rematch: play the next level of a bot, or find a new opponent.
 *
 * No DOM.
 */

import { ownOutcome } from "./match_texts.js";

/** @import { GameInfo, PairingRequest } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/**
 * @typedef {object} LevelStep
 * @property {number} level
 * @property {boolean} isUp Whether it is the next level up, after a win.
 */

/**
 * The level to play next: one up after a win against a built-in bot, one down after a loss.
 * @param {MatchState} state Of a match that has ended.
 * @param {GameInfo | undefined} game
 * @returns {LevelStep | null} Null against other opponents, after a draw, and at either end of the levels.
 */
export function levelStep(state, game) {
  const { players, ownSeats, isRated } = state;
  if (game === undefined || isRated || players.length !== 2 || ownSeats.length !== 1) return null;
  const bot = players[1 - ownSeats[0]];
  const isPersonality = (game.personalities ?? []).some(({ name }) => bot?.id === `bot-${name}`);
  const outcome = ownOutcome(state);
  if (!bot?.level || isPersonality || (outcome !== "won" && outcome !== "lost")) return null;
  const isUp = outcome === "won";
  const level = bot.level + (isUp ? 1 : -1);
  return level >= 1 && level <= game.levels ? { level, isUp } : null;
}

/**
 * The request that pairs the reader again like this match.
 * @param {MatchState} state
 * @returns {PairingRequest | null} Null if the reader did not play, or the match was not made by quick pairing.
 */
export function pairingAgain(state) {
  const { plan, ownSeats, isImported, game, clock, isRated, tournament } = state;
  const occupants = new Set(plan.map(({ occupant }) => occupant));
  // A match that a player creates has a seat for its creator.
  const isPaired = clock !== null && tournament === null && !isImported && occupants.has("open") && !occupants.has("me");
  if (!isPaired || ownSeats.length === 0) return null;
  return { game, seats: plan.length, clock, rated: isRated };
}
