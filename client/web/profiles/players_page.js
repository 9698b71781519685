/**
 * The players page: a search by the start of a name, followed players, online players with the matches they play, and
 * bots to play.
 */

import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { BoardList } from "../spectating/board_list.js";
import { answerOrToast } from "../toasts.js";
import { BotsToPlay } from "./bots_to_play.js";
import { playerRow } from "./player_row.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { FollowedPlayers, OnlinePlayers, PlayerStatus } from "../protocol.js" */

const SEARCH_AFTER_MS = 200;
const MIN_LETTERS = 2;
/** Maximum number of online players' matches shown as boards. */
const MAX_BOARDS = 6;

export class PlayersPage {
  #followed = new Section(gettext("Following"), gettext("You follow nobody yet. Find a player and press Follow on their profile."));
  #people = new Section(gettext("Online"), gettext("Players with an account appear here while they are online."));
  #bots = new Section(gettext("Bots online"), "");
  #boards;
  #playing;
  #botsToPlay;
  #found = element("ul", { class: "player-list", "aria-label": gettext("Search results") });
  #foundNote = element("p", { class: "note", role: "status" });
  #guests = element("p", { class: "note" });
  #prefix = element("input", {
    type: "text",
    id: "player-search",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 20,
    placeholder: gettext("Name"),
  });
  /** @type {number | undefined} */
  #timer = undefined;
  #unfollow = () => {};
  #stopWaiting = () => {};

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} navigate */
  constructor(connection, _id, navigate) {
    this.connection = connection;
    this.#boards = new BoardList(connection);
    this.#playing = element("section", { class: "card live", "aria-label": gettext("Playing now"), hidden: true }, element("h2", {}, gettext("Playing now")), this.#boards.element);
    this.#botsToPlay = new BotsToPlay(connection, navigate);
    this.#people.element.append(this.#guests);
    this.#bots.element.hidden = true;
    this.element = element(
      "div",
      { class: "ratings-page players-page" },
      element("h1", {}, gettext("Players")),
      element(
        "search",
        { class: "card player-search" },
        element("label", { for: "player-search" }, gettext("Find a player")),
        this.#prefix,
        this.#foundNote,
        this.#found,
      ),
      element("div", { class: "player-columns" }, this.#followed.element, element("div", { class: "player-column" }, this.#people.element, this.#bots.element)),
      this.#playing,
      this.#botsToPlay.element,
    );
    this.#prefix.addEventListener("input", () => this.#typed());
    this.onWelcome = () => this.#welcome();
  }

  open() {
    document.title = `${gettext("Players")} · Millrace`;
    this.connection.addEventListener("welcome", this.onWelcome);
    this.#unfollow = this.connection.follow({ type: "watch_players" }, (list) => (list.type === "online_players" ? this.#showOnline(list) : this.#showFollowed(list)));
    this.#welcome();
    this.#stopWaiting = this.connection.whenKnown(() => this.#botsToPlay.show());
  }

  close() {
    clearTimeout(this.#timer);
    this.connection.removeEventListener("welcome", this.onWelcome);
    this.#unfollow();
    this.#stopWaiting();
    this.#boards.close();
  }

  #welcome() {
    this.#followed.element.hidden = this.connection.player?.registered !== true;
  }

  /** @param {OnlinePlayers} list */
  #showOnline({ players, bots, count, guests }) {
    const line = (/** @type {PlayerStatus} */ person) => playerRow(person, this.connection, this.#challengeLink(person));
    this.#people.show(players.map(line), count);
    this.#bots.show(bots.map(line), bots.length);
    this.#bots.element.hidden = bots.length === 0;
    this.#guests.textContent = guests === 0 ? "" : ngettext("{count} guest is online.", "{count} guests are online.", guests);
    this.#showPlaying([...players, ...bots]);
  }

  /** Show the matches of online players, each once. @param {PlayerStatus[]} people */
  #showPlaying(people) {
    const boards = new Map(people.flatMap(({ match, game }) => (match === null || game === null ? [] : [[match, { match, game }]])));
    this.#boards.show([...boards.values()].slice(0, MAX_BOARDS));
    this.#playing.hidden = boards.size === 0;
  }

  /** @param {FollowedPlayers} list */
  #showFollowed({ players }) {
    const lines = players.map((person) => playerRow(person, this.connection, this.#unfollowButton(person)));
    this.#followed.show(lines, players.filter(({ online }) => online).length);
  }

  /** @param {PlayerStatus} person */
  #challengeLink({ player }) {
    if (player.id === this.connection.player?.id) return null;
    return element("a", { class: "button quiet", href: `/challenge/${encodeURIComponent(player.name)}`, "aria-label": gettext("Challenge {name}", { name: player.name }) }, gettext("Challenge"));
  }

  /** @param {PlayerStatus} person */
  #unfollowButton({ player }) {
    const unfollow = () => answerOrToast(this.connection.ask({ type: "follow", player: player.id, on: false }));
    return button(gettext("Unfollow"), unfollow, { class: "button quiet", "aria-label": gettext("Unfollow {name}", { name: player.name }) });
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), SEARCH_AFTER_MS);
  }

  async #search() {
    const prefix = this.#prefix.value.trim();
    if (!/^[A-Za-z0-9_-]*$/.test(prefix)) return this.#showFound([], gettext("Names contain only letters, digits, hyphens and underscores."));
    if (prefix.length < MIN_LETTERS) return this.#showFound([], "");
    const answer = await answerOrToast(this.connection.ask({ type: "find_players", prefix }));
    if (answer === null || prefix !== this.#prefix.value.trim()) return;
    this.#showFound(answer.players, answer.players.length === 0 ? gettext("No player’s name starts with this.") : "");
  }

  /** @param {PlayerStatus[]} people @param {string} words */
  #showFound(people, words) {
    this.#foundNote.textContent = words;
    this.#found.replaceChildren(...people.map((person) => playerRow(person, this.connection)));
  }
}

/** A titled list that keeps the focus where it was while it changes. */
class Section {
  #list = element("ul", { class: "player-list" });
  #count = element("span", { class: "count" });

  /** @param {string} title @param {string} empty */
  constructor(title, empty) {
    this.empty = element("p", { class: "note" }, empty);
    this.element = element("section", { class: "card live", "aria-label": title }, element("h2", {}, `${title} `, this.#count), this.empty, this.#list);
  }

  /** @param {HTMLElement[]} lines @param {number} count */
  show(lines, count) {
    const focused = document.activeElement;
    const person = focused?.closest("[data-player]")?.getAttribute("data-player");
    const label = focused?.textContent;
    const isHere = this.#list.contains(focused);
    this.#list.replaceChildren(...lines);
    this.#count.textContent = count > 0 ? String(count) : "";
    this.empty.hidden = lines.length > 0;
    if (!isHere || !person) return;
    const again = [...this.#list.querySelectorAll(`[data-player="${CSS.escape(person)}"] :is(a, button)`)].find((node) => node.textContent === label);
    if (again instanceof HTMLElement) again.focus();
  }
}
