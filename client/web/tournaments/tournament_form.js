/** The form that creates an arena. */

import { clockText } from "../clock_texts.js";
import { element, form } from "../element.js";
import { labelled } from "../form_fields.js";
import { gettext, ngettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { TournamentPlan, ClockSettings } from "../protocol.js" */

/** @type {ClockSettings[]} */
const CLOCKS = [plus(1, 0), plus(1, 2), plus(3, 0), plus(3, 2), plus(5, 0), plus(5, 3), plus(10, 0), plus(10, 5), plus(15, 10)];
const DEFAULT_CLOCK = 3;
/** Minutes until the start. */
const WAITS = [0, 5, 15, 30, 60, 180];

export class TournamentForm {
  /** @param {Connection} connection @param {(path: string) => void} navigate */
  constructor(connection, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    const games = connection.games.filter(({ seats }) => seats.includes(2));
    const option = (/** @type {string | number} */ value, /** @type {string} */ words, isChosen = false) => element("option", { value, selected: isChosen }, words);
    const node = form(
      { class: "tournament-form" },
      () => this.#create(node),
      labelled(gettext("Name"), element("input", { name: "name", required: true, minlength: 2, maxlength: 60 })),
      labelled(gettext("Game"), element("select", { name: "game" }, ...games.map(({ name, title }) => option(name, title)))),
      labelled(gettext("Clock"), element("select", { name: "clock" }, ...CLOCKS.map((clock, index) => option(index, clockText(clock), index === DEFAULT_CLOCK)))),
      labelled(gettext("Minutes"), element("input", { name: "minutes", type: "number", value: 60, required: true })),
      labelled(gettext("Start"), element("select", { name: "wait" }, ...WAITS.map((minutes) => option(minutes, waitText(minutes), minutes === 5)))),
      labelled(gettext("Or at"), element("input", { name: "at", type: "datetime-local" })),
      element(
        "details",
        {},
        element("summary", {}, gettext("More options")),
        check("rated", gettext("Rated"), true),
        check("berserk", gettext("Players may halve their time"), true),
        check("bots", gettext("Bots may join"), false),
        labelled(gettext("Password"), element("input", { name: "password", maxlength: 64, autocomplete: "off" })),
        labelled(gettext("Minimum rating"), element("input", { name: "least", type: "number", min: 0, max: 5000 })),
        labelled(gettext("Maximum rating"), element("input", { name: "most", type: "number", min: 0, max: 5000 })),
        labelled(gettext("Minimum rated matches"), element("input", { name: "matches", type: "number", min: 0, max: 1000, value: 0 })),
        labelled(gettext("Description"), element("input", { name: "description", maxlength: 500 })),
      ),
      element("button", { class: "button primary" }, gettext("Create")),
    );
    this.element = element("details", { class: "card new-tournament" }, element("summary", {}, gettext("Create a tournament")), node);
  }

  /** @param {HTMLFormElement} node */
  async #create(node) {
    const fields = new FormData(node);
    const text = (/** @type {string} */ name) => String(fields.get(name) ?? "").trim();
    const [least, most] = [text("least"), text("most")];
    /** @type {TournamentPlan} */
    const plan = {
      name: text("name"),
      game: text("game"),
      clock: CLOCKS[Number(text("clock"))],
      starts_at_ms: this.#startOf(text("at"), Number(text("wait"))),
      minutes: Number(text("minutes")),
      rated: fields.has("rated"),
      berserk: fields.has("berserk"),
      bots: fields.has("bots"),
      ratings: least || most ? { least: Number(least || 0), most: Number(most || 5000) } : null,
      least_matches: Number(text("matches")),
      description: text("description"),
    };
    const created = await answerOrToast(this.connection.ask({ type: "create_tournament", plan, password: text("password") }));
    if (created !== null) this.navigate(`/tournament/${created.tournament}`);
  }

  /** @param {string} at By the reader's clock. @param {number} minutes */
  #startOf(at, minutes) {
    return at === "" ? Math.round(this.connection.now_ms()) + minutes * 60_000 : new Date(at).getTime();
  }
}

/** @param {number} minutes */
function waitText(minutes) {
  if (minutes === 0) return gettext("Now");
  if (minutes < 60) return ngettext("In {count} minute", "In {count} minutes", minutes);
  return ngettext("In {count} hour", "In {count} hours", minutes / 60);
}

/** @param {string} name @param {string} label @param {boolean} isOn */
function check(name, label, isOn) {
  return element("label", { class: "check" }, element("input", { type: "checkbox", name, checked: isOn }), " ", label);
}

/** @param {number} minutes @param {number} seconds Added by each move. @returns {ClockSettings} */
function plus(minutes, seconds) {
  return { initial_ms: minutes * 60_000, increment_ms: seconds * 1_000 };
}
