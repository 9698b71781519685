/** The built-in bots of a game, each with its face, strength and manner and the reader's record; a click starts a match. */

import { isOnDevice } from "../device/device_ids.js";
import { button, element } from "../element.js";
import { wholeCatalogue } from "../language/languages.js";
import { gettext } from "../language/texts.js";
import { DeviceStore } from "../offline/device_store.js";
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
  /** Where the reader's record against each bot stands, by the bot's id. @type {Map<string, HTMLElement>} */
  #records = new Map();

  /** @param {Connection} connection @param {GameInfo} game @param {(command: Command) => Promise<void>} onCreate */
  constructor(connection, game, onCreate) {
    this.connection = connection;
    this.game = game;
    this.onCreate = onCreate;
    this.#options = new MatchOptions(connection, game, "bot", () => this.#show());
    this.#choices = element(
      "div",
      { class: "bot-choices" },
      element("details", { class: "bot-options" }, this.#summary, this.#options.element),
      element("ul", { class: "bot-cards" }, ...builtInBots(game).map((bot) => this.#card(bot))),
      this.#duel,
    );
    this.element = element("section", { class: "card for-bot", "aria-label": gettext("Play a bot") }, element("h2", {}, gettext("Play a bot")), this.#obstacle, this.#choices);
    this.#show();
    this.showAvailability();
    void this.#showRecords();
  }

  showAvailability() {
    const isOffered = this.connection.offersBots(this.game.name);
    this.#choices.hidden = !isOffered;
    this.#obstacle.hidden = isOffered;
    this.#obstacle.textContent = isOffered ? "" : this.connection.whyBotsWait(this.game.name);
  }

  /** @param {BuiltInBot} bot */
  #card({ level, title, grade, description }) {
    const record = element("span", { class: "bot-record", hidden: true });
    this.#records.set(`bot-${level}`, record);
    const card = button("", () => this.onCreate(this.#options.command(level)), { class: "bot-card", "data-level": level });
    const words = element("span", { class: "bot-words" }, element("span", { class: "bot-title" }, title), " ", element("span", { class: "bot-grade" }, grade));
    card.append(botFace(level), words, " ", element("span", { class: "bot-line" }, description), " ", record);
    return element("li", {}, card);
  }

  /** The reader's results on the server and on this device. */
  async #showRecords() {
    const { connection, game } = this;
    const [answer, kept] = await Promise.all([connection.ask({ type: "get_bot_records", game: game.name }).catch(() => null), new DeviceStore().list("matches")]);
    const records = answer?.records ?? [];
    if (records.length === 0 && !kept.some(({ key }) => isOnDevice(key))) return;
    const [{ recordTexts }] = await Promise.all([import("./bot_records.js"), wholeCatalogue()]);
    for (const [bot, words] of recordTexts(records, kept, game.name, connection.player)) {
      const record = this.#records.get(bot);
      if (record === undefined) continue;
      record.textContent = words;
      record.hidden = false;
    }
  }

  async #openDuel() {
    const [{ botDuel }] = await Promise.all([import("./bot_duel.js"), wholeCatalogue()]);
    if (this.#duel.childElementCount === 1) this.#duel.append(botDuel(this.game, this.onCreate));
  }

  #show() {
    this.#summary.textContent = gettext("Options: {summary}", { summary: this.#options.summary });
  }
}
