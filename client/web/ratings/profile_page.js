/**
 * The page of a player: ratings of every kind, how they came about, and the latest matches.
 */

import { button, element } from "../element.js";
import { botWords } from "../match/words.js";
import { answerOrToast } from "../notices.js";
import { markedName } from "./bot_mark.js";
import { dateWords } from "./dates.js";
import { historyGraph } from "./history_graph.js";
import { pastMatches } from "./past_matches.js";
import { kindWords, ratingNumber } from "./words.js";

/** @import { Connection } from "../connection.js" */
/** @import { KindRating, MeetingAnswer, MeetingCommand, Player, Profile } from "../protocol.js" */

export class ProfilePage {
  #graph = element("div", { class: "profile-graph", "aria-live": "polite" });
  #kinds = element("div", { class: "kinds", role: "group", "aria-label": "Ratings" });
  /** To block the player, or to take that back. */
  #block = element("p", { class: "profile-block" });
  #isClosed = false;

  /**
   * @param {Connection} connection
   * @param {string} name As it stands in the address.
   * @param {(path: string) => void} _navigate
   */
  constructor(connection, name, _navigate) {
    this.connection = connection;
    this.name = decoded(name);
    this.element = element("div", { class: "ratings-page profile-page" }, element("h1", {}, this.name));
  }

  async open() {
    document.title = `${this.name} · Millrace`;
    try {
      const profile = await this.connection.profile(this.name);
      if (this.#isClosed) return;
      this.#show(profile);
      this.#offerBlock(profile.player);
    } catch (error) {
      if (!this.#isClosed) this.#refuse(/** @type {Error} */ (error).message);
    }
  }

  close() {
    this.#isClosed = true;
  }

  /** @param {Profile} profile */
  #show(profile) {
    const { player, ratings, matches } = profile;
    document.title = `${player.name} · Millrace`;
    this.element.replaceChildren(
      element("div", { class: "profile-head" }, element("h1", {}, ...markedName(player)), element("p", { class: "note" }, this.#about(profile)), this.#block),
      element("section", { class: "card" }, element("h2", {}, "Ratings"), ...this.#ratingParts(ratings)),
      element("section", { class: "card" }, element("h2", {}, "Latest matches"), pastMatches(matches, player.id, this.connection.games)),
    );
  }

  /** @param {Player} player */
  async #offerBlock(player) {
    if (player.level === null && player.id !== this.connection.player?.id) {
      const answer = await answerOrToast(this.connection.meet({ type: "get_blocked" }));
      if (answer !== null) this.#showBlock(player, answer);
    }
  }

  /**
   * @param {Player} player
   * @param {MeetingAnswer} answer
   */
  #showBlock(player, answer) {
    if (answer.type !== "blocked") return;
    const isBlocked = answer.players.includes(player.id);
    const press = () => this.#changeBlock(player, { type: isBlocked ? "unblock" : "block", player: player.id });
    this.#block.replaceChildren(
      button(isBlocked ? "Unblock" : "Block", press, { class: "button quiet" }),
      element("span", { class: "soft" }, isBlocked ? "You are never paired, and get no challenges." : ""),
    );
  }

  /**
   * @param {Player} player
   * @param {MeetingCommand} command
   */
  async #changeBlock(player, command) {
    const answer = await answerOrToast(this.connection.meet(command));
    if (answer !== null) this.#showBlock(player, answer);
  }

  /** @param {Profile} profile */
  #about({ player, since_ms }) {
    if (since_ms !== null) return `${player.id === this.connection.player?.id ? "You have been here" : "Here"} since ${dateWords(since_ms)}.`;
    return `One of the house’s bots: ${botWords(player, this.connection.games[0])}.`;
  }

  /** @param {KindRating[]} ratings */
  #ratingParts(ratings) {
    if (ratings.length === 0) return [element("p", { class: "empty-note" }, "No rated match has counted yet.")];
    this.#choose(ratings, 0);
    return [this.#kinds, this.#graph];
  }

  /**
   * Show the history of one kind.
   * @param {KindRating[]} ratings
   * @param {number} chosen
   */
  #choose(ratings, chosen) {
    const hadFocus = this.#kinds.contains(document.activeElement);
    const buttons = ratings.map((rating, index) => this.#kindButton(rating, index === chosen, () => this.#choose(ratings, index)));
    this.#kinds.replaceChildren(...buttons);
    if (hadFocus) buttons[chosen]?.focus();
    const rating = ratings[chosen];
    if (rating !== undefined) this.#graph.replaceChildren(historyGraph(rating));
  }

  /**
   * @param {KindRating} rating
   * @param {boolean} isChosen
   * @param {() => void} choose
   */
  #kindButton({ kind, rating, deviation, provisional, matches }, isChosen, choose) {
    const parts = element(
      "span",
      { class: "kind" },
      element("span", { class: "kind-name" }, kindWords(kind, this.connection.games)),
      element("span", { class: "kind-rating" }, ...ratingNumber(rating, provisional), element("span", { class: "soft" }, ` ±${deviation}`)),
      element("span", { class: "soft" }, matches === 1 ? "1 rated match" : `${matches} rated matches`),
    );
    return button(parts, choose, { class: "button kind-button", "aria-pressed": String(isChosen) });
  }

  /** @param {string} words */
  #refuse(words) {
    this.element.replaceChildren(
      element("div", { class: "notice" }, element("h1", {}, "No such player"), element("p", {}, words), element("a", { class: "button", href: "/leaders" }, "See the leaders")),
    );
  }
}

/**
 * @param {string} name
 * @returns {string} As it was before it became part of an address.
 */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
