/**
 * The page of a game's featured match: a match page that becomes another's by itself.
 *
 * While this tab is looked at bots may play each other for it, if there is nothing else to show.
 */

import { element } from "../element.js";
import { MatchPage } from "../match/match_page.js";
import { listed, playerName } from "../match/match_texts.js";
import { announce } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */

export class FeaturedPage {
  #title = element("h1", { tabindex: -1 });
  #links = element("nav", { class: "featured-links", "aria-label": "Other games" });
  #waiting = element("p", { class: "featured-waiting" });
  #stage = element("div", { class: "featured-stage" });
  /** @type {MatchPage | null} */
  #shown = null;
  #unfollow = () => {};
  #stopWaiting = () => {};

  /**
   * @param {Connection} connection
   * @param {string} game Its name.
   * @param {(path: string) => void} navigate
   */
  constructor(connection, game, navigate) {
    this.connection = connection;
    this.game = game;
    this.navigate = navigate;
    this.element = element(
      "div",
      { class: "featured-page" },
      element("div", { class: "featured-bar" }, this.#title, this.#links),
      this.#stage,
    );
    this.onVisibility = () => this.#follow();
  }

  open() {
    document.title = "Watch · Millrace";
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

  /** Once the games are known. */
  #build() {
    const { games } = this.connection;
    const game = games.find(({ name }) => name === this.game);
    this.#title.textContent = game?.title ?? "There is no such game.";
    const others = games.filter(({ name }) => name !== this.game);
    this.#links.replaceChildren(
      ...others.map(({ name, title }) => element("a", { href: `/watch/${name}` }, title)),
      element("a", { href: "/watch" }, "All live matches"),
    );
    this.#waiting.textContent = game ? "Nobody plays just now. Bots will, in a moment." : "";
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
    this.#shown = match === null ? null : new MatchPage(this.connection, match, this.navigate);
    this.#stage.replaceChildren(this.#shown?.element ?? this.#waiting);
    if (this.#shown === null) {
      document.title = "Watch · Millrace";
      announce("Nothing is on just now.");
    } else {
      const page = this.#shown;
      page.onLoad = () => announce(`Now on: ${listed(page.state.players.map(playerName))}.`);
      page.open();
    }
    if (hadFocus) this.#title.focus();
  }
}
