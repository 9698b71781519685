/** A player's presence as text. */

import { DAY_MS } from "../clock_texts.js";
import { ago, dateText } from "../dates.js";
import { gettext } from "../language/texts.js";

/** @import { PlayerStatus } from "../protocol.js" */

const HOUR_MS = 3_600_000;

/** @param {PlayerStatus} person @param {number} now_ms @returns {string} Empty if unknown or hidden. */
export function presenceText({ online, match, seen_ms }, now_ms) {
  if (online) return match === null ? gettext("online") : gettext("playing now");
  if (seen_ms === null) return "";
  const gone_ms = now_ms - seen_ms;
  if (gone_ms < 2 * HOUR_MS) return gettext("seen recently");
  if (gone_ms < DAY_MS) return gettext("seen {ago}", { ago: ago("long", Math.floor(gone_ms / HOUR_MS), "hour") });
  const days = Math.floor(gone_ms / DAY_MS);
  if (days > 30) return gettext("last seen {date}", { date: dateText(seen_ms) });
  return gettext("seen {ago}", { ago: ago("long", days, "day") });
}
