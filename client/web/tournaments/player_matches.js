/** The matches of one player in a tournament, below the standings. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";
import { answerOrToast } from "../toasts.js";
import { roundTables } from "./round_tables.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Standing, TournamentPlan } from "../protocol.js" */

export class PlayerMatches {
  element = element("section", { class: "card player-matches", hidden: true, tabindex: -1 });

  /** @param {Connection} connection @param {string} tournament */
  constructor(connection, tournament) {
    this.connection = connection;
    this.tournament = tournament;
  }

  /** @param {Standing} standing @param {TournamentPlan} plan */
  async show({ player, performance = null }, plan) {
    const answer = await answerOrToast(this.connection.ask({ type: "get_tournament_matches", tournament: this.tournament, player: player.name }));
    if (answer === null) return;
    const title = gettext("Matches of {name}", { name: shownName(player.name) });
    this.element.setAttribute("aria-label", title);
    this.element.replaceChildren(
      element("h2", {}, title),
      performance === null ? "" : element("p", { class: "note" }, `${gettext("Performance")}: ${performance}`),
      answer.tables.length === 0 ? element("p", { class: "empty-note" }, gettext("No matches found.")) : element("div", { class: "table-frame" }, roundTables(answer.tables, this.connection.player?.id ?? "", plan, title)),
    );
    this.element.hidden = false;
    this.element.focus();
  }
}
