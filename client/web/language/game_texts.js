/** The texts that games bring, in the reader's language. A game that has no catalogue stays English. No DOM. */

import { gettext, isKnown, pgettext } from "./texts.js";

/** @import { GameInfo } from "../protocol.js" */

/**
 * @param {{ name: string } | undefined} game
 * @param {string} message One of the game's texts, or one that the server has for all games.
 * @param {Record<string, string | number>} [values]
 */
export function gameText(game, message, values) {
  if (game === undefined || message === "") return message;
  return isKnown(message, game.name) ? pgettext(game.name, message, values) : gettext(message, values);
}

/**
 * The games with what is shown of them in the reader's language. The names of seats stay: colours depend on them, and
 * `seatName` translates them.
 * @param {readonly GameInfo[]} games
 * @returns {GameInfo[]}
 */
export function inReadersLanguage(games) {
  return games.map((game) => ({
    ...game,
    title: gameText(game, game.title),
    description: gameText(game, game.description ?? ""),
    starts: game.starts.map((start) => ({ ...start, title: gameText(game, start.title) })),
    level_descriptions: (game.level_descriptions ?? []).map((text) => gettext(text)),
    personalities: (game.personalities ?? []).map((each) => ({ ...each, title: gettext(each.title), description: gettext(each.description) })),
  }));
}
