/** The start page: choose a game and play; then the reader's matches, the other ways to play, and live matches. */

import { element } from "../element.js";
import { wholeCatalogue } from "../language/languages.js";
import { gettext } from "../language/texts.js";
import { WaitingPanel } from "../lobby/waiting_panel.js";
import { seatPlans } from "../match/seat_plans.js";
import { announce, answerOrToast } from "../toasts.js";
import { recentMatches } from "../recent_matches.js";
import { recall, remember } from "../storage.js";
import { BotPanel } from "./bot_panel.js";
import { GameCards } from "./game_cards.js";
import { LiveMatchList } from "./live_matches.js";
import { PlayButton } from "./play_button.js";
import { SeekList } from "./seek_list.js";
import { WaysToPlay } from "./ways_to_play.js";
import { YourMatchList } from "./your_matches.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PairingSearch } from "../lobby/pairing_search.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo, OnlineBot } from "../protocol.js" */
/** @import { BotList } from "./bot_list.js" */
/** @import { FriendPanel } from "./friend_panel.js" */

const GAME_KEY = "millrace.game";

export class StartPage {
  /** Other people's bots, once any are online. @type {BotList | null} */
  #bots = null;
  /** @type {FriendPanel | null} */
  #friends = null;
  /** @type {BotPanel | null} */
  #botPanel = null;
  #ways = new WaysToPlay(() => this.#passAndPlay());
  #back = element("div", { class: "back-to-match" });
  #waitingSlot = element("div", { class: "start-waiting" });
  #builtFor = "";
  #isCreating = false;
  /** Who waits for an opponent, by game. @type {[string, string][]} */
  #waiters = [];
  #main;
  #side;
  #unfollow = () => {};
  /** @type {GameInfo | null} */
  #game = null;
  #cards;
  #live;
  #play;
  #seeks;
  #waiting;
  #yourTurn;

  /**
   * @param {Connection} connection
   * @param {string} challenged The player to challenge, as encoded in the address; empty for none.
   * @param {(path: string) => void} navigate
   * @param {PairingSearch} search
   */
  constructor(connection, challenged, navigate, search) {
    this.connection = connection;
    this.challenged = decodeURIComponent(challenged);
    this.navigate = navigate;
    this.search = search;
    this.#cards = new GameCards(connection, (game) => this.#choose(game));
    this.#live = new LiveMatchList(connection);
    this.#play = new PlayButton(connection, navigate);
    this.#seeks = new SeekList(connection, (command) => this.#create(command));
    this.#waiting = new WaitingPanel(connection, search);
    this.#yourTurn = new YourMatchList(connection);
    // Hidden until the games are known, so that nothing moves afterwards.
    this.#main = element(
      "div",
      { class: "start-main", hidden: true },
      this.#cards.element,
      element("div", { class: "start-play" }, this.#play.button, this.#ways.quick, this.#play.note, this.#ways.row),
      this.#waitingSlot,
      this.#yourTurn.element,
      this.#ways.panel,
    );
    this.#side = element("div", { class: "start-side", hidden: true }, this.#seeks.element, this.#live.element);
    this.element = element(
      "div",
      { class: "start-page" },
      element("div", { class: "start-head" }, element("h1", {}, gettext("Choose a game and play")), this.#back),
      this.#main,
      this.#side,
    );
    this.onWelcome = () => this.#build();
    this.onSearch = () => this.#showSearch();
    this.onBots = () => this.#showAvailability();
  }

  open() {
    document.title = "Millrace";
    this.search.addEventListener("change", this.onSearch);
    this.connection.addEventListener("welcome", this.onWelcome);
    this.connection.addEventListener("bots", this.onBots);
    this.#unfollow = this.connection.follow({ type: "watch_lobby" }, (list) => {
      if (list.type === "live_matches") this.#live.show(list.matches);
      else if (list.type === "online_bots") this.#showBots(list.bots);
      else {
        this.#seeks.show(list.seeks, this.connection.games);
        const { seeks, opponents = [] } = list;
        this.#play.showWaiting(opponents);
        this.#waiters = [...seeks.map(({ game, by }) => /** @type {[string, string]} */ ([game, by.id])), ...opponents.map(({ game, player }) => /** @type {[string, string]} */ ([game, player.id]))];
        this.#countWaiting();
      }
    });
    this.#yourTurn.open();
    const matches = recentMatches();
    this.#back.replaceChildren(
      ...matches.slice(0, 1).map((match) => element("a", { class: "button", href: `/match/${match}` }, gettext("Back to your match"))),
    );
    this.#showSearch();
    this.#build();
    this.#showAvailability();
  }

  close() {
    this.search.removeEventListener("change", this.onSearch);
    this.connection.removeEventListener("welcome", this.onWelcome);
    this.connection.removeEventListener("bots", this.onBots);
    this.#unfollow();
    this.#live.close();
    this.#waiting.close();
    this.#yourTurn.close();
  }

  /** Build the page once the games are known; later calls keep the reader's choices. */
  #build() {
    const { games } = this.connection;
    const game = games.find(({ name }) => name === recall(GAME_KEY)) ?? games[0];
    const key = JSON.stringify([games, this.connection.player?.registered]);
    if (game === undefined || key === this.#builtFor) return;
    this.#builtFor = key;
    this.#cards.show(games, game.name);
    this.#showGame(game);
    this.#main.hidden = this.#side.hidden = false;
    if (this.challenged !== "") this.#challenge(this.challenged);
  }

  /** @param {string} name */
  #choose(name) {
    const game = this.connection.games.find((each) => each.name === name);
    if (game === undefined) return;
    remember(GAME_KEY, name);
    this.#showGame(game);
  }

  /** @param {GameInfo} game */
  #showGame(game) {
    this.#game = game;
    const create = (/** @type {Command} */ command) => this.#create(command);
    this.#play.choose(game);
    this.#bots?.choose(game);
    this.#live.choose(game);
    this.#countWaiting();
    this.#friends = null;
    this.#botPanel = new BotPanel(this.connection, game, create);
    const bot = this.#botPanel.element;
    this.#ways.show(game.name, { bot: async () => bot, friend: () => this.#loadFriends(game), clock: () => this.#loadQuickPairing(game) });
  }

  /** @param {OnlineBot[]} bots */
  async #showBots(bots) {
    if (bots.length > 0 && this.#bots === null) {
      const [{ BotList }] = await Promise.all([import("./bot_list.js"), wholeCatalogue()]);
      this.#bots ??= new BotList((name) => this.#challenge(name));
      this.#side.append(this.#bots.element);
      if (this.#game !== null) this.#bots.choose(this.#game);
    }
    this.#bots?.show(bots);
  }

  /** Count the other people who wait for an opponent in the chosen game. */
  #countWaiting() {
    const ids = this.#waiters.flatMap(([game, id]) => (game === this.#game?.name && id !== this.connection.player?.id ? [id] : []));
    this.#ways.showWaiting(new Set(ids).size);
  }

  /** Offer bots, or say why they cannot play. */
  #showAvailability() {
    this.#play.show();
    this.#botPanel?.showAvailability();
  }

  /** @param {GameInfo} game */
  async #loadFriends(game) {
    const [{ FriendPanel }] = await Promise.all([import("./friend_panel.js"), wholeCatalogue()]);
    this.#friends ??= new FriendPanel(this.connection, game, (command) => this.#create(command));
    return this.#friends.element;
  }

  /** @param {GameInfo} game */
  async #loadQuickPairing(game) {
    const [{ QuickPairing }] = await Promise.all([import("./quick_pairing.js"), wholeCatalogue()]);
    return new QuickPairing(this.connection, this.search, game).element;
  }

  /** @param {string} name The player to challenge. */
  async #challenge(name) {
    await this.#ways.open("friend");
    this.#friends?.challenge(name);
  }

  #showSearch() {
    const { state } = this.search;
    if (state !== null) this.#waiting.show(state);
    const isShown = this.#waitingSlot.childElementCount > 0;
    if ((state !== null) === isShown) return;
    if (state !== null) announce(gettext("Looking for an opponent."));
    this.#waitingSlot.replaceChildren(...(state === null ? [] : [this.#waiting.element]));
  }

  /** Begin a match of players who share this device. */
  async #passAndPlay() {
    const game = this.#game;
    if (game === null) return;
    const count = Math.min(...game.seats);
    const setup = game.seats.length > 1 ? `seats=${count}` : "";
    const seats = seatPlans(count, 0, "self", 1);
    await this.#create({ type: "create", game: game.name, seats, setup, clock: null, shuffle: false });
  }

  /** Create or join a match. Further clicks are ignored until the server has answered. @param {Command} command */
  async #create(command) {
    if (this.#isCreating) return;
    this.#isCreating = true;
    announce(gettext("Starting the match."));
    try {
      const accepted = await answerOrToast(this.connection.command(command));
      if (accepted !== null) this.navigate(`/match/${accepted.match}`);
    } finally {
      this.#isCreating = false;
    }
  }
}
