/**
 * One seat's clock, running between the server's updates.
 *
 * It only shows time; the server decides when a flag falls.
 */

import { isLow, periodsSentence, periodsText } from "../clock_face.js";
import { formatClock } from "../clock_texts.js";
import { element, hide } from "../element.js";
import { gettext } from "../language/texts.js";

/** @import { ClockFace } from "../clock_face.js" */

export class ClockView {
  #shown = "";

  constructor() {
    this.element = element("div", { class: "clock", role: "timer", "aria-live": "off", hidden: true }, this.#time, this.#periods, this.#delay);
  }

  #time = element("span", { class: "clock-time" });
  #periods = element("span", { class: "clock-periods", hidden: true });
  #delay = element("progress", { class: "clock-delay", max: 1, value: 0, hidden: true, "aria-label": gettext("Delay") });

  /**
   * @param {ClockFace | null} face Null in an untimed match.
   * @param {boolean} isRunning
   * @param {number | null} delayLeft The fraction of this ply's delay that is left; null without delay.
   */
  show(face, isRunning, delayLeft) {
    hide(this.element, face === null);
    if (face === null) return;
    const text = formatClock(face.left_ms);
    if (text !== this.#shown) this.#time.textContent = this.#shown = text;
    this.#showPeriods(face);
    hide(this.#delay, delayLeft === null);
    if (delayLeft !== null) this.#delay.value = delayLeft;
    this.element.classList.toggle("running", isRunning);
    this.element.classList.toggle("low", isLow(face));
  }

  /** @param {ClockFace} face */
  #showPeriods(face) {
    const text = periodsText(face);
    hide(this.#periods, text === "");
    this.element.classList.toggle("in-period", face.inPeriod);
    if (this.#periods.textContent === text) return;
    this.#periods.textContent = text;
    this.#periods.title = periodsSentence(face);
  }
}
