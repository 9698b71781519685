/**
 * The built-in bots of a game, as one list from the weakest to the strongest: levels and personalities.
 *
 * No DOM.
 */

import { gettext } from "../language/texts.js";
import { nameOfLevel } from "./bot_texts.js";
import { levelName } from "./shown_name.js";

/** @import { GameInfo, Level } from "../protocol.js" */

/**
 * @typedef {object} BuiltInBot
 * @property {Level} level For a seat of a new match.
 * @property {string} title
 * @property {number} strength The level, or the one that is closest in strength.
 * @property {string} grade The strength as text.
 * @property {string} description One line.
 */

/** @param {GameInfo} game @returns {BuiltInBot[]} */
export function builtInBots({ levels, level_descriptions = [], level_names = {}, personalities = [] }) {
  const byLevel = Array.from({ length: levels }, (_, index) => ({
    level: index + 1,
    strength: index + 1,
    title: levelName(index + 1),
    grade: [gettext("Level {level}", { level: index + 1 }), nameOfLevel(index + 1, level_names)].filter(Boolean).join(" · "),
    description: level_descriptions[index] ?? "",
  }));
  const byName = personalities.map(({ name, title, description, level }) => ({ level: name, strength: level, title, grade: gettext("About level {level}", { level }), description }));
  return [...byLevel, ...byName].sort((one, other) => one.strength - other.strength);
}
