/**
 * The names of a game's seats and their colours.
 *
 * A seat named after a colour has that colour; other seats get the remaining colours in order.
 */

import { gameText } from "../language/game_texts.js";
import { gettext } from "../language/texts.js";

/** @import { GameInfo } from "../protocol.js" */

const COLOURS = ["white", "black", "red", "blue", "green", "yellow"];

/** @param {GameInfo | undefined} game @param {number} seat */
export function seatName(game, seat) {
  const name = game?.seat_names[seat];
  return name === undefined ? gettext("Seat {number}", { number: seat + 1 }) : gameText(game, name);
}

/**
 * @param {GameInfo | undefined} game
 * @param {number} seat
 * @returns {string} One of `COLOURS`, as in the style sheets.
 */
export function seatColour(game, seat) {
  const names = (game?.seat_names ?? []).map((name) => name.toLowerCase());
  const own = names[seat];
  if (own !== undefined && COLOURS.includes(own)) return own;
  const left = COLOURS.filter((colour) => !names.includes(colour));
  return left[seat % left.length] ?? COLOURS[seat % COLOURS.length];
}
