/** The mark beside the name of a bot account. The server's own bots need none: their names say it. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { shownName } from "./shown_name.js";

export function botMark() {
  return element("span", { class: "bot-mark", title: gettext("This account is played by a program") }, gettext("Bot"));
}

/**
 * @param {{ name: string, bot?: boolean }} player
 * @returns {(Node | string)[]} The name, marked if it is a bot account.
 */
export function markedName({ name, bot }) {
  return bot ? [name, " ", botMark()] : [shownName(name)];
}

/**
 * @param {string[]} names By seat.
 * @param {number[]} bots The seats of bot accounts.
 * @param {string} between
 * @returns {(Node | string)[]} The names, with bot accounts marked.
 */
export function markedNames(names, bots, between) {
  return names.flatMap((name, seat) => [seat === 0 ? "" : between, ...markedName({ name, bot: bots.includes(seat) })]);
}
