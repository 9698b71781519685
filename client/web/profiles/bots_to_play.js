/** The built-in bots of a game that the reader picks; a click on a face starts a match. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { BotPanel } from "../start/bot_panel.js";
import { recall, remember } from "../storage.js";
import { announce, answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo } from "../protocol.js" */

const GAME_KEY = "millrace.game";

export class BotsToPlay {
  #picker = element("div", { class: "game-picker", role: "group", "aria-label": gettext("Game of the bots") });
  #panel = element("div");
  element = element("div", { class: "bots-to-play" }, this.#picker, this.#panel);

  /** @param {Connection} connection @param {(path: string) => void} navigate */
  constructor(connection, navigate) {
    this.connection = connection;
    this.navigate = navigate;
  }

  /** Show the bots of the chosen game, once the games are known. */
  show() {
    const { games } = this.connection;
    const chosen = games.find(({ name }) => name === recall(GAME_KEY)) ?? games[0];
    if (chosen === undefined) return;
    const choices = games.map((game) => button(game.title, () => this.#pick(game), { "aria-pressed": String(game === chosen), "data-game": game.name }));
    this.#picker.replaceChildren(...choices);
    this.#panel.replaceChildren(new BotPanel(this.connection, chosen, (command) => this.#create(command)).element);
  }

  /** @param {GameInfo} game */
  #pick(game) {
    remember(GAME_KEY, game.name);
    this.show();
    const again = this.#picker.querySelector(`[data-game="${game.name}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {Command} command */
  async #create(command) {
    announce(gettext("Starting the match."));
    const accepted = await answerOrToast(this.connection.command(command));
    if (accepted !== null) this.navigate(`/match/${accepted.match}`);
  }
}
