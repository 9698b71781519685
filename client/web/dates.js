/**
 * Dates in the reader's language.
 */

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/**
 * @param {number} at_ms
 * @returns {string} `3 Nov 2026`.
 */
export function dateText(at_ms) {
  return DAY.format(at_ms);
}

/**
 * @param {number} at_ms
 * @param {number} now_ms
 * @returns {string}
 */
export function agoText(at_ms, now_ms) {
  const minutes = Math.floor((now_ms - at_ms) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? "an hour ago" : `${hours} hours ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "yesterday" : `${days} days ago`;
}
