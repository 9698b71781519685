/** The mark beside the name of a bot: of a bot account, or of one of the server's own with its level. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { serverBot } from "./shown_name.js";

export function botMark() {
  return element("span", { class: "bot-mark", title: gettext("This account is played by a program") }, gettext("Bot"));
}

/**
 * @param {{ name: string, bot?: boolean }} player
 * @returns {(Node | string)[]} The name, marked if it is a bot.
 */
export function markedName({ name, bot }) {
  const own = serverBot(name);
  if (own !== null) return [element("span", { class: "bot-name" }, own.title), " ", element("span", { class: "bot-mark" }, own.kind)];
  return bot ? [name, " ", botMark()] : [name];
}

/**
 * @param {string[]} names By seat.
 * @param {number[]} bots The seats of bot accounts.
 * @param {string} between
 * @returns {(Node | string)[]} The names, with bots marked.
 */
export function markedNames(names, bots, between) {
  return names.flatMap((name, seat) => [seat === 0 ? "" : between, ...markedName({ name, bot: bots.includes(seat) })]);
}
