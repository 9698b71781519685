/** How matches on this device are kept, and whose they are: of the player, or of the browser if that was a guest. Pure. */

import { isOnDevice } from "./device_ids.js";

/** @import { Player } from "../protocol.js" */
/** @import { KeptMatch } from "../offline/device_store.js" */

/**
 * The format of the records: the protocol's events with their views, and texts for moves. A release whose page cannot
 * fold earlier events raises it, and converts them when it opens a match.
 */
export const FORMAT = 1;

/** Whether this release can read a match; a later one may have kept it. @param {KeptMatch} kept */
export function isReadable({ format = FORMAT }) {
  return format <= FORMAT;
}

/** Whether a player may see a match that is kept. @param {KeptMatch} kept @param {Player | null} player */
export function isVisible(kept, player) {
  const owner = ownerOf(kept);
  return !isOnDevice(kept.key) || !owner?.registered || owner.id === player?.id;
}

/** Whether a match belongs in a player's archive, without asking. @param {KeptMatch} kept @param {Player | null} player */
export function isToBeArchived(kept, player) {
  return isOnDevice(kept.key) && !kept.archived && isReadable(kept) && player !== null && player.registered && ownerOf(kept)?.id === player.id;
}

/** @param {KeptMatch} kept @returns {Player | null} Null if only bots play. */
function ownerOf({ players }) {
  return players.find((player) => player !== null && !player.level) ?? null;
}
