/** The figure of a player: the face of a bot of this server, or anybody else's house mark. */

import { botFace } from "./bot_face.js";
import { houseMark } from "./house_mark.js";
import { parseLevel } from "./level_select.js";

/** @import { Player } from "../protocol.js" */

/**
 * @param {Player} player
 * @param {readonly [string, string] | null} [mood] Of a bot, as for `botFace`.
 * @returns {SVGSVGElement}
 */
export function playerFigure(player, mood = null) {
  return player.level ? botFace(parseLevel(player.id.replace("bot-", "")), mood) : houseMark(player.id);
}
