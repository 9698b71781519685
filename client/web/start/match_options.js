/**
 * The options of a new match against bots or friends: players, colour, start position and clock; it remembers the last
 * choices.
 */

import { seatColour, seatName } from "../board/seat_colours.js";
import { clockText } from "../clock_texts.js";
import { element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { seatPlans } from "../match/seat_plans.js";
import { recall, remember } from "../storage.js";
import { choiceRow, chosenValue } from "./choice_row.js";
import { clockOptions, CLOCKS, DEFAULT_CLOCK } from "./clock_choices.js";
import { StartPosition } from "./start_position.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Unnumbered } from "../connection/questions.js" */
/** @import * as Messages from "../protocol.js" */
/** @import { ClockSettings, GameInfo, Level } from "../protocol.js" */
/** @import { Choice } from "./choice_row.js" */

/** @typedef {"bot" | "friend"} Opponent */
/** @typedef {Unnumbered<Messages.Create>} Create */

/** Time limits for the whole match in minutes, in games that support one; null for none. @type {(number | null)[]} */
const MATCH_LIMITS = [null, 10, 20, 40, 60];
/** The opponents' time in minutes; 0 for the same as one's own. */
const ODDS = [0, 1, 3, 5, 10, 15, 30, 60];
const RANDOM = "random";

export class MatchOptions {
  #colours;
  #start;

  /** @param {Connection} connection @param {GameInfo} game @param {Opponent} opponent @param {() => void} onChange */
  constructor(connection, game, opponent, onChange) {
    this.game = game;
    this.#start = new StartPosition(connection, game);
    this.opponent = opponent;
    this.onChange = onChange;
    this.seats = Math.min(...game.seats);
    this.#colours = element("div", { class: "slot" });
    this.element = element(
      "div",
      { class: "match-options" },
      game.seats.length > 1 ? this.#options("seats", gettext("Players"), this.#seatOptions(), String(this.seats)) : null,
      this.#colours,
      this.#options("clock", gettext("Clock"), clockOptions(opponent === "bot"), opponent === "bot" ? "0" : DEFAULT_CLOCK),
      opponent === "friend" ? this.#options("odds", gettext("Opponents’ time"), oddsOptions(), "0") : null,
      game.has_match_limit ? this.#options("limit", gettext("Time limit"), limitOptions(), "0") : null,
      this.#start.element,
    );
    this.#showColours();
    this.#showTimes();
    this.element.addEventListener("change", (event) => this.#changed(event));
  }

  /** Choose two players, for a challenge. */
  chooseTwo() {
    const forTwo = this.element.querySelector(`input[name="${this.opponent}-seats"][value="2"]`);
    if (!(forTwo instanceof HTMLInputElement) || forTwo.checked) return;
    forTwo.checked = true;
    this.#showColours();
  }

  /** The chosen options as text, such as `2 players · random colour · untimed`. */
  get summary() {
    const clock = this.#clock();
    const colour = this.#chosen("colour") ?? RANDOM;
    return [
      this.game.seats.length > 1 ? gettext("{seats} players", { seats: this.seats }) : null,
      colour === RANDOM ? gettext("random colour") : gettext("you are {colour}", { colour: seatName(this.game, Number(colour)) }),
      clockText(clock),
    ]
      .filter((fact) => fact !== null)
      .join(" · ");
  }

  /**
   * @param {Level} level The bots' level; no matter against friends.
   * @returns {Create} The command that creates the match.
   */
  command(level) {
    const colour = this.#chosen("colour") ?? RANDOM;
    const own = colour === RANDOM ? 0 : Number(colour);
    const { odds_ms } = this;
    const plans = seatPlans(this.seats, own, this.opponent, level);
    const seats = odds_ms === 0 ? plans : plans.map((plan) => (plan.occupant === "open" ? { ...plan, initial_ms: odds_ms } : plan));
    const { setup } = this.#start;
    return { type: "create", game: this.game.name, seats, setup, clock: this.#clock(), shuffle: colour === RANDOM };
  }

  #seatOptions() {
    return this.game.seats.map((count) => ({ value: String(count), label: String(count), title: ngettext("you and {count} more", "you and {count} more", count - 1) }));
  }

  #showColours() {
    this.seats = Number(this.#chosen("seats") ?? this.seats);
    this.#start.show(this.seats);
    const seats = Array.from({ length: this.seats }, (_, seat) => ({
      value: String(seat),
      label: seatName(this.game, seat),
      title: seat === 0 ? gettext("moves first") : "",
      man: seatColour(this.game, seat),
    }));
    const random = { value: RANDOM, label: gettext("Random"), title: gettext("drawn at random") };
    this.#colours.replaceChildren(this.#options("colour", gettext("Your colour"), [...seats, random], RANDOM));
  }

  /**
   * A row of choices that remembers the last one.
   * @param {string} name
   * @param {string} label
   * @param {Choice[]} choices
   * @param {string} fallback
   */
  #options(name, label, choices, fallback) {
    const recalled = recall(this.#key(name));
    const chosen = choices.some(({ value }) => value === recalled) ? (recalled ?? fallback) : fallback;
    return choiceRow(`${this.opponent}-${name}`, name, label, choices, chosen);
  }

  /** @param {Event} event */
  #changed(event) {
    if (!(event.target instanceof HTMLInputElement) || event.target.type !== "radio") return;
    const name = event.target.name.split("-")[1];
    remember(this.#key(name), event.target.value);
    if (name === "seats") this.#showColours();
    if (name === "clock") this.#showTimes();
    this.onChange();
  }

  /** Only timed matches other than correspondence can have a time limit, or time odds. */
  #showTimes() {
    const clock = this.#clock();
    for (const options of this.element.querySelectorAll(".options-limit, .options-odds")) {
      if (options instanceof HTMLElement) options.hidden = clock === null || clock.renews === true;
    }
  }

  /** The opponents' time, if it is not the clock's; 0 otherwise. */
  get odds_ms() {
    const clock = this.#clock();
    const odds_ms = ODDS[Number(this.#chosen("odds") ?? 0)] * 60_000;
    return clock === null || clock.renews || odds_ms === clock.initial_ms ? 0 : odds_ms;
  }

  /** @returns {ClockSettings | null} */
  #clock() {
    const clock = CLOCKS[Number(this.#chosen("clock") ?? 0)];
    if (clock === null || clock.renews) return clock;
    const limit = MATCH_LIMITS[Number(this.#chosen("limit") ?? 0)];
    return { ...clock, match_limit_ms: limit === null ? null : limit * 60_000 };
  }

  /** @param {string} name */
  #key(name) {
    return `millrace.${this.game.name}.${this.opponent}.${name}`;
  }

  /** @param {string} name @returns {string | null} */
  #chosen(name) {
    return chosenValue(this.element, `${this.opponent}-${name}`);
  }
}

function oddsOptions() {
  return ODDS.map((minutes, index) => ({
    value: String(index),
    label: minutes === 0 ? "=" : String(minutes),
    title: minutes === 0 ? gettext("as much as you") : ngettext("{count} minute; the match is casual", "{count} minutes; the match is casual", minutes),
  }));
}

function limitOptions() {
  return MATCH_LIMITS.map((minutes, index) => ({
    value: String(index),
    label: minutes === null ? "∞" : String(minutes),
    title: minutes === null ? gettext("no limit") : gettext("{minutes} minutes for the whole match", { minutes }),
  }));
}
