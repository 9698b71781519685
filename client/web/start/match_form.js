/**
 * The form that creates a match against bots or friends; it remembers the last choices.
 */

import { seatColour, seatName } from "../board/seat_colours.js";
import { element } from "../element.js";
import { seatPlans } from "../match/seat_plans.js";
import { levelText, personalityText } from "../players/bot_texts.js";
import { parseLevel } from "../players/level_select.js";
import { recall, remember } from "../storage.js";
import { choiceRow, chosenValue } from "./choice_row.js";
import { clockOptions, CLOCKS, DEFAULT_CLOCK } from "./clock_choices.js";
import { InvitationOptions } from "./invitation_options.js";
import { StartPosition } from "./start_position.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { ClockSettings, GameInfo } from "../protocol.js" */
/** @import { Choice } from "./choice_row.js" */

/** @typedef {"bot" | "friend"} Opponent */

/** Time limits for the whole match in minutes, in games that support one; null for none. @type {(number | null)[]} */
const MATCH_LIMITS = [null, 10, 20, 40, 60];
const RANDOM = "random";
const DEFAULT_LEVEL = "3";

const TITLES = { bot: "Play a bot", friend: "Invite a friend" };
const NOTES = { bot: "It answers at once and never gets tired of waiting.", friend: "Send a link, challenge a player by name, or list the match for anyone." };

export class MatchForm {
  /**
   * @param {Connection} connection
   * @param {GameInfo} game
   * @param {Opponent} opponent
   * @param {(command: Command) => void} onCreate
   */
  constructor(connection, game, opponent, onCreate) {
    this.game = game;
    this.#start = new StartPosition(connection, game);
    this.opponent = opponent;
    this.seats = Math.min(...game.seats);
    this.#colours = element("div", { class: "slot" });
    this.#friend = opponent === "friend" ? new InvitationOptions(connection) : null;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      onCreate(this.#command());
    };
    this.element = element(
      "form",
      { class: `card for-${opponent}`, "aria-label": TITLES[opponent], onsubmit: submit },
      element("h2", {}, TITLES[opponent]),
      element("p", { class: "note" }, NOTES[opponent]),
      game.seats.length > 1 ? this.#options("seats", "Players", this.#seatOptions(), String(this.seats)) : null,
      opponent === "bot" ? this.#options("level", "Level", this.#levelOptions(), DEFAULT_LEVEL) : null,
      this.#start.element,
      this.#colours,
      this.#options("clock", "Clock", clockOptions(opponent === "bot"), opponent === "bot" ? "0" : DEFAULT_CLOCK),
      game.has_match_limit ? this.#options("limit", "Time limit", limitOptions(), "0") : null,
      this.#friend?.element ?? null,
      this.#friend?.submit ?? element("button", { type: "submit", class: "button primary big" }, "Play"),
    );
    this.#showColours();
    this.#showLimit();
    this.element.addEventListener("change", (event) => this.#changed(event));
  }

  /** Prepare a challenge, for two players. @param {string} name The challenged account. */
  challenge(name) {
    const forTwo = this.element.querySelector('input[name="friend-seats"][value="2"]');
    if (forTwo instanceof HTMLInputElement && !forTwo.checked) {
      forTwo.checked = true;
      this.#showColours();
    }
    this.#friend?.challenge(name);
  }

  #colours;
  #friend;
  #start;

  #levelOptions() {
    const { levels, personalities = [] } = this.game;
    const byLevel = Array.from({ length: levels }, (_, index) => ({
      value: String(index + 1),
      label: String(index + 1),
      title: levelText(index + 1, levels),
    }));
    const byName = personalities.map((each) => ({ value: each.name, label: each.title, title: personalityText(each), isLong: true }));
    return [...byLevel, ...byName];
  }

  #seatOptions() {
    return this.game.seats.map((count) => ({ value: String(count), label: String(count), title: `you and ${count - 1} more` }));
  }

  #showColours() {
    this.seats = Number(this.#chosen("seats") ?? this.seats);
    this.#start.show(this.seats);
    const seats = Array.from({ length: this.seats }, (_, seat) => ({
      value: String(seat),
      label: seatName(this.game, seat),
      title: seat === 0 ? "moves first" : "",
      man: seatColour(this.game, seat),
    }));
    const random = { value: RANDOM, label: "Random", title: "drawn at random" };
    this.#friend?.showSeats(this.seats);
    this.#colours.replaceChildren(this.#options("colour", "Your colour", [...seats, random], RANDOM));
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
    if (name === "clock") this.#showLimit();
  }

  /** Only timed matches other than correspondence can have a time limit. */
  #showLimit() {
    const options = this.element.querySelector(".options-limit");
    const clock = this.#clock();
    if (options instanceof HTMLElement) options.hidden = clock === null || clock.renews === true;
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

  /**
   * @param {string} name
   * @returns {string | null}
   */
  #chosen(name) {
    return chosenValue(this.element, `${this.opponent}-${name}`);
  }

  /** @returns {Command} */
  #command() {
    const colour = this.#chosen("colour") ?? RANDOM;
    const own = colour === RANDOM ? 0 : Number(colour);
    const level = parseLevel(this.#chosen("level") ?? DEFAULT_LEVEL);
    const seats = seatPlans(this.seats, own, this.opponent, level);
    const { setup } = this.#start;
    return { type: "create", game: this.game.name, seats, setup, clock: this.#clock(), shuffle: colour === RANDOM, ...this.#friend?.fields };
  }
}

function limitOptions() {
  return MATCH_LIMITS.map((minutes, index) => ({
    value: String(index),
    label: minutes === null ? "∞" : String(minutes),
    title: minutes === null ? "no limit" : `${minutes} minutes for the whole match`,
  }));
}
