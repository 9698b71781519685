/**
 * The evaluation bar beside the board: each side's winning chances.
 *
 * It is hidden with more than two seats, which have no common scale.
 */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { shortSign, scoreText } from "./evaluation_texts.js";

/** @import { Score } from "../protocol.js" */

export class EvalBar {
  #share = element("div", { class: "eval-share" });
  #sign = element("span", { class: "eval-sign", "aria-hidden": "true" });
  element = element(
    "div",
    { class: "eval-bar", role: "meter", "aria-label": gettext("Who is ahead"), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 50, "aria-valuetext": gettext("Not evaluated yet"), hidden: true },
    this.#share,
    this.#sign,
  );

  /**
   * @param {Score | null} score Of the shown position; null while it is not known.
   * @param {number} seats
   * @param {boolean} isTurned Whether the second seat is at the bottom.
   * @param {(seat: number) => string} nameOf
   */
  show(score, seats, isTurned, nameOf) {
    this.element.hidden = seats !== 2;
    this.element.classList.toggle("turned", isTurned);
    this.element.classList.toggle("unknown", score === null);
    if (seats !== 2) return;
    if (score === null) {
      // Keep the last share, faintly: a jump to the middle and back would be misleading.
      this.#sign.textContent = "";
      this.element.setAttribute("aria-valuetext", gettext("Not evaluated yet"));
      return;
    }
    const percent = Math.round(score.expectation * 1000) / 10;
    // Style attributes are forbidden, properties set by scripts are not.
    this.#share.style.setProperty("--share", `${percent}%`);
    this.#sign.textContent = shortSign(score);
    this.#sign.classList.toggle("low", percent < 50 !== isTurned);
    this.element.setAttribute("aria-valuenow", String(percent));
    this.element.setAttribute("aria-valuetext", scoreText(score, nameOf));
  }
}
