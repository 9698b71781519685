/** Half points as text. No DOM. */

/** @param {number} halves @returns {string} `3½`, `½`, `0`. */
export function pointsText(halves) {
  const whole = Math.floor(halves / 2);
  if (halves % 2 === 0) return String(whole);
  return whole === 0 ? "½" : `${whole}½`;
}
