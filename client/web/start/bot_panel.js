/** The built-in bots with their faces; a click on one starts a match against it. While they cannot start, why not. */

import { button, element } from "../element.js";
import { wholeCatalogue } from "../language/languages.js";
import { gettext } from "../language/texts.js";
import { botFace } from "../players/bot_face.js";
import { builtInBots } from "../players/bots.js";
import { MatchOptions } from "./match_options.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo } from "../protocol.js" */
/** @import { BuiltInBot } from "../players/bots.js" */

export class BotPanel {
  #obstacle = element("p", { class: "bot-obstacle" });
  #choices;
  #duel = element("details", { class: "bot-duel", ontoggle: () => this.#openDuel() }, element("summary", { class: "button quiet" }, gettext("Watch bots play each other")));
  #summary = element("summary", { class: "button quiet" });
  #options;

  /** @param {Connection} connection @param {GameInfo} game @param {(command: Command) => Promise<void>} onCreate */
  constructor(connection, game, onCreate) {
    this.connection = connection;
    this.game = game;
    this.onCreate = onCreate;
    this.#options = new MatchOptions(connection, game, "bot", () => this.#show());
    this.#choices = element(
      "div",
      { class: "bot-choices" },
      element("ul", { class: "bot-cards bot-row" }, ...builtInBots(game).map((bot) => this.#card(bot))),
      element("details", { class: "bot-options" }, this.#summary, this.#options.element),
      this.#duel,
    );
    this.element = element("section", { class: "card for-bot", "aria-label": gettext("Play a bot") }, element("h2", {}, gettext("Play a bot")), this.#obstacle, this.#choices);
    this.#show();
    this.showAvailability();
  }

  showAvailability() {
    const isOffered = this.connection.offersBots(this.game.name);
    this.#choices.hidden = !isOffered;
    this.#obstacle.hidden = isOffered;
    this.#obstacle.textContent = isOffered ? "" : this.connection.whyBotsWait(this.game.name);
  }

  /** @param {BuiltInBot} bot */
  #card({ level, title, grade, description }) {
    const card = button("", () => this.onCreate(this.#options.command(level)), { class: "bot-card", "data-level": level });
    card.append(botFace(level), element("span", { class: "bot-title" }, title), element("span", { class: "bot-grade" }, grade), element("span", { class: "bot-line" }, description));
    return element("li", {}, card);
  }

  async #openDuel() {
    const [{ botDuel }] = await Promise.all([import("./bot_duel.js"), wholeCatalogue()]);
    if (this.#duel.childElementCount === 1) this.#duel.append(botDuel(this.game, this.onCreate));
  }

  #show() {
    this.#summary.textContent = gettext("Options: {summary}", { summary: this.#options.summary });
  }
}
