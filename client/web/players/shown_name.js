/** The names of the server's bots in the reader's language; everyone else keeps their name. No DOM. */

import { gettext, later } from "../language/texts.js";

/** Of the levels, from the lowest. Guests have the names of animals, so that nobody is taken for a bot. */
const LEVEL_NAMES = [later("Pebble"), later("Reed"), later("Ripple"), later("Cog"), later("Eddy"), later("Weir"), later("Millstone"), later("Torrent")];
const LEVEL_BOT = /^Bot, level (\d+)$/;
const PERSONALITY = /^(The .+|Classic .+|Random) \(bot\)$/;

/** @param {number} level @returns {string} Its name, or its number if it has none. */
export function levelName(level) {
  const name = LEVEL_NAMES[level - 1];
  return name === undefined ? gettext("Level {level}", { level }) : gettext(name);
}

/**
 * One of the server's bots by its name. No account or guest can have such a name.
 * @param {string} name As the server sends it.
 * @returns {{ title: string, kind: string, whole: string } | null} What it is called, what says that it is a bot, and both.
 */
export function serverBot(name) {
  const level = LEVEL_BOT.exec(name)?.[1];
  const personality = PERSONALITY.exec(name)?.[1];
  if (!level && !personality) return null;
  const title = level ? levelName(Number(level)) : gettext(personality ?? "");
  if (level) return { title, kind: gettext("Bot, level {level}", { level }), whole: gettext("{name} (bot, level {level})", { name: title, level }) };
  return { title, kind: gettext("Bot"), whole: gettext("{name} (bot)", { name: title }) };
}

/** @param {string} name As the server sends it. @returns {string} `Ripple (bot, level 3)`. */
export function shownName(name) {
  return serverBot(name)?.whole ?? name;
}
