/**
 * Matches to watch on the start page: the featured match of the chosen game, and the first live matches.
 */

import { element } from "../element.js";
import { liveRow, showRows } from "../spectating/live_row.js";
import { SmallBoard } from "../spectating/small_board.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, MatchSummary } from "../protocol.js" */

const MAX_SHOWN = 8;

export class LiveMatchList {
  #list = element("ul", { class: "entries" });
  #empty = element("p", { class: "note" }, "Your match appears here for others to watch, if you start one.");
  #featured = element("div", { class: "start-featured" });
  #more = element("p", { class: "live-more" }, element("a", { href: "/watch" }, "All live matches"));
  /** @type {SmallBoard | null} */
  #small = null;

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = element(
      "section",
      { class: "card live", "aria-label": "Live matches" },
      element("h2", {}, "Watch live"),
      this.#featured,
      this.#empty,
      this.#list,
      this.#more,
    );
  }

  close() {
    this.#small?.close();
    this.#small = null;
  }

  /** @param {GameInfo} game */
  choose(game) {
    if (game.name === this.#small?.game.name) return;
    this.close();
    this.#small = new SmallBoard(this.connection, game);
    const bots = element("a", { href: `/watch/${game.name}` }, "Watch bots play");
    this.#featured.replaceChildren(this.#small.element, bots);
    this.#small.open();
  }

  /** @param {MatchSummary[]} matches */
  show(matches) {
    const { games } = this.connection;
    this.#empty.hidden = matches.length > 0;
    showRows(this.#list, matches.slice(0, MAX_SHOWN).map((match) => liveRow(match, games, games.length > 1)));
  }
}
