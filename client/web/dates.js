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
