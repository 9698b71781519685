/** The names of the server's bots in the reader's language; everyone else keeps their name. No DOM. */

import { gettext } from "../language/texts.js";

const LEVEL_BOT = /^Bot, level (\d+)$/;
const PERSONALITY = /^(The .+) \(bot\)$/;

/** @param {string} name As the server sends it. No account or guest can have the name of one of the server's bots. */
export function shownName(name) {
  const level = LEVEL_BOT.exec(name)?.[1];
  if (level !== undefined) return gettext("Bot, level {level}", { level });
  const title = PERSONALITY.exec(name)?.[1];
  return title === undefined ? name : gettext("{name} (bot)", { name: gettext(title) });
}
