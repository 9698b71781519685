/** The form that creates a tournament. */

import { clockText, DAY_MS } from "../clock_texts.js";
import { element, form } from "../element.js";
import { labelled } from "../form_fields.js";
import { gettext, ngettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { hostSeatText } from "./tournament_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ClockSettings, GameInfo, TournamentKind, TournamentPlan } from "../protocol.js" */

/** @type {ClockSettings[]} */
const CLOCKS = [plus(1, 0), plus(1, 2), plus(3, 0), plus(3, 2), plus(5, 0), plus(5, 3), plus(10, 0), plus(10, 5), plus(15, 10)];
const DEFAULT_CLOCK = 3;
const PAUSES_S = [10, 30, 60, 120, 300];
/** Minutes until the start. */
const WAITS = [0, 5, 15, 30, 60, 180];
/** @type {TournamentKind[]} */
const IN_ROUNDS = ["swiss", "round_robin", "knockout"];
/** @type {TournamentKind[]} */
const BY_CORRESPONDENCE = ["swiss", "round_robin"];
const DAYS = [1, 2, 3, 5, 7, 14];
const EXTRA_MINUTES = [0, 5, 10, 20, 30, 60];
/** @type {NonNullable<TournamentPlan["host_seat"]>[]} */
const HOST_SEATS = ["alternating", "first", "second"];

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
      labelled(gettext("Kind"), element("select", { name: "kind", onchange: () => showFor(node, games) }, ...kindNames().map(([kind, words]) => option(kind, words)))),
      labelled(gettext("Name"), element("input", { name: "name", required: true, minlength: 2, maxlength: 60 })),
      labelled(gettext("Game"), element("select", { name: "game", onchange: () => showFor(node, games) }, ...games.map(({ name, title }) => option(name, title)))),
      labelled(gettext("Clock"), element("select", { name: "clock" }, ...CLOCKS.map((clock, index) => option(index, clockText(clock), index === DEFAULT_CLOCK)))),
      only(BY_CORRESPONDENCE, labelled(gettext("By correspondence"), element("select", { name: "days" }, option(0, gettext("No")), ...DAYS.map((days) => option(days, clockText(daysEach(days))))))),
      only(BY_CORRESPONDENCE, labelled(gettext("Days for each round"), element("input", { name: "round_days", type: "number", value: 0, min: 0, max: 60, title: gettext("0: until its last match ends") }))),
      only(["arena"], labelled(gettext("Players at a table"), element("select", { name: "seats", onchange: () => showFor(node, games) }, ...[2, 3, 4].map((seats) => option(seats, String(seats)))))),
      only(["arena"], labelled(gettext("Minutes"), element("input", { name: "minutes", type: "number", value: 60, required: true }))),
      only(["swiss"], labelled(gettext("Rounds"), element("input", { name: "rounds", type: "number", value: 5, min: 3, max: 15, required: true }))),
      only(["knockout"], labelled(gettext("Matches of an encounter"), element("select", { name: "best_of" }, ...[1, 2, 3, 4, 5, 7].map((count) => option(count, bestOfText(count), count === 2))))),
      only([...IN_ROUNDS, "arena"], labelled(gettext("Pause between rounds"), element("select", { name: "pause" }, ...PAUSES_S.map((seconds) => option(seconds, ngettext("{count} second", "{count} seconds", seconds), seconds === 30)))), [3, 4]),
      only(["simul"], labelled(gettext("More time for you"), element("select", { name: "extra_minutes" }, ...EXTRA_MINUTES.map((minutes) => option(minutes, ngettext("{count} minute", "{count} minutes", minutes), minutes === 10))))),
      only(["simul"], labelled(gettext("Your seats"), element("select", { name: "host_seat" }, ...HOST_SEATS.map((seat) => option(seat, hostSeatText(seat)))))),
      labelled(gettext("Start"), element("select", { name: "wait" }, ...WAITS.map((minutes) => option(minutes, waitText(minutes), minutes === 5)))),
      labelled(gettext("Or at"), element("input", { name: "at", type: "datetime-local" })),
      element(
        "details",
        {},
        element("summary", {}, gettext("More options")),
        only(["arena", ...IN_ROUNDS], check("rated", gettext("Rated"), true)),
        only(["arena"], check("berserk", gettext("Players may halve their time"), true), [2]),
        only(["arena"], check("duplicate", gettext("Duplicate: rank players only by their cells compared with others in the same seats"), false), [3, 4]),
        only(["round_robin"], check("twice", gettext("Everybody meets everybody twice"), false)),
        only(["knockout"], check("second_life", gettext("The second defeat eliminates"), false)),
        check("bots", gettext("Bots may join"), false),
        labelled(gettext("Password"), element("input", { name: "password", maxlength: 64, autocomplete: "off" })),
        labelled(gettext("Minimum rating"), element("input", { name: "least", type: "number", min: 0, max: 5000 })),
        labelled(gettext("Maximum rating"), element("input", { name: "most", type: "number", min: 0, max: 5000 })),
        labelled(gettext("Minimum rated matches"), element("input", { name: "matches", type: "number", min: 0, max: 1000, value: 0 })),
        labelled(gettext("Description"), element("input", { name: "description", maxlength: 500 })),
      ),
      element("button", { class: "button primary" }, gettext("Create")),
    );
    showFor(node, games);
    this.element = element("details", { class: "card new-tournament" }, element("summary", {}, gettext("Create a tournament")), node);
  }

  /** @param {HTMLFormElement} node */
  async #create(node) {
    const fields = new FormData(node);
    const text = (/** @type {string} */ name) => String(fields.get(name) ?? "").trim();
    const [least, most] = [text("least"), text("most")];
    const kind = /** @type {TournamentKind} */ (text("kind"));
    /** @type {TournamentPlan} */
    const plan = {
      kind,
      name: text("name"),
      game: text("game"),
      clock: BY_CORRESPONDENCE.includes(kind) && text("days") !== "0" ? daysEach(Number(text("days"))) : CLOCKS[Number(text("clock"))],
      starts_at_ms: this.#startOf(text("at"), Number(text("wait"))),
      minutes: kind === "arena" ? Number(text("minutes")) : 0,
      rounds: kind === "swiss" ? Number(text("rounds")) : 0,
      pause_s: Number(text("pause")),
      round_days: text("days") === "0" ? 0 : Number(text("round_days")),
      best_of: Number(text("best_of")),
      double: (kind === "round_robin" && fields.has("twice")) || (kind === "knockout" && fields.has("second_life")),
      extra_minutes: kind === "simul" ? Number(text("extra_minutes")) : 0,
      host_seat: /** @type {TournamentPlan["host_seat"]} */ (text("host_seat")),
      rated: fields.has("rated"),
      berserk: fields.has("berserk"),
      seats: kind === "arena" ? Number(text("seats")) : 2,
      duplicate: fields.has("duplicate"),
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

/** @returns {[TournamentKind, string][]} */
function kindNames() {
  return [
    ["arena", gettext("Arena")],
    ["swiss", gettext("Swiss")],
    ["round_robin", gettext("Round robin")],
    ["knockout", gettext("Knockout")],
    ["simul", gettext("Simultaneous exhibition")],
  ];
}

/** @param {TournamentKind[]} kinds @param {HTMLElement} field @param {number[]} seats Of an arena. */
function only(kinds, field, seats = [2, 3, 4]) {
  field.dataset.kinds = kinds.join(" ");
  field.dataset.seats = seats.join(" ");
  return field;
}

/** Show the fields of the chosen kind, and the seats of the chosen game; hidden ones are not sent. @param {HTMLFormElement} node @param {GameInfo[]} games */
function showFor(node, games) {
  const [kind, game, seats] = ["kind", "game", "seats"].map((name) => /** @type {HTMLSelectElement} */ (node.elements.namedItem(name)));
  const possible = games.find(({ name }) => name === game.value)?.seats ?? [2];
  for (const option of seats.options) option.hidden = option.disabled = !possible.includes(Number(option.value));
  if (seats.selectedOptions[0].disabled) seats.value = "2";
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll("[data-kinds]"))) {
    const isOfKind = field.dataset.kinds?.split(" ").includes(kind.value);
    field.hidden = !isOfKind || (kind.value === "arena" && !field.dataset.seats?.split(" ").includes(seats.value));
    for (const input of field.querySelectorAll("input")) input.disabled = field.hidden;
  }
}

/** @param {number} count */
function bestOfText(count) {
  return count === 1 ? gettext("One match") : gettext("best of {count}", { count });
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

/** @param {number} days For each move. @returns {ClockSettings} */
function daysEach(days) {
  return { initial_ms: days * DAY_MS, renews: true };
}

/** @param {number} minutes @param {number} seconds Added by each move. @returns {ClockSettings} */
function plus(minutes, seconds) {
  return { initial_ms: minutes * 60_000, increment_ms: seconds * 1_000 };
}
