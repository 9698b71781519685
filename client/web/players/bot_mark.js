/**
 * The mark beside the name of an account by which a program plays. The house's own bots say in their names what they are.
 */

import { element } from "../element.js";

export function botMark() {
  return element("span", { class: "bot-mark", title: "A program plays by this account" }, "Bot");
}

/**
 * @param {{ name: string, bot?: boolean }} player
 * @returns {(Node | string)[]} The name, marked if it is that of a bot's account.
 */
export function markedName({ name, bot }) {
  return bot ? [name, " ", botMark()] : [name];
}

/**
 * @param {string[]} names By seat.
 * @param {number[]} bots The seats of bots' accounts.
 * @param {string} between
 * @returns {(Node | string)[]} The names, marked where they are those of bots' accounts.
 */
export function markedNames(names, bots, between) {
  return names.flatMap((name, seat) => [seat === 0 ? "" : between, ...markedName({ name, bot: bots.includes(seat) })]);
}
