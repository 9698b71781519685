/**
 * What the players of a match offer each other, as its events tell it: open offers, a pause, who wants another match.
 *
 * Headless, and no rules: until when an offer is open the server says. Imported by `match_state.js`.
 */

/** @import { Event, OfferAccepted, Offered, OfferKind } from "../protocol.js" */

/**
 * An offer that not all have answered.
 * @typedef {object} Offer
 * @property {OfferKind} kind
 * @property {number} seat Whose it is.
 * @property {number} lapsesAt It is open as long as fewer plies than this have been made.
 * @property {ReadonlySet<number>} agreed The seats that want it, its own among them.
 * @property {number} plies Of a takeback.
 */

export class OpenOffers {
  /** @type {Offer[]} */
  open = [];
  /** Those that a ply has just ended, until the next event. @type {Offer[]} */
  lapsed = [];
  isPaused = false;
  /** Seats that would like another match. @type {Set<number>} */
  rematch = new Set();
  /** Seats that take no part in another match. @type {Set<number>} */
  noRematch = new Set();

  /**
   * @param {Event} event
   * @param {number} plies Made with this event.
   * @param {number} seats
   */
  apply(event, plies, seats) {
    this.lapsed = [];
    switch (event.type) {
      case "moved":
        this.lapsed = this.open.filter((offer) => plies >= offer.lapsesAt);
        this.open = this.open.filter((offer) => plies < offer.lapsesAt);
        break;
      case "offered":
        this.open = [...this.#others(event.kind), offerOf(event)];
        break;
      case "offer_accepted":
        this.open = this.open.map((offer) => (offer.kind === event.kind ? accepted(offer, event) : offer));
        break;
      case "offer_declined":
        this.open = this.#others(event.kind);
        break;
      case "taken_back":
        this.open = [];
        break;
      case "paused":
      case "pause_ended":
        this.open = event.type === "paused" ? [] : this.open;
        this.isPaused = event.type === "paused";
        break;
      case "ended":
        this.open = [];
        this.isPaused = false;
        break;
      case "rematch_offered":
        this.rematch.add(event.seat);
        this.noRematch.delete(event.seat);
        break;
      case "rematch_declined":
        this.noRematch.add(event.seat);
        this.rematch.delete(event.seat);
        // Of two seats none is left to play with.
        if (seats === 2) this.rematch.clear();
        break;
    }
  }

  /**
   * What waits for the answer of a seat.
   * @param {number[]} seats One's own.
   * @returns {Offer[]}
   */
  asking(seats) {
    return seats.length === 0 ? [] : this.open.filter(({ agreed }) => !seats.some((seat) => agreed.has(seat)));
  }

  /**
   * What one has offered or agreed to, and others have not answered yet.
   * @param {number[]} seats One's own.
   * @returns {Offer[]}
   */
  waiting(seats) {
    return this.open.filter(({ agreed }) => seats.some((seat) => agreed.has(seat)));
  }

  /** @param {OfferKind} kind */
  #others(kind) {
    return this.open.filter((offer) => offer.kind !== kind);
  }
}

/**
 * @param {Offered} event
 * @returns {Offer}
 */
function offerOf({ kind, seat, lapses_at_ply, plies }) {
  return { kind, seat, lapsesAt: lapses_at_ply, agreed: new Set([seat]), plies: plies ?? 0 };
}

/**
 * @param {Offer} offer
 * @param {OfferAccepted} event
 * @returns {Offer}
 */
function accepted(offer, { seat, lapses_at_ply }) {
  return { ...offer, lapsesAt: lapses_at_ply, agreed: new Set(offer.agreed).add(seat) };
}
