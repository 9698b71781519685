/**
 * The page of a game's featured match; it switches to the next match automatically.
 *
 * While this tab is visible and no match is running, bots play an exhibition.
 */

import { element } from "../element.js";
import { gettext, listText } from "../language/texts.js";
import { MatchPage } from "../match/match_page.js";
import { playerName } from "../match/match_texts.js";
import { announce } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PairingSearch } from "../lobby/pairing_search.js" */

export class FeaturedPage {
  /** Names the game; the main heading is the headline of the match. */
  #title = element("p", { class: "featured-title", tabindex: -1 });
  #links = element("nav", { class: "featured-links", "aria-label": gettext("Other games") });
  #waiting = element("h1", { class: "featured-waiting" });
  #stage = element("div", { class: "featured-stage" });
  /** @type {MatchPage | null} */
  #shown = null;
  #unfollow = () => {};
  #stopWaiting = () => {};

  /**
   * @param {Connection} connection
   * @param {string} game The game's name.
   * @param {(path: string) => void} navigate
   * @param {PairingSearch} search
   */
  constructor(connection, game, navigate, search) {
    this.connection = connection;
    this.game = game;
    this.navigate = navigate;
    this.search = search;
    this.element = element(
      "div",
      { class: "featured-page" },
      element("div", { class: "featured-bar" }, this.#title, this.#links),
      this.#stage,
    );
    this.onVisibility = () => this.#follow();
  }

  open() {
    document.title = `${gettext("Watch")} · Millrace`;
    document.addEventListener("visibilitychange", this.onVisibility);
    this.#stage.replaceChildren(this.#waiting);
    this.#stopWaiting = this.connection.whenKnown(() => this.#build());
    this.#follow();
  }

  close() {
    this.#stopWaiting();
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.#unfollow();
    this.#shown?.close();
    this.#shown = null;
  }

  /** Build the page once the games are known. */
  #build() {
    const { games } = this.connection;
    const game = games.find(({ name }) => name === this.game);
    this.#title.textContent = game?.title ?? "";
    const others = games.filter(({ name }) => name !== this.game);
    this.#links.replaceChildren(
      ...others.map(({ name, title }) => element("a", { href: `/watch/${name}` }, title)),
      element("a", { href: "/watch" }, gettext("All live matches")),
    );
    this.#waiting.textContent = game ? gettext("Two bots are about to start a match.") : gettext("Game not found");
  }

  #follow() {
    const exhibition = document.visibilityState === "visible";
    this.#unfollow = this.connection.follow({ type: "watch_featured", game: this.game, exhibition }, ({ match }) => this.#show(match));
  }

  /** @param {string | null} match */
  #show(match) {
    if (match === (this.#shown?.id ?? null)) return;
    const hadFocus = this.#stage.contains(document.activeElement);
    this.#shown?.close();
    this.#shown = match === null ? null : new MatchPage(this.connection, match, this.navigate, this.search);
    this.#stage.replaceChildren(this.#shown?.element ?? this.#waiting);
    if (this.#shown === null) {
      document.title = `${gettext("Watch")} · Millrace`;
      announce(gettext("Two bots are about to start a match."));
    } else {
      const page = this.#shown;
      page.onLoad = () => announce(gettext("Now playing: {names}.", { names: listText(page.state.players.map(playerName)) }));
      page.open();
    }
    if (hadFocus) this.#title.focus();
  }
}
