/** The rounds of a tournament: the tables of a chosen round, the cross table of a round robin, or the bracket of a knockout. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { bracket } from "./bracket.js";
import { crossTable } from "./cross_table.js";
import { roundTables } from "./round_tables.js";

/** @import { TournamentPlan, TournamentTable, TournamentView } from "../protocol.js" */

export class RoundsView {
  element = element("section", { class: "card", "aria-label": gettext("Rounds"), hidden: true });
  /** The round that the reader has chosen; the latest without a choice. */
  #chosen = 0;
  /** @type {TournamentView | null} */
  #view = null;
  /** What is shown, so that nothing is built again in vain. */
  #shown = "";
  #own = "";

  /** @param {TournamentView} view @param {string} own The reader's identity. */
  show(view, own) {
    [this.#view, this.#own] = [view, own];
    this.element.hidden = (view.tables ?? []).length === 0;
    if (!this.element.hidden) this.#show(view);
  }

  /** @param {TournamentView} view */
  #show({ summary: { plan, round = 0 }, standings, tables = [] }) {
    const key = JSON.stringify([this.#chosen, this.#own, plan.kind === "round_robin" ? standings.map(({ player }) => player.id) : round, tables]);
    if (key === this.#shown) return;
    this.#shown = key;
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.element.replaceChildren(...(plan.kind === "knockout" ? [element("h2", {}, gettext("Bracket")), ...bracket(tables)] : this.#rounds(round, tables, plan)));
    if (plan.kind === "round_robin") this.element.append(element("h2", {}, gettext("Cross table")), element("div", { class: "table-frame" }, crossTable(standings, tables)));
    const again = [...this.element.querySelectorAll("a, button")].find(({ textContent }) => textContent === focused);
    if (focused && again instanceof HTMLElement) again.focus();
  }

  /** @param {number} latest @param {TournamentTable[]} tables @param {TournamentPlan} plan */
  #rounds(latest, tables, plan) {
    const shown = this.#chosen || latest;
    const choices = Array.from({ length: latest }, (_, index) => index + 1).map((round) =>
      button(String(round), () => this.#choose(round), { "aria-pressed": String(round === shown), "aria-label": gettext("Round {round}", { round }) }),
    );
    return [
      element("h2", {}, gettext("Round {round}", { round: shown })),
      ...(latest > 1 ? [element("nav", { class: "round-choice", "aria-label": gettext("Rounds") }, ...choices)] : []),
      element("div", { class: "table-frame" }, roundTables(tables.filter(({ round }) => round === shown), this.#own, plan)),
    ];
  }

  /** @param {number} round */
  #choose(round) {
    this.#chosen = round === this.#view?.summary.round ? 0 : round;
    if (this.#view !== null) this.#show(this.#view);
  }
}
