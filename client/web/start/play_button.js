/** The large button that starts a match immediately, and below it the opponent that the server would choose. */

import { clockSentence } from "../clock_texts.js";
import { button, element } from "../element.js";
import { gettext, listText } from "../language/texts.js";
import { botFace } from "../players/bot_face.js";
import { levelName, shownName } from "../players/shown_name.js";
import { announce, answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, WaitingOpponent } from "../protocol.js" */

export class PlayButton {
  #face = element("span", { class: "play-face" });
  #opponent = element("span", { id: "play-opponent", class: "play-opponent" });
  button = button(gettext("Play"), () => this.#play(), { class: "button primary play-now", "aria-describedby": "play-opponent", disabled: true });
  note = element("div", { class: "play-note" }, this.#face, this.#opponent);
  /** @type {GameInfo | null} */
  #game = null;
  /** The level of the bot that fits the reader, by game. @type {Map<string, number>} */
  #levels = new Map();
  /** @type {WaitingOpponent[]} */
  #waiting = [];

  /** @param {Connection} connection @param {(path: string) => void} navigate */
  constructor(connection, navigate) {
    this.connection = connection;
    this.navigate = navigate;
  }

  /** @param {GameInfo} game */
  async choose(game) {
    this.#game = game;
    this.show();
    const fitting = await answerOrToast(this.connection.ask({ type: "get_fitting_bot", game: game.name }));
    if (fitting === null) return;
    this.#levels.set(fitting.game, fitting.level);
    this.show();
  }

  /** @param {WaitingOpponent[]} opponents Who waits for an opponent like the reader, by game. */
  showWaiting(opponents) {
    this.#waiting = opponents;
    this.show();
  }

  /** Show the opponent, anew whenever bots can play or no longer can. */
  show() {
    const game = this.#game;
    if (game === null) return;
    const waiting = this.#waiting.find((each) => each.game === game.name);
    const level = this.#levels.get(game.name);
    const hasOpponent = waiting !== undefined || this.connection.offersBots(game.name);
    this.button.disabled = !hasOpponent;
    if (waiting !== undefined) {
      this.#face.replaceChildren(element("span", { class: "presence", "data-present": "true" }));
      this.#opponent.textContent = gettext("{name} is waiting for an opponent: {clock}.", { name: waiting.player.name, clock: clockSentence(waiting.clock) });
    } else if (!hasOpponent) {
      this.#face.replaceChildren();
      this.#opponent.textContent = this.connection.whyBotsWait(game.name);
    } else if (level !== undefined) {
      this.#face.replaceChildren(botFace(level));
      this.#opponent.textContent = gettext("Against {name}, the bot of level {level}: {description}", { name: levelName(level), level, description: game.level_descriptions?.[level - 1] ?? "" });
    }
  }

  async #play() {
    const game = this.#game;
    if (game === null) return;
    announce(gettext("Starting the match."));
    const playing = await answerOrToast(this.connection.ask({ type: "play_now", game: game.name }));
    if (playing === null) return;
    announce(gettext("You play against {names}.", { names: listText(playing.opponents.map(({ name }) => shownName(name))) }));
    const path = `/match/${playing.match}`;
    // A paired player is notified twice: by the answer, and on each of their open pages.
    if (location.pathname !== path) this.navigate(path);
  }
}
