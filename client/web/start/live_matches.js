/** Matches to watch on the start page: the featured match of the chosen game, and the first live matches. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { liveRow, showRows } from "../spectating/live_row.js";
import { SmallBoard } from "../spectating/small_board.js";
import { drawShowcase } from "./game_cards.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, MatchSummary } from "../protocol.js" */

const MAX_SHOWN = 4;

export class LiveMatchList {
  #list = element("ul", { class: "entries" });
  #others = element(
    "div",
    { class: "card live", hidden: true },
    element("h2", {}, gettext("Matches in progress")),
    this.#list,
    element("p", { class: "live-more" }, element("a", { href: "/watch" }, gettext("All live matches"))),
  );
  #featured = element("div", { class: "start-featured" });
  /** @type {SmallBoard | null} */
  #small = null;

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = element(
      "section",
      { class: "start-live", "aria-label": gettext("Live matches") },
      this.#featured,
      this.#others,
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
    this.#small = new SmallBoard(this.connection, game, true);
    const picture = element("span", { class: "small-picture" });
    this.#featured.replaceChildren(
      element("p", { class: "live-label" }, gettext("Live now")),
      this.#small.element,
      element("a", { class: "card featured-empty", href: `/watch/${game.name}` }, picture, gettext("Watch two bots play.")),
    );
    this.#small.open();
    drawShowcase(this.connection, game).then((board) => board !== null && picture.replaceChildren(board));
  }

  /** @param {MatchSummary[]} matches */
  show(matches) {
    const { games } = this.connection;
    const played = matches.filter(({ exhibition }) => !exhibition);
    this.#others.hidden = played.length === 0;
    showRows(this.#list, played.slice(0, MAX_SHOWN).map((match) => liveRow(match, games, games.length > 1)));
  }
}
