/**
 * A premove: a move entered during the opponent's turn and played at once when the turn comes, if it is legal.
 *
 * It knows no rules: the clicks are origin, destination and piece to take. The legal moves arrive with the turn.
 */

import { button, element } from "../element.js";
import { announce } from "../toasts.js";

/** @import { Event } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { MoveEntry } from "./move_entry.js" */

const MAX_CLICKS = 3;

export class Premove {
  /** The clicks of the premove. @type {string[]} */
  clicks = [];
  #words = element("span");
  #cancel = button("Cancel premove", () => this.onCancel(), { class: "button quiet" });
  element = element("p", { class: "premove-note", role: "status", hidden: true }, this.#words, this.#cancel);

  /** @param {() => void} onCancel The reader cancels the premove. */
  constructor(onCancel) {
    this.onCancel = onCancel;
  }

  /**
   * Whether a premove can be entered: it is the opponent's turn, and the reader plays one seat.
   * @param {MatchState} state
   */
  canPremove(state) {
    const { activeSeats, toMove } = state;
    const isOthersTurn = toMove !== null && activeSeats.length === 1 && toMove !== activeSeats[0];
    const isGoingOn = state.end === null && !state.offers.isPaused;
    return isGoingOn && isOthersTurn && state.position.ground === null;
  }

  /**
   * @param {MatchState} state
   * @returns {string[] | null} The cells of the premove; null if none can be entered.
   */
  plan(state) {
    return this.canPremove(state) ? this.clicks : null;
  }

  /**
   * Apply a click of a premove.
   * @param {string} cell
   * @param {MatchState} state A state in which a premove can be entered.
   */
  click(cell, state) {
    const [seat] = state.activeSeats;
    const pile = state.position.piles.get(cell);
    const isInHand = (state.position.reserves[seat] ?? 0) > 0;
    const isBeginning = pile?.seat === seat || (pile === undefined && isInHand && !this.#isFromCell(state, seat));
    if (cell === this.clicks[0]) this.clicks = [];
    else if (isBeginning) this.clicks = [cell];
    else if (this.clicks.length > 0) this.clicks = this.#extended(cell, pile === undefined);
    this.#tell(this.clicks.length === 0 ? "" : `Premove: ${this.clicks.join("-")}.`);
    this.#cancel.hidden = false;
  }

  /** @returns {boolean} Whether there was a premove. */
  drop() {
    const hadClicks = this.clicks.length > 0;
    this.clicks = [];
    this.#tell("");
    return hadClicks;
  }

  /**
   * Drop the premove if an event made it pointless.
   * @param {Event[]} news
   */
  hear(news) {
    const isPointless = news.some(({ type }) => type === "ended" || type === "taken_back" || type === "paused");
    const isOldNews = this.clicks.length === 0 && news.some(({ type }) => type === "moved");
    if (isPointless || isOldNews) this.drop();
  }

  /**
   * Enter the premove when the turn has come.
   * @param {MatchState} state
   * @param {MoveEntry} entry The entry with the legal moves.
   * @returns {string[] | null} The clicks of a complete move to play now.
   */
  redeem(state, entry) {
    if (this.clicks.length === 0 || state.moves === null || state.toMove !== state.activeSeats[0]) return null;
    const { clicks } = this;
    this.drop();
    const isEntered = entry.enter(clicks);
    if (!isEntered) {
      this.#tell(`Premove ${clicks.join("-")} is not possible.`);
      this.#cancel.hidden = true;
      announce(this.#words.textContent ?? "");
    }
    return entry.isSent ? clicks : null;
  }

  /**
   * Whether the premove starts with a piece on the board, not in hand.
   * @param {MatchState} state
   * @param {number} seat
   */
  #isFromCell(state, seat) {
    return this.clicks.length > 0 && state.position.piles.get(this.clicks[0])?.seat === seat;
  }

  /**
   * @param {string} cell
   * @param {boolean} isEmpty
   * @returns {string[]} An empty cell is the destination; an opponent's piece after that is taken.
   */
  #extended(cell, isEmpty) {
    if (isEmpty) return [this.clicks[0], cell];
    return [...this.clicks.slice(0, MAX_CLICKS - 1), cell];
  }

  /** @param {string} words */
  #tell(words) {
    this.#words.textContent = words;
    this.element.hidden = words === "";
  }
}
