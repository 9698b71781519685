/**
 * The buttons below the board: calling off, giving up, another match, turning the board.
 *
 * Which of them are there follows from the state; what they do is the page's. Resigning asks once more in place.
 */

import { button, element } from "../element.js";
import { icon } from "../icons.js";

/** @import { MatchState } from "./match_state.js" */

/**
 * @typedef {object} ActionHandlers
 * @property {() => void} abort
 * @property {() => void} resign
 * @property {() => void} rematch
 * @property {() => void} turnBoard
 */

export class Actions {
  #isAsking = false;
  #key = "";
  element = element("div", { class: "actions", role: "group", "aria-label": "Actions" });

  /**
   * @param {ActionHandlers} handlers
   * @param {HTMLElement[]} tools Buttons that are always there.
   */
  constructor(handlers, tools) {
    this.handlers = handlers;
    this.tools = tools;
  }

  /** @param {MatchState} state */
  show(state) {
    const offers = [...state.rematchOffers].join();
    const phase = state.end ? `over ${offers} ${state.rematch}` : state.canAbort ? "early" : "playing";
    // Whoever has left looks on until the match is over.
    const seats = state.end === null ? state.activeSeats : state.ownSeats;
    const key = `${phase} ${seats.join()} ${this.#isAsking}`;
    if (key === this.#key) return;
    this.#key = key;
    const parts = seats.length === 0 ? watcherParts(state) : this.#playerParts(state);
    if (state.end !== null) parts.push(element("a", { class: "button", href: "/" }, "New match"));
    const turn = button(icon("turn"), this.handlers.turnBoard, {
      class: "button icon-button",
      "aria-label": "Turn the board",
      title: "Turn the board",
    });
    this.element.replaceChildren(...parts, element("span", { class: "spring" }), turn, ...this.tools);
  }

  /**
   * @param {MatchState} state
   * @returns {HTMLElement[]}
   */
  #playerParts(state) {
    if (state.end !== null) return this.#rematchParts(state);
    if (state.canAbort) return [button("Call it off", this.handlers.abort, { class: "button quiet" })];
    if (!this.#isAsking) return [button("Resign", () => this.#ask(true, state), { class: "button quiet" })];
    const resign = () => {
      this.#isAsking = false;
      this.handlers.resign();
    };
    return [
      button("Give the match up", resign, { class: "button danger" }),
      button("Play on", () => this.#ask(false, state), { class: "button" }),
    ];
  }

  /**
   * @param {boolean} isAsking
   * @param {MatchState} state
   */
  #ask(isAsking, state) {
    this.#isAsking = isAsking;
    this.show(state);
    this.element.querySelector("button")?.focus();
  }

  /** @param {MatchState} state */
  #rematchParts(state) {
    if (state.rematch !== null) return [nextLink(state.rematch, "To the rematch")];
    const own = state.ownSeats.every((seat) => state.rematchOffers.has(seat));
    if (own) return [element("span", { class: "offer-note" }, "Rematch offered")];
    const label = state.rematchOffers.size > 0 ? "Accept the rematch" : "Rematch";
    return [button(label, this.handlers.rematch, { class: "button primary" })];
  }
}

/**
 * @param {MatchState} state
 * @returns {HTMLElement[]}
 */
function watcherParts(state) {
  return state.rematch === null ? [] : [nextLink(state.rematch, "Watch the rematch")];
}

/**
 * @param {string} match
 * @param {string} label
 */
function nextLink(match, label) {
  return element("a", { class: "button primary", href: `/match/${match}` }, label);
}
