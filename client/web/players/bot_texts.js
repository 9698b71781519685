/** The strength of a bot as text. */

import { gettext, later } from "../language/texts.js";

/** @import { GameInfo, PersonalityInfo, Player } from "../protocol.js" */

/** Descriptions from the weakest to the strongest level. */
const LEVEL_TEXTS = [
  later("first steps"),
  later("gentle"),
  later("relaxed"),
  later("steady"),
  later("tricky"),
  later("strong"),
  later("expert"),
  later("merciless"),
];

/** @param {number} level From 1. @param {number} levels */
export function levelText(level, levels) {
  const index = levels > 1 ? Math.round(((level - 1) * (LEVEL_TEXTS.length - 1)) / (levels - 1)) : 0;
  return gettext(LEVEL_TEXTS[index]);
}

/**
 * @param {number} level
 * @param {Record<string, number>} names Levels by name.
 * @returns {string} `easy`, `medium`, `hard`, or empty.
 */
export function nameOfLevel(level, names) {
  return gettext(Object.keys(names).find((name) => names[name] === level) ?? "");
}

/** @param {PersonalityInfo} personality @returns {string} Such as `takes whatever can be taken; about level 5`. */
export function personalityText({ description, level }) {
  return gettext("{description}; about level {level}", { description, level });
}

/** @param {Player} bot @param {GameInfo | undefined} game @returns {string} Its strength or personality. */
export function botText(bot, game) {
  const personality = game?.personalities?.find(({ name }) => bot.id === `bot-${name}`);
  const level = bot.level ?? 1;
  return personality ? personalityText(personality) : levelText(level, game?.levels ?? level);
}
