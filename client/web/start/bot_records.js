/** The reader's record against each bot as text: the results on the server and those on this device. No DOM. */

import { resultsOnDevice } from "../device/device_results.js";
import { gettext, ngettext } from "../language/texts.js";

/** @import { BotRecord, Player } from "../protocol.js" */
/** @import { KeptMatch } from "../offline/device_store.js" */

/**
 * @param {readonly BotRecord[]} records From the server.
 * @param {readonly KeptMatch[]} kept
 * @param {string} game
 * @param {Player | null} player The reader.
 * @returns {[string, string][]} By the bots' ids.
 */
export function recordTexts(records, kept, game, player) {
  /** @type {Map<string, BotRecord>} */
  const totals = new Map();
  for (const { bot, won, drawn, lost } of [...records, ...resultsOnDevice(kept, game, player)]) {
    const before = totals.get(bot) ?? { bot, won: 0, drawn: 0, lost: 0 };
    totals.set(bot, { bot, won: before.won + won, drawn: before.drawn + drawn, lost: before.lost + lost });
  }
  return [...totals.values()].map((total) => [total.bot, gettext("You: {record}", { record: countsText(total) })]);
}

/** @param {BotRecord} record @returns {string} `2 won · 1 lost`. */
function countsText({ won, drawn, lost }) {
  const counts = [
    won > 0 && ngettext("{count} won", "{count} won", won),
    drawn > 0 && ngettext("{count} drawn", "{count} drawn", drawn),
    lost > 0 && ngettext("{count} lost", "{count} lost", lost),
  ];
  return counts.filter(Boolean).join(" · ");
}
