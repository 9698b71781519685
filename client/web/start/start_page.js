/**
 * The start page: quick pairing, bots, invitations, open matches and live matches.
 */

import { button, element } from "../element.js";
import { announce, answerOrToast } from "../toasts.js";
import { recentMatches } from "../recent_matches.js";
import { recall, remember } from "../storage.js";
import { BotList } from "./bot_list.js";
import { LiveMatchList } from "./live_matches.js";
import { MatchForm } from "./match_form.js";
import { PositionForm } from "./position_form.js";
import { QuickPairing } from "./quick_pairing.js";
import { SeekList } from "./seek_list.js";
import { YourMatchList } from "./your_matches.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PairingSearch } from "../lobby/pairing_search.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo } from "../protocol.js" */

const GAME_KEY = "millrace.game";

export class StartPage {
  #bots = new BotList((name) => this.#friends?.challenge(name));
  /** @type {MatchForm | null} */
  #friends = null;
  #cards = element("div", { class: "cards" });
  #picker = element("div", { class: "game-picker", role: "group", "aria-label": "Game" });
  #title = element("h1", {}, "Millrace");
  #back = element("div", { class: "back-to-match" });
  #builtFor = "";
  #isCreating = false;
  #unfollow = () => {};
  #yourTurn;
  #quick;
  #seeks;
  #live;

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
    this.#yourTurn = new YourMatchList(connection);
    this.#live = new LiveMatchList(connection);
    this.#quick = new QuickPairing(connection, search);
    this.#seeks = new SeekList(connection, (command) => this.#create(command));
    this.element = element(
      "div",
      { class: "start-page" },
      element(
        "div",
        { class: "intro" },
        element("img", { class: "art", src: new URL("art.svg", import.meta.url).href, alt: "", width: 376, height: 188 }),
        this.#title,
        element("p", {}, "Play someone online, a friend or a bot. No account needed."),
        this.#picker,
        this.#back,
      ),
      this.#yourTurn.element,
      element("div", { class: "start-main" }, this.#quick.element, this.#cards),
      element("div", { class: "start-side" }, this.#seeks.element, this.#bots.element, this.#live.element),
    );
    this.onWelcome = () => this.#build();
  }

  open() {
    document.title = "Millrace";
    this.#quick.open();
    this.connection.addEventListener("welcome", this.onWelcome);
    this.#unfollow = this.connection.follow({ type: "watch_lobby" }, (list) => {
      if (list.type === "live_matches") this.#live.show(list.matches);
      else if (list.type === "online_bots") this.#bots.show(list.bots);
      else this.#seeks.show(list.seeks, this.connection.games);
    });
    this.#yourTurn.open();
    const matches = recentMatches();
    this.#back.replaceChildren(
      ...matches.slice(0, 1).map((match) => element("a", { class: "button", href: `/match/${match}` }, "Back to your match")),
    );
    this.#build();
  }

  close() {
    this.#quick.close();
    this.connection.removeEventListener("welcome", this.onWelcome);
    this.#unfollow();
    this.#live.close();
    this.#yourTurn.close();
  }

  /** Build the page once the games are known; later calls keep the reader's choices. */
  #build() {
    const { games } = this.connection;
    const game = games.find(({ name }) => name === recall(GAME_KEY)) ?? games[0];
    const key = JSON.stringify([games, game?.name, this.connection.player?.registered]);
    if (game === undefined || key === this.#builtFor) return;
    this.#builtFor = key;
    this.#title.textContent = `Play ${game.title}`;
    this.#picker.hidden = games.length < 2;
    this.#picker.replaceChildren(...games.map((other) => this.#gameButton(other, other === game)));
    const create = (/** @type {Command} */ command) => this.#create(command);
    this.#quick.offer(game);
    this.#bots.choose(game);
    this.#live.choose(game);
    this.#friends = new MatchForm(this.connection, game, "friend", create);
    this.#cards.replaceChildren(
      new MatchForm(this.connection, game, "bot", create).element,
      this.#friends.element,
      new PositionForm(this.connection, game, create).element,
    );
    if (this.challenged !== "") this.#friends.challenge(this.challenged);
  }

  /**
   * @param {GameInfo} game
   * @param {boolean} isChosen
   */
  #gameButton(game, isChosen) {
    const choose = () => {
      remember(GAME_KEY, game.name);
      this.#build();
    };
    return button(game.title, choose, { "aria-pressed": String(isChosen) });
  }

  /**
   * Create or join a match. Until the server has answered, the page shows it and takes no other: one click, one match.
   * @param {Command} command
   */
  async #create(command) {
    if (this.#isCreating) return;
    this.#showCreating(true);
    try {
      const accepted = await answerOrToast(this.connection.command(command));
      if (accepted !== null) this.navigate(`/match/${accepted.match}`);
    } finally {
      this.#showCreating(false);
    }
  }

  /** @param {boolean} isCreating */
  #showCreating(isCreating) {
    this.#isCreating = isCreating;
    this.element.setAttribute("aria-busy", String(isCreating));
    if (isCreating) announce("Starting the match.");
  }
}
