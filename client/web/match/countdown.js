/**
 * Countdowns besides the clocks: the time for the first move, and the wait for absent players, after which the reader
 * can claim.
 *
 * The server grants claims; nothing is claimed automatically.
 */

import { button, element, hide } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { announce } from "../toasts.js";

/** @import { ClaimOutcome } from "../connection/questions.js" */
/** @import { MatchState } from "./match_state.js" */

/** @typedef {(forSeat: number, outcome: ClaimOutcome) => void} OnClaim */

/** Error of the page's estimate of the server's clock; claims are offered this much later. */
const CLOCK_ERROR_MS = 500;

export class Countdown {
  #first = element("p", { class: "countdown-text" });
  #rows = element("div", { class: "absences" });
  element = element("section", { class: "countdown", "aria-label": gettext("Countdown"), hidden: true }, this.#first, this.#rows);
  /** @type {AbsenceRow[]} */
  #absences = [];
  #key = "";

  /** @param {OnClaim} onClaim */
  constructor(onClaim) {
    this.onClaim = onClaim;
  }

  /**
   * @param {MatchState} state
   * @param {number} now_ms By the server's clock.
   * @param {(seat: number) => string} nameOf
   */
  tick(state, now_ms, nameOf) {
    const due_ms = state.firstPlyDue_ms;
    const words = due_ms === null ? "" : firstMoveText(state, due_ms - now_ms, nameOf);
    if (this.#first.textContent !== words) this.#first.textContent = words;
    hide(this.#first, words === "");
    this.#showAbsences(state, nameOf);
    for (const absence of this.#absences) absence.tick(now_ms);
    hide(this.element, words === "" && this.#absences.length === 0);
  }

  /** @param {MatchState} state @param {(seat: number) => string} nameOf */
  #showAbsences(state, nameOf) {
    const { absences } = state;
    const key = JSON.stringify([absences, state.activeSeats.length > 0]);
    if (key === this.#key) return;
    this.#key = key;
    const isPlayer = state.activeSeats.length > 0;
    this.#absences = absences.map(({ seat, claimable_ms }) => {
      const outcomes = /** @type {ClaimOutcome[]} */ (state.players.length > 2 ? ["stand_in"] : ["win", "draw"]);
      return new AbsenceRow(nameOf(seat), claimable_ms, isPlayer ? outcomes : [], (outcome) => this.onClaim(seat, outcome));
    });
    this.#rows.replaceChildren(...this.#absences.map((absence) => absence.element));
  }
}

/** @type {Record<ClaimOutcome, string>} */
const CLAIMS = { win: later("Claim the win"), draw: later("Claim a draw"), stand_in: later("Continue without {name}") };

/** One absent player. */
class AbsenceRow {
  #words = element("p", { class: "countdown-text" });
  #buttons;
  #isWaiting = false;
  #isDue = false;

  /**
   * @param {string} name
   * @param {number} claimable_ms When claims are allowed, by the server's clock.
   * @param {ClaimOutcome[]} outcomes What the reader can claim; empty for spectators.
   * @param {(outcome: ClaimOutcome) => void} onClaim
   */
  constructor(name, claimable_ms, outcomes, onClaim) {
    this.name = name;
    this.claimable_ms = claimable_ms;
    this.outcomes = outcomes;
    const claims = outcomes.map((outcome, index) => {
      const label = gettext(CLAIMS[outcome], { name });
      return button(label, () => onClaim(outcome), { class: index === 0 ? "button primary" : "button" });
    });
    this.#buttons = element("div", { class: "extra", hidden: true }, ...claims, button(gettext("Keep waiting"), () => this.#wait(), { class: "button quiet" }));
    this.element = element("div", { class: "absence" }, this.#words, this.#buttons);
  }

  /** @param {number} now_ms */
  tick(now_ms) {
    const left_ms = this.claimable_ms + CLOCK_ERROR_MS - now_ms;
    const words = this.#textFor(left_ms);
    if (this.#words.textContent !== words) this.#words.textContent = words;
    if (left_ms > 0 || this.#isDue) return;
    this.#isDue = true;
    this.#buttons.hidden = this.outcomes.length === 0;
    if (this.outcomes.length > 0) announce(words);
  }

  /** @param {number} left_ms */
  #textFor(left_ms) {
    if (this.outcomes.length === 0) return gettext("{name} is away.", { name: this.name });
    if (left_ms > 0) return gettext("{name} is away. You can claim in {time}.", { name: this.name, time: secondsText(left_ms) });
    return this.#isWaiting ? gettext("{name} is away. You are waiting.", { name: this.name }) : gettext("{name} has been away too long. Claim, or keep waiting.", { name: this.name });
  }

  /** Keep the claims available, but less prominent. */
  #wait() {
    this.#isWaiting = true;
    this.#buttons.lastElementChild?.remove();
    this.#buttons.querySelector("button")?.classList.remove("primary");
  }
}

/** @param {MatchState} state @param {number} left_ms @param {(seat: number) => string} nameOf */
function firstMoveText(state, left_ms, nameOf) {
  const seat = state.runningSeat ?? 0;
  const isOwn = state.activeSeats.length === 1 && state.activeSeats.includes(seat);
  const time = secondsText(left_ms);
  if (isOwn) return gettext("You have {time} for the first move. The clocks start after it.", { time });
  return gettext("{name} has {time} for the first move. The clocks start after it.", { name: nameOf(seat), time });
}

/** @param {number} left_ms @returns {string} `12 s`, or `4:05` from two minutes on. */
function secondsText(left_ms) {
  const seconds = Math.max(0, Math.ceil(left_ms / 1_000));
  if (seconds < 120) return gettext("{seconds} s", { seconds });
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
