/**
 * One seat's clock, running between the server's updates.
 *
 * It only shows time; the server decides when a flag falls.
 */

import { formatClock } from "../clock_texts.js";
import { element } from "../element.js";

export const LOW_BELOW_MS = 20_000;

export class ClockView {
  #shown = "";

  constructor() {
    this.element = element("div", { class: "clock", role: "timer", "aria-live": "off", hidden: true }, this.#time, this.#delay);
  }

  #time = element("span", { class: "clock-time" });
  #delay = element("progress", { class: "clock-delay", max: 1, value: 0, hidden: true, "aria-label": "Delay" });

  /**
   * @param {number | null} left_ms Null in an untimed match.
   * @param {boolean} isRunning
   * @param {number | null} delayLeft The fraction of this ply's delay that is left; null without delay.
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
