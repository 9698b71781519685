/**
 * How strong a bot is, as text.
 */

/** @import { GameInfo, PersonalityInfo, Player } from "../protocol.js" */

/** For each level of a bot, as far as there are words. */
const LEVEL_WORDS = ["first steps", "gentle", "casual", "steady", "tricky", "strong", "expert", "merciless"];

/**
 * @param {number} level From 1.
 * @param {number} levels
 * @returns {string}
 */
export function levelWord(level, levels) {
  const index = levels > 1 ? Math.round(((level - 1) * (LEVEL_WORDS.length - 1)) / (levels - 1)) : 0;
  return LEVEL_WORDS[index];
}

/**
 * @param {PersonalityInfo} personality
 * @returns {string} Such as `takes whatever can be taken; about level 5`.
 */
export function personalityWords({ description, level }) {
  return `${description}; about level ${level}`;
}

/**
 * @param {Player} bot
 * @param {GameInfo | undefined} game
 * @returns {string} How it plays.
 */
export function botWords(bot, game) {
  const personality = game?.personalities?.find(({ name }) => bot.id === `bot-${name}`);
  const level = bot.level ?? 1;
  return personality ? personalityWords(personality) : levelWord(level, game?.levels ?? level);
}
