/** A player's name, linked to the profile of accounts and of the server's bots. */

import { element } from "../element.js";
import { markedName } from "./bot_mark.js";

/** @import { Player } from "../protocol.js" */

/**
 * @param {Player} player
 * @param {boolean} [isApart] Whether to open it in a new tab.
 * @returns {HTMLElement | string}
 */
export function playerLink(player, isApart = false) {
  const isBot = typeof player.level === "number";
  if (!isBot && !player.registered) return player.name;
  const path = `/player/${encodeURIComponent(isBot ? player.id : player.name)}`;
  return element("a", { class: "player-link", href: path, target: isApart ? "_blank" : undefined }, ...markedName(player));
}
