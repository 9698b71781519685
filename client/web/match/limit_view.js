/**
 * The remaining time of a match with a time limit.
 *
 * It only shows time; the server ends the match.
 */

import { LOW_BELOW_MS } from "../clock_face.js";
import { formatClock } from "../clock_texts.js";
import { element, hide } from "../element.js";
import { gettextNodes } from "../language/texts.js";

/** @import { MatchState } from "./match_state.js" */

export class LimitView {
  #time = element("span", { class: "limit-time", role: "timer", "aria-live": "off" });
  element = element("p", { class: "match-limit", hidden: true }, ...gettextNodes("Match ends and is scored in {time}", { time: this.#time }));
  #shown = "";

  /** @param {MatchState} state @param {number} now_ms By the server's clock. */
  tick(state, now_ms) {
    const left_ms = state.end === null ? state.limitLeft_ms(now_ms) : null;
    hide(this.element, left_ms === null);
    if (left_ms === null) return;
    const text = formatClock(left_ms);
    if (text !== this.#shown) this.#time.textContent = this.#shown = text;
    this.element.classList.toggle("low", left_ms < LOW_BELOW_MS);
  }
}
