/**
 * The banners over the top of every page: challenges to answer, a running search, a match that has started.
 */

import { button, element } from "../element.js";
import { gettext, gettextNodes } from "../language/texts.js";
import { markedName } from "../players/bot_mark.js";
import { languageEvents } from "../language/languages.js";
import { announce, answerOrToast, toast } from "../toasts.js";
import { placeText } from "../tournaments/place_text.js";
import { seekText } from "./seek_text.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { LobbyMessage, Seek, YourTournament } from "../protocol.js" */
/** @import { PairingSearch } from "./pairing_search.js" */

export class Banner {
  #challenges = element("div", { class: "banners-challenges" });
  #search = element("div", { class: "banners-search" });
  #tournament = element("div", { class: "banners-tournament" });
  /** The match of a tournament that the reader has been told of. */
  #told = "";
  #announced = new Set();
  /** @type {Seek[]} */
  #shown = [];

  /** @param {Connection} connection @param {PairingSearch} search @param {(path: string) => void} navigate */
  constructor(connection, search, navigate) {
    this.connection = connection;
    this.search = search;
    this.navigate = navigate;
    this.element = element("div", { class: "banners", role: "region", "aria-label": gettext("Invitations") }, this.#challenges, this.#search, this.#tournament);
    connection.addEventListener("lobby", (event) => this.#heard(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("tournament", (event) => this.#placed(/** @type {CustomEvent} */ (event).detail));
    // The server sends them again after each welcome.
    connection.addEventListener("welcome", () => this.#showChallenges([]));
    languageEvents.addEventListener("changed", () => this.#showChallenges(this.#shown));
    search.addEventListener("change", () => this.#showSearch());
    search.addEventListener("refused", (event) => toast(/** @type {CustomEvent} */ (event).detail));
    search.addEventListener("paired", (event) => this.#paired(/** @type {CustomEvent} */ (event).detail));
  }

  /** The page has changed; the start page shows the search itself. */
  turned() {
    this.#showSearch();
    if (location.pathname === `/match/${this.#told}`) this.#tournament.replaceChildren();
  }

  /** @param {LobbyMessage} message */
  #heard(message) {
    if (message.type === "challenges") this.#showChallenges(message.challenges);
  }

  /** @param {Seek[]} challenges */
  #showChallenges(challenges) {
    this.#shown = challenges;
    this.#challenges.replaceChildren(...challenges.map((challenge) => this.#challenge(challenge)));
    for (const { match, by } of challenges) {
      if (!this.#announced.has(match)) announce(gettext("{name} challenges you.", { name: by.name }));
      this.#announced.add(match);
    }
  }

  /** @param {Seek} challenge */
  #challenge(challenge) {
    const { match, by } = challenge;
    const title = this.connection.games.find(({ name }) => name === challenge.game)?.title ?? challenge.game;
    return element(
      "div",
      { class: "banner challenge" },
      element("p", {}, ...gettextNodes("{name} challenges you: {match}", { name: element("b", {}, ...markedName(by)), match: seekText(challenge, title) })),
      element(
        "div",
        { class: "banner-buttons" },
        button(gettext("Accept"), () => this.#answer({ type: "join", match }, `/match/${match}`), { class: "button primary" }),
        button(gettext("Decline"), () => this.#answer({ type: "decline", match }, null)),
        button(gettext("Block"), () => this.#block(by.id, match), { class: "button quiet", title: gettext("Block {name}: no more challenges or pairings", { name: by.name }) }),
      ),
    );
  }

  /** @param {Command} command @param {string | null} path The address to open next. */
  async #answer(command, path) {
    const accepted = await answerOrToast(this.connection.command(command));
    if (accepted !== null && path !== null) this.navigate(path);
  }

  /** @param {string} player @param {string} match */
  async #block(player, match) {
    await this.#answer({ type: "decline", match }, null);
    const blocked = await answerOrToast(this.connection.ask({ type: "block", player }));
    if (blocked !== null) toast(gettext("Player blocked. You will not be paired with this player or receive challenges from them."));
  }

  /** Tell of the reader's match in a tournament, wherever the reader is; by correspondence, notifications do. @param {YourTournament} place */
  #placed({ tournament, name, you, by_correspondence: byCorrespondence = false }) {
    if (byCorrespondence) return;
    const match = you?.opponent ? (you.standing.match ?? "") : "";
    if (match === "") return this.#tournament.replaceChildren();
    const isThere = location.pathname === `/match/${match}` || location.pathname === `/tournament/${tournament}`;
    if (match === this.#told || you === null) return;
    this.#told = match;
    announce(placeText(you));
    if (isThere) return;
    const link = element("a", { class: "button primary", href: `/match/${match}` }, gettext("To the board"));
    this.#tournament.replaceChildren(element("div", { class: "banner" }, element("p", {}, element("b", {}, gettext(name)), " ", placeText(you)), element("div", { class: "banner-buttons" }, link)));
  }

  #showSearch() {
    const { state } = this.search;
    const isElsewhere = state !== null && location.pathname !== "/";
    this.#search.replaceChildren(
      ...(isElsewhere
        ? [
            element(
              "div",
              { class: "banner" },
              element("p", {}, gettext("Looking for an opponent…")),
              element(
                "div",
                { class: "banner-buttons" },
                element("a", { class: "button", href: "/" }, gettext("Open")),
                button(gettext("Cancel search"), () => this.search.stop()),
              ),
            ),
          ]
        : []),
    );
  }

  /** Open the match if the reader was waiting for it here; otherwise show a banner. @param {string} match */
  #paired(match) {
    const path = `/match/${match}`;
    if (location.pathname === path) return;
    announce(gettext("Opponent found."));
    if (this.search.isOwn || location.pathname === "/") {
      this.navigate(path);
      return;
    }
    const banner = element(
      "div",
      { class: "banner" },
      element("p", {}, gettext("Your match has started.")),
      element("div", { class: "banner-buttons" }, element("a", { class: "button primary", href: path, onclick: () => banner.remove() }, gettext("Play"))),
    );
    this.element.append(banner);
  }
}
