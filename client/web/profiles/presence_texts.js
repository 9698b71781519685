/**
 * A player's presence as text.
 */

import { DAY_MS } from "../clock_texts.js";
import { dateText } from "../dates.js";

/** @import { PlayerStatus } from "../protocol.js" */

const HOUR_MS = 3_600_000;

/**
 * @param {PlayerStatus} person
 * @param {number} now_ms
 * @returns {string} Empty if unknown or hidden.
 */
export function presenceText({ online, match, seen_ms }, now_ms) {
  if (online) return match === null ? "online" : "playing now";
  if (seen_ms === null) return "";
  const gone_ms = now_ms - seen_ms;
  if (gone_ms < 2 * HOUR_MS) return "seen recently";
  if (gone_ms < DAY_MS) return `seen ${Math.floor(gone_ms / HOUR_MS)} hours ago`;
  const days = Math.floor(gone_ms / DAY_MS);
  if (days > 30) return `last seen ${dateText(seen_ms)}`;
  return days === 1 ? "seen yesterday" : `seen ${days} days ago`;
}
