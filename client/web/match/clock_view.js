/**
 * One seat's clock, ticking on its own between the server's words.
 *
 * It only shows: whose flag has fallen is the server's to say.
 */

import { element } from "../element.js";
import { DAY_MS } from "./words.js";

/** Tenths are shown below this. */
const TENTHS_BELOW_MS = 10_000;
export const LOW_BELOW_MS = 20_000;

export class ClockView {
  #shown = "";

  constructor() {
    this.element = element("div", { class: "clock", role: "timer", "aria-live": "off", hidden: true }, this.#time, this.#delay);
  }

  #time = element("span", { class: "clock-time" });
  #delay = element("progress", { class: "clock-delay", max: 1, value: 0, hidden: true, "aria-label": "Time that does not count" });

  /**
   * @param {number | null} left_ms Null in an untimed match.
   * @param {boolean} isRunning
   * @param {number | null} delayLeft Of the delay of this ply, as a part of 1; null for a clock without.
   */
  show(left_ms, isRunning, delayLeft) {
    this.element.hidden = left_ms === null;
    if (left_ms === null) return;
    const text = formatClock(left_ms);
    if (text !== this.#shown) this.#time.textContent = this.#shown = text;
    this.#delay.hidden = delayLeft === null;
    if (delayLeft !== null) this.#delay.value = delayLeft;
    this.element.classList.toggle("running", isRunning);
    this.element.classList.toggle("low", left_ms < LOW_BELOW_MS);
  }
}

/**
 * @param {number} left_ms
 * @returns {string} `2 d 5 h`, `1:05:09`, `4:07`, and `0:09.3` below ten seconds.
 */
export function formatClock(left_ms) {
  if (left_ms >= DAY_MS) {
    // Rounded up, so that a move made at once leaves the whole time.
    const all = Math.ceil(left_ms / 3_600_000);
    return all % 24 === 0 ? `${all / 24} d` : `${Math.floor(all / 24)} d ${all % 24} h`;
  }
  if (left_ms < TENTHS_BELOW_MS) {
    const tenths = Math.floor(left_ms / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.floor(left_ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}
