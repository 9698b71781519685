/** Days and hours of the calendar, in the reader's time zone and language. No DOM. */

import { locale } from "../language/languages.js";

const DAY_MS = 86_400_000;

/** @param {number} at_ms @returns {number} When the reader's day begins. */
export function dayOf(at_ms) {
  return new Date(at_ms).setHours(0, 0, 0, 0);
}

/** @param {number} at_ms @param {number} now_ms @returns {string} `Today, Friday, November 27`, `Sunday, November 29`. */
export function dayText(at_ms, now_ms) {
  const day = new Intl.DateTimeFormat(locale(), { weekday: "long", day: "numeric", month: "long" }).format(at_ms);
  const days = Math.round((dayOf(at_ms) - dayOf(now_ms)) / DAY_MS);
  if (days > 1) return capitalised(day);
  return capitalised(`${new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day")}, ${day}`);
}

/** @param {number} at_ms @returns {string} `14:05`. */
export function hourText(at_ms) {
  return new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" }).format(at_ms);
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1);
}
