/**
 * A player's name, which leads to the profile of whoever has one: owners of accounts, and the house's bots.
 */

import { element } from "../element.js";
import { markedName } from "./bot_mark.js";

/** @import { Player } from "../protocol.js" */

/**
 * @param {Player} player
 * @param {boolean} [isApart] Whether to open it beside this page.
 * @returns {HTMLElement | string}
 */
export function playerLink(player, isApart = false) {
  const isBot = typeof player.level === "number";
  if (!isBot && !player.registered) return player.name;
  const path = `/player/${encodeURIComponent(isBot ? player.id : player.name)}`;
  return element("a", { class: "player-link", href: path, target: isApart ? "_blank" : undefined }, ...markedName(player));
}
