/** The pieces that each seat still has to place, beside a board. */

import { drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { element } from "../element.js";
import { gettext } from "../language/texts.js";

/** @import { GameInfo } from "../protocol.js" */

export class Hands {
  element = element("div", { class: "hands", hidden: true });
  #key = "";

  /** @param {readonly number[]} reserves By seat. @param {GameInfo | undefined} game */
  show(reserves, game) {
    const key = JSON.stringify([reserves, game?.name]);
    if (key === this.#key) return;
    this.#key = key;
    this.element.hidden = reserves.every((count) => count === 0);
    this.element.replaceChildren(
      ...reserves.map((count, seat) => element("p", {}, drawMan(seatColour(game, seat), "choice-man"), count === 0 ? gettext("{seat}: none in hand", { seat: seatName(game, seat) }) : gettext("{seat}: {count} in hand", { seat: seatName(game, seat), count }))),
    );
  }
}
