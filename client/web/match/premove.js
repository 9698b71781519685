/**
 * A move entered while it is another's turn: kept until the turn comes, and then made at once if it is allowed.
 *
 * It knows no rules: the clicks are where a move would begin, where it would go and what it would take. Whether there
 * is such a move is known when the server tells what may be played.
 */

import { button, element } from "../element.js";
import { announce } from "../toasts.js";

/** @import { Event } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { MoveEntry } from "./move_entry.js" */

const MAX_CLICKS = 3;

export class Premove {
  /** Of the planned move. @type {string[]} */
  clicks = [];
  #words = element("span");
  #forget = button("Forget it", () => this.onForget(), { class: "button quiet" });
  element = element("p", { class: "premove-note", role: "status", hidden: true }, this.#words, this.#forget);

  /** @param {() => void} onForget The reader no longer wants the planned move. */
  constructor(onForget) {
    this.onForget = onForget;
  }

  /**
   * Whether a move can be planned now: another is to move, and the reader plays one seat.
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
   * @returns {string[] | null} The cells of the planned move; null if none can be planned.
   */
  plan(state) {
    return this.canPremove(state) ? this.clicks : null;
  }

  /**
   * Take a click that is for a planned move.
   * @param {string} cell
   * @param {MatchState} state In which a move can be planned.
   */
  click(cell, state) {
    const [seat] = state.activeSeats;
    const pile = state.position.piles.get(cell);
    const isInHand = (state.position.reserves[seat] ?? 0) > 0;
    const isBeginning = pile?.seat === seat || (pile === undefined && isInHand && !this.#isFromCell(state, seat));
    if (cell === this.clicks[0]) this.clicks = [];
    else if (isBeginning) this.clicks = [cell];
    else if (this.clicks.length > 0) this.clicks = this.#extended(cell, pile === undefined);
    this.#tell(this.clicks.length === 0 ? "" : `Planned: ${this.clicks.join("-")}.`);
    this.#forget.hidden = false;
  }

  /** @returns {boolean} Whether there was anything to forget. */
  drop() {
    const hadClicks = this.clicks.length > 0;
    this.clicks = [];
    this.#tell("");
    return hadClicks;
  }

  /**
   * What has happened may make a plan pointless.
   * @param {Event[]} news
   */
  hear(news) {
    const isPointless = news.some(({ type }) => type === "ended" || type === "taken_back" || type === "paused");
    const isOldNews = this.clicks.length === 0 && news.some(({ type }) => type === "moved");
    if (isPointless || isOldNews) this.drop();
  }

  /**
   * Enter the planned move when the turn has come.
   * @param {MatchState} state
   * @param {MoveEntry} entry With the moves that are allowed.
   * @returns {string[] | null} The clicks of a whole move that is to be made now.
   */
  redeem(state, entry) {
    if (this.clicks.length === 0 || state.moves === null || state.toMove !== state.activeSeats[0]) return null;
    const { clicks } = this;
    this.drop();
    const isEntered = entry.enter(clicks);
    if (!isEntered) {
      this.#tell(`The planned move ${clicks.join("-")} is not possible now.`);
      this.#forget.hidden = true;
      announce(this.#words.textContent ?? "");
    }
    return entry.isSent ? clicks : null;
  }

  /**
   * Whether the planned move begins with a piece on the board, not in the hand.
   * @param {MatchState} state
   * @param {number} seat
   */
  #isFromCell(state, seat) {
    return this.clicks.length > 0 && state.position.piles.get(this.clicks[0])?.seat === seat;
  }

  /**
   * @param {string} cell
   * @param {boolean} isEmpty
   * @returns {string[]} An empty cell is where the move would go, another's piece after that what it would take.
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
