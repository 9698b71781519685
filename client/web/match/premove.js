/**
 * Premoves: moves entered during the opponents' turns, each played immediately on the reader's turn, if it is legal.
 *
 * It knows no rules: the clicks are origin, destination and piece to take. The legal moves arrive with the turn; a move
 * that needs more, such as a piece to take, is left to the reader to complete.
 */

import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { toast } from "../toasts.js";
import { PlannedPosition } from "./planned_position.js";

/** @import { Event } from "../protocol.js" */
/** @import { Plan } from "./board_scene.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { MoveEntry } from "./move_entry.js" */

const MAX_PREMOVES = 10;

export class Premove {
  /** The clicks of each premove, in the order in which they are played. @type {string[][]} */
  moves = [];
  /** The piece on the board that the next premove moves. @type {string | null} */
  #origin = null;
  #words = element("span");
  #cancel = button("", () => this.onCancel(), { class: "button quiet" });
  element = element("p", { class: "premove-note", role: "status", hidden: true }, this.#words, this.#cancel);

  /** @param {() => void} onCancel The reader cancels all premoves. */
  constructor(onCancel) {
    this.onCancel = onCancel;
  }

  /**
   * Whether a premove can be entered: it is an opponent's turn, and the reader plays one seat.
   * @param {MatchState} state
   */
  canPremove(state) {
    const { activeSeats, toMove } = state;
    const isOthersTurn = toMove !== null && activeSeats.length === 1 && toMove !== activeSeats[0];
    const isGoingOn = state.end === null && !state.offers.isPaused;
    return isGoingOn && isOthersTurn && state.position.ground === null;
  }

  /** The premoves as shown on the board. @param {MatchState} state @returns {Plan} */
  plan(state) {
    const seat = state.activeSeats[0] ?? null;
    const acceptsClicks = this.canPremove(state);
    const own = acceptsClicks ? new PlannedPosition(state.position, state.activeSeats[0], this.moves).cells : [];
    return { moves: this.moves, cells: this.moves.flat(), own, picked: this.#origin, acceptsClicks, seat };
  }

  /**
   * Apply a click. A click that no premove can contain cancels all of them.
   * @param {string} cell
   * @param {MatchState} state A state in which a premove can be entered.
   */
  click(cell, state) {
    const [seat] = state.activeSeats;
    const planned = new PlannedPosition(state.position, seat, this.moves);
    const [origin, latest] = [this.#origin, this.moves.at(-1)];
    const isOwn = planned.ownerOf(cell) === seat;
    const isEmpty = planned.ownerOf(cell) === null;
    this.#origin = null;
    if (origin !== null && !isOwn) this.#add([origin, cell]);
    else if (isOwn && cell !== origin) this.#origin = cell;
    else if (isEmpty && planned.inHand > 0) this.#add([cell]);
    else if (!isOwn && !isEmpty && latest !== undefined && canTake(latest, planned)) this.moves = this.moves.with(-1, [...latest, cell]);
    else if (origin === null) this.moves = [];
    this.#tell();
  }

  /** @returns {boolean} Whether there was a premove. */
  drop() {
    const hadAny = this.moves.length > 0 || this.#origin !== null;
    this.moves = [];
    this.#origin = null;
    this.#tell();
    return hadAny;
  }

  /** Drop the premoves if an event made them pointless. @param {Event[]} news */
  hear(news) {
    const isPointless = news.some(({ type }) => type === "ended" || type === "taken_back" || type === "paused");
    const isOldNews = this.moves.length === 0 && this.#origin === null && news.some(({ type }) => type === "moved");
    if (isPointless || isOldNews) this.drop();
  }

  /**
   * Enter the next premove when the turn has come; if it is not legal now, all premoves are dropped. If only a piece is
   * picked up, it stays so, if it can move.
   * @param {MatchState} state
   * @param {MoveEntry} entry The entry with the legal moves.
   * @returns {string[] | null} The clicks of a complete move to play now; null too if the reader has to complete it.
   */
  redeem(state, entry) {
    const isTurn = state.moves !== null && state.toMove === state.activeSeats[0];
    if (!isTurn || entry.clicks.length > 0) return null;
    const [next, ...rest] = this.moves;
    const origin = this.#origin;
    if (next === undefined) {
      if (origin !== null) this.drop();
      // If the piece was taken, a click on its cell could be a move.
      if (origin !== null && state.position.piles.get(origin)?.seat === state.toMove) entry.enter([origin]);
      return null;
    }
    if (!entry.enter(next)) {
      this.drop();
      this.#refuse(next, rest.length);
      return null;
    }
    this.moves = rest;
    this.#tell();
    return entry.isSent ? next : null;
  }

  /** @param {string[]} clicks */
  #add(clicks) {
    if (this.moves.length < MAX_PREMOVES) this.moves = [...this.moves, clicks];
    else toast(gettext("You can make at most {count} premoves.", { count: MAX_PREMOVES }));
  }

  #tell() {
    const picked = this.#origin === null ? [] : [this.#origin];
    const texts = [...this.moves.map((clicks) => clicks.join("-")), ...picked];
    this.#words.textContent = texts.length === 0 ? "" : ngettext("Premove: {moves}.", "Premoves: {moves}.", texts.length, { moves: texts.join(gettext(", then ")) });
    this.#cancel.textContent = texts.length > 1 ? gettext("Cancel premoves") : gettext("Cancel premove");
    this.#cancel.hidden = false;
    this.element.hidden = texts.length === 0;
  }

  /** @param {string[]} clicks @param {number} others The number of further premoves that are dropped. */
  #refuse(clicks, others) {
    const rest = others === 0 ? "" : ` ${ngettext("The next premove is cancelled too.", "The other {count} premoves are cancelled too.", others)}`;
    this.#words.textContent = gettext("Premove {move} is not possible.", { move: clicks.join("-") }) + rest;
    this.#cancel.hidden = true;
    this.element.hidden = false;
  }
}

/**
 * Whether a premove may still name a piece to take.
 * @param {string[]} clicks
 * @param {PlannedPosition} planned The position after it.
 */
function canTake(clicks, planned) {
  return planned.ownerOf(/** @type {string} */ (clicks.at(-1))) === planned.seat;
}
