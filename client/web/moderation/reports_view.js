/** The open reports by player, updated live. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { CaseCard } from "./case_card.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ReportedPlayer } from "../protocol.js" */

export class ReportsView {
  #list = element("div", { class: "cases" });
  #empty = element("p", { class: "empty-note", hidden: true }, gettext("No open reports."));
  /** By player id, so that an open form stays while reports change. @type {Map<string, CaseCard>} */
  #cards = new Map();
  #unfollow = () => {};

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = element("section", { class: "reports-view", "aria-label": gettext("Open reports") }, this.#empty, this.#list);
  }

  open() {
    this.#unfollow = this.connection.follow({ type: "watch_reports" }, ({ players }) => this.#show(players));
  }

  close() {
    this.#unfollow();
  }

  /** @param {ReportedPlayer[]} cases */
  #show(cases) {
    const cards = cases.map((each) => {
      const card = this.#cards.get(each.player.id) ?? new CaseCard(this.connection);
      card.show(each);
      return /** @type {[string, CaseCard]} */ ([each.player.id, card]);
    });
    this.#cards = new Map(cards);
    const elements = cards.map(([, card]) => card.element);
    // Only if the order changed, so that the focus stays.
    if (elements.some((each, index) => this.#list.children[index] !== each) || elements.length !== this.#list.childElementCount) {
      this.#list.replaceChildren(...elements);
    }
    this.#empty.hidden = cases.length > 0;
  }
}
