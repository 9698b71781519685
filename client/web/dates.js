/** Dates and times in the reader's language. */

import { locale } from "./language/languages.js";
import { gettext } from "./language/texts.js";

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {number} at_ms @returns {string} `3 Nov 2026`. */
export function dateText(at_ms) {
  return format("date", { day: "numeric", month: "short", year: "numeric" }).format(at_ms);
}

/** @param {number} at_ms @returns {string} `3 Nov 2026, 14:05`. */
export function dateAndTimeText(at_ms) {
  return format("date and time", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }).format(at_ms);
}

/** @param {number} at_ms @returns {string} `3 Nov, 14:05`. */
export function momentText(at_ms) {
  return format("moment", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }).format(at_ms);
}

/** @param {number} at_ms @param {number} now_ms @returns {string} `5 min ago`, `yesterday`. */
export function agoText(at_ms, now_ms) {
  const minutes = Math.floor((now_ms - at_ms) / 60_000);
  if (minutes < 1) return gettext("just now");
  if (minutes < 60) return ago("short", minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? ago("long", hours, "hour") : ago("long", Math.floor(hours / 24), "day");
}

/**
 * @param {"short" | "long"} style
 * @param {number} count
 * @param {"minute" | "hour" | "day"} unit
 * @returns {string} `3 hours ago`, `yesterday`.
 */
export function ago(style, count, unit) {
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style }).format(-count, unit);
}

/** @param {string} name @param {Intl.DateTimeFormatOptions} options */
function format(name, options) {
  const key = `${name} ${locale()}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale(), options);
  formats.set(key, known);
  return known;
}
