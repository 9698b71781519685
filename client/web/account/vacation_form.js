/** The form for going on vacation, in which the clocks by correspondence stand still, and for coming back. */

import { dateText } from "../dates.js";
import { button, element, form } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Vacation } from "../protocol.js" */

export class VacationForm {
  #state = element("p", { role: "status" });
  #days = element("input", { type: "number", name: "vacation_days", min: 1, max: 30, value: 7, required: true });
  #start = element("button", { type: "submit", class: "button" });
  #end = button(gettext("Come back now"), () => this.#set(0), { class: "button quiet", hidden: true });

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = form(
      { class: "card account-form vacation-form", "aria-label": gettext("Vacation") },
      () => this.#set(this.#days.valueAsNumber),
      element("h2", {}, gettext("Vacation")),
      element("p", {}, gettext("While you are on vacation, your clocks by correspondence stand still. You have 30 days within a year.")),
      this.#state,
      element("label", { class: "labelled" }, element("span", {}, gettext("Days from now on")), this.#days),
      element("div", { class: "field" }, this.#start, this.#end),
    );
    void this.#load();
  }

  async #load() {
    const vacation = await answerOrToast(this.connection.ask({ type: "get_vacation" }));
    if (vacation !== null) this.#show(vacation);
  }

  /** @param {number} days */
  async #set(days) {
    const vacation = await answerOrToast(this.connection.ask({ type: "set_vacation", days }));
    if (vacation !== null) this.#show(vacation);
  }

  /** @param {Vacation} vacation */
  #show({ until_ms, left_days: left }) {
    const isAway = until_ms !== null;
    const state = isAway ? gettext("You are on vacation until {date}.", { date: dateText(until_ms) }) : gettext("You are not on vacation.");
    const days = isAway ? ngettext("After that, {count} day is left.", "After that, {count} days are left.", left) : ngettext("{count} day is left.", "{count} days are left.", left);
    this.#state.textContent = `${state} ${days}`;
    this.#start.textContent = isAway ? gettext("Change") : gettext("Go on vacation");
    this.#start.disabled = this.#days.disabled = !isAway && left === 0;
    this.#end.hidden = !isAway;
  }
}
