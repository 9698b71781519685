/** Buttons that start a match from a position; the reader plays the side to move. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { levelSelect, parseLevel } from "../players/level_select.js";

/** @import { GameInfo, Level } from "../protocol.js" */
/** @import { Opponent } from "./seat_plans.js" */

export class PlayFrom {
  #level = element("div", { class: "slot" });
  /** @type {GameInfo | undefined} */
  #game;

  /** @param {(opponent: Opponent, level: Level) => unknown} onPlay */
  constructor(onPlay) {
    const play = (/** @type {Opponent} */ opponent) => () => onPlay(opponent, parseLevel(this.#level.querySelector("select")?.value ?? "1"));
    this.element = element(
      "div",
      { class: "play-from" },
      element("p", { class: "note" }, gettext("Start a match from this position. You play the side to move:")),
      element(
        "div",
        { class: "extra" },
        button(gettext("Play every side"), play("self")),
        button(gettext("Play a friend"), play("friend")),
        button(gettext("Play bots"), play("bot")),
        this.#level,
      ),
    );
  }

  /** @param {GameInfo | undefined} game */
  show(game) {
    if (game === this.#game && this.#level.hasChildNodes()) return;
    this.#game = game;
    this.#level.replaceChildren(levelSelect(game, gettext("Bot level")));
  }
}
