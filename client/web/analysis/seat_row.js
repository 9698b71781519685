/** A seat beside the analysis board: colour, player, pieces in hand, and whether it is to move. */

import { drawMan } from "../board/pieces.js";
import { element } from "../element.js";
import { gettext } from "../language/texts.js";

/** Above this, the hand is shown as a number. */
const MAX_DRAWN = 12;

export class SeatRow {
  #player = element("span", { class: "player-name" });
  #score = element("span", { class: "score" });
  #hand = element("div", { class: "hand" });
  #inHand = -1;

  /** @param {number} seat @param {string} name The seat's name. @param {string} colour */
  constructor(seat, name, colour) {
    this.colour = colour;
    this.element = element(
      "section",
      { class: "seat-strip seat-row", "data-seat": seat, "aria-label": name },
      drawMan(colour, "seat-man"),
      element("div", { class: "player" }, element("div", { class: "player-line" }, this.#player, " ", element("span", { class: "player-note" }, name)), this.#hand),
      this.#score,
    );
  }

  /**
   * @param {string} player Empty without a match.
   * @param {string} score
   * @param {number} inHand
   * @param {boolean} isToMove
   */
  show(player, score, inHand, isToMove) {
    this.#player.textContent = player;
    this.#score.textContent = score;
    this.element.classList.toggle("to-move", isToMove);
    if (inHand === this.#inHand) return;
    this.#inHand = inHand;
    const men = Array.from({ length: Math.min(inHand, MAX_DRAWN) }, () => drawMan(this.colour, "hand-man"));
    this.#hand.replaceChildren(...(inHand > MAX_DRAWN ? [men[0], ` × ${inHand}`] : men));
    this.#hand.hidden = inHand === 0;
    this.#hand.setAttribute("role", "img");
    this.#hand.setAttribute("aria-label", gettext("{count} in hand", { count: inHand }));
  }
}
