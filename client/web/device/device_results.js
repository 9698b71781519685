/** How the reader has fared against bots in the matches on this device that are not in their archive. Pure. */

import { isOnDevice } from "./device_ids.js";
import { isReadable, isVisible } from "./device_records.js";

/** @import { BotRecord, Player } from "../protocol.js" */
/** @import { KeptMatch } from "../offline/device_store.js" */

/** @param {readonly KeptMatch[]} matches @param {string} game @param {Player | null} player @returns {BotRecord[]} */
export function resultsOnDevice(matches, game, player) {
  return matches.filter((kept) => isOnDevice(kept.key) && kept.game === game && !kept.archived && isReadable(kept) && isVisible(kept, player)).flatMap(resultsOf);
}

/** @param {KeptMatch} kept @returns {BotRecord[]} Empty while it is not over, or if it has no result. */
function resultsOf({ players, messages }) {
  const ranks = messages.flatMap((each) => (each.type === "match_event" && each.event.type === "ended" ? [each.event.ranks] : [])).at(-1);
  const own = players.findIndex((player) => player !== null && !player.level);
  if (!ranks || own === -1) return [];
  return players.flatMap((player, seat) => {
    const ahead = ranks[seat] - ranks[own];
    return player?.level ? [{ bot: player.id, won: Number(ahead > 0), drawn: Number(ahead === 0), lost: Number(ahead < 0) }] : [];
  });
}
