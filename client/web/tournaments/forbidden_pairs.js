/** The players of a Swiss who are kept apart, and for its organiser and moderators the form that names them. */

import { button, element, form } from "../element.js";
import { labelled } from "../form_fields.js";
import { gettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { TournamentView } from "../protocol.js" */

export class ForbiddenPairs {
  #pairs = element("ul", { class: "entries" });
  #form;
  /** What is shown, so that nothing is built again in vain. */
  #shown = "";

  /** @param {Connection} connection @param {string} tournament */
  constructor(connection, tournament) {
    this.connection = connection;
    this.tournament = tournament;
    const [one, other] = ["one", "other"].map((name) => element("input", { name, required: true, maxlength: 64, autocomplete: "off" }));
    const keepApart = async () => {
      const done = await this.#forbid([one.value.trim(), other.value.trim()], true);
      if (done !== null) one.value = other.value = "";
    };
    this.#form = form(
      { class: "tournament-order", "aria-label": gettext("Keep two players apart") },
      keepApart,
      element("p", { class: "note" }, gettext("They are not paired with each other from the next round on.")),
      labelled(gettext("Player"), one),
      labelled(gettext("Another player"), other),
      element("button", { type: "submit", class: "button" }, gettext("Keep apart")),
    );
    this.element = element("details", { class: "card tournament-orders", hidden: true }, element("summary", {}, gettext("Players kept apart")), this.#pairs, this.#form);
  }

  /** @param {TournamentView} view */
  show({ summary, forbidden = [] }) {
    const { player, restrictions } = this.connection;
    const isOrganiser = player?.registered === true && player.name === summary.by;
    const mayChange = summary.plan.kind === "swiss" && summary.status !== "over" && (isOrganiser || restrictions.role !== null);
    this.element.hidden = forbidden.length === 0 && !mayChange;
    this.#form.hidden = !mayChange;
    const names = forbidden.map(([one, other]) => /** @type {[string, string]} */ ([one.name, other.name]));
    const key = JSON.stringify([names, mayChange]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#pairs.replaceChildren(...names.map((pair) => this.#entry(pair, mayChange)));
  }

  /** @param {[string, string]} pair @param {boolean} mayChange */
  #entry(pair, mayChange) {
    const words = gettext("{name} and {other}", { name: pair[0], other: pair[1] });
    const label = gettext("Let {name} and {other} meet again", { name: pair[0], other: pair[1] });
    return element("li", { class: "entry" }, words, mayChange ? button(gettext("Let them meet"), () => this.#forbid(pair, false), { class: "button quiet small", "aria-label": label }) : null);
  }

  /** @param {[string, string]} players @param {boolean} on */
  #forbid(players, on) {
    return answerOrToast(this.connection.ask({ type: "forbid_pairing", tournament: this.tournament, players, on }));
  }
}
