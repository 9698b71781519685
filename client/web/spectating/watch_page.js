/**
 * The watch page: the featured match of each game, live matches, and those that have just ended.
 *
 * The first live matches are shown as boards, the others as rows.
 */

import { agoText } from "../dates.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { recall, remember } from "../storage.js";
import { BoardList } from "./board_list.js";
import { liveNote, liveRow, showRows } from "./live_row.js";
import { SmallBoard } from "./small_board.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, LivePage, MatchSummary } from "../protocol.js" */

const GAME_KEY = "millrace.watch.game";
/** Maximum numbers of live matches and of ended matches shown as boards. */
const MAX_BOARDS = 6;
const MAX_ENDED = 3;

export class WatchPage {
  #picker = element("div", { class: "game-picker", role: "group", "aria-label": gettext("Game") });
  #boards = element("section", { class: "featured-boards", "aria-label": gettext("Featured") });
  #boardList;
  #list = element("ul", { class: "entries live-rows" });
  #endedList;
  #ended;
  /** The latest list. @type {MatchSummary[]} */
  #matches = [];
  #count = element("span", { class: "count" });
  #empty = element("p", { class: "note" });
  #place = element("span", { class: "pager-place" });
  #before = button(gettext("Previous"), () => this.#turnTo(this.#page - 1));
  #after = button(gettext("Next"), () => this.#turnTo(this.#page + 1));
  #pager = element("nav", { class: "pager", "aria-label": gettext("Pages") }, this.#before, this.#place, this.#after);
  /** @type {SmallBoard[]} */
  #small = [];
  #page = 0;
  #unfollow = () => {};
  #stopWaiting = () => {};

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} _navigate */
  constructor(connection, _id, _navigate) {
    this.connection = connection;
    this.#boardList = new BoardList(connection);
    this.#endedList = new BoardList(connection);
    this.#ended = element("section", { class: "just-finished", "aria-label": gettext("Just finished"), hidden: true }, element("h2", {}, gettext("Just finished")), this.#endedList.element);
    this.element = element(
      "div",
      { class: "watch-page", hidden: true },
      element("h1", {}, gettext("Watch")),
      this.#picker,
      this.#boards,
      element(
        "section",
        { class: "card live", "aria-label": gettext("Live matches") },
        element("h2", {}, gettext("Live matches"), " ", this.#count),
        this.#empty,
        this.#boardList.element,
        this.#list,
        this.#pager,
      ),
      this.#ended,
    );
  }

  open() {
    document.title = `${gettext("Watch")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#choose());
  }

  close() {
    this.#stopWaiting();
    this.#unfollow();
    this.#boardList.close();
    this.#endedList.close();
    for (const small of this.#small) small.close();
  }

  /** The chosen game; null for all. @returns {GameInfo | null} */
  get #game() {
    return this.connection.games.find(({ name }) => name === recall(GAME_KEY)) ?? null;
  }

  /** Show the matches of the chosen game. */
  #choose() {
    const { games } = this.connection;
    const chosen = this.#game;
    this.element.hidden = false;
    const choices = [null, ...games].map((game) =>
      button(game?.title ?? gettext("All games"), () => this.#pick(game), { "aria-pressed": String(game === chosen), "data-game": game?.name ?? "" }),
    );
    this.#picker.replaceChildren(...choices);
    for (const small of this.#small) small.close();
    this.#small = (chosen === null ? games : [chosen]).map((game) => new SmallBoard(this.connection, game, true));
    this.#boards.replaceChildren(...this.#small.map((small) => featuredTile(small)));
    for (const small of this.#small) {
      small.onChange = () => this.#draw();
      small.open();
    }
    this.#turnTo(0);
    this.#showEnded();
  }

  /** @param {GameInfo | null} game */
  #pick(game) {
    remember(GAME_KEY, game?.name ?? "");
    this.#choose();
    const again = this.#picker.querySelector(`[data-game="${game?.name ?? ""}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {number} page */
  #turnTo(page) {
    this.#page = page;
    this.#unfollow = this.connection.follow({ type: "watch_live", game: this.#game?.name ?? null, page }, (list) => this.#show(list));
  }

  /** @param {LivePage} list */
  #show({ game, page, pages, total, matches }) {
    if (game !== (this.#game?.name ?? null) || page !== this.#page) return;
    // The last page may have become empty.
    if (page >= pages) return this.#turnTo(pages - 1);
    this.#count.textContent = total > 0 ? String(total) : "";
    this.#empty.hidden = total > 0;
    this.#empty.textContent = this.#game === null ? gettext("No live matches at the moment. Start one, and others can watch it here.") : gettext("No live matches of {game} at the moment. Start one, and others can watch it here.", { game: this.#game.title });
    this.#matches = matches;
    this.#draw();
    this.#pager.hidden = pages < 2;
    this.#place.textContent = gettext("Page {page} of {pages}", { page: page + 1, pages });
    this.#before.disabled = page === 0;
    this.#after.disabled = page + 1 >= pages;
  }

  /** Show the live matches: as boards, unless they are featured above. */
  #draw() {
    const { games } = this.connection;
    const featured = this.#small.map(({ match }) => match);
    const boards = this.#matches.filter(({ match }) => !featured.includes(match)).slice(0, MAX_BOARDS);
    this.#boardList.show(boards.map((summary) => ({ match: summary.match, game: summary.game, note: liveNote(summary, games) })));
    const rows = this.#matches.filter((summary) => !boards.includes(summary));
    showRows(this.#list, rows.map((match) => liveRow(match, games, this.#game === null)));
  }

  /** Show the matches that ended last. */
  async #showEnded() {
    const game = this.#game?.name;
    const found = await this.connection.ask({ type: "search_matches", game }).catch(() => null);
    if (found === null || game !== this.#game?.name || !this.element.isConnected) return;
    const featured = this.#small.map(({ match }) => match);
    const ended = found.matches.filter(({ match }) => !featured.includes(match)).slice(0, MAX_ENDED);
    this.#endedList.show(ended.map((past) => ({ match: past.match, game: past.game, note: agoText(past.ended_ms, this.connection.now_ms()) })));
    this.#ended.hidden = ended.length === 0;
  }
}

/** A small board or, without a featured match, a link to watch bots. @param {SmallBoard} small */
function featuredTile(small) {
  const { name, title } = small.game;
  return element(
    "div",
    { class: "featured-tile" },
    small.element,
    element("a", { class: "card featured-empty", href: `/watch/${name}` }, element("strong", {}, title), element("span", {}, gettext("Watch two bots play it."))),
  );
}
