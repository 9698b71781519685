/**
 * One seat's clock, ticking on its own between the server's words.
 *
 * It only shows: whose flag has fallen is the server's to say.
 */

import { element } from "../element.js";

/** Tenths are shown below this. */
const TENTHS_BELOW_MS = 10_000;
export const LOW_BELOW_MS = 20_000;

export class ClockView {
  #shown = "";

  constructor() {
    this.element = element("div", { class: "clock", role: "timer", "aria-live": "off", hidden: true });
  }

  /**
   * @param {number | null} left_ms Null in an untimed match.
   * @param {boolean} isRunning
   */
  show(left_ms, isRunning) {
    this.element.hidden = left_ms === null;
    if (left_ms === null) return;
    const text = formatClock(left_ms);
    if (text !== this.#shown) this.element.textContent = this.#shown = text;
    this.element.classList.toggle("running", isRunning);
    this.element.classList.toggle("low", left_ms < LOW_BELOW_MS);
  }
}

/**
 * @param {number} left_ms
 * @returns {string} `1:05:09`, `4:07`, and `0:09.3` below ten seconds.
 */
export function formatClock(left_ms) {
  if (left_ms < TENTHS_BELOW_MS) {
    const tenths = Math.floor(left_ms / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.floor(left_ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}
