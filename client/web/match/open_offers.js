/**
 * The offers between the players of a match: open offers, a pause, and rematches.
 *
 * No DOM and no rules: the server says when an offer expires.
 */

/** @import { Event, Level, OfferAccepted, Offered, OfferKind, Player } from "../protocol.js" */

/**
 * An offer that some players have not answered.
 * @typedef {object} Offer
 * @property {OfferKind} kind
 * @property {number} seat The offering seat.
 * @property {number} lapsesAt It expires when this many plies have been played.
 * @property {ReadonlySet<number>} agreed The seats that agree, including the offering one.
 * @property {number} plies The number of plies of a takeback.
 * @property {Level | null} level The level of the bot to which a seat would be handed over.
 * @property {Player | null} player The spectator who asks to play on for a bot.
 */

export class OpenOffers {
  /** @type {Offer[]} */
  open = [];
  /** Offers that the last event made expire. @type {Offer[]} */
  lapsed = [];
  isPaused = false;
  /** Seats that want a rematch. @type {Set<number>} */
  rematch = new Set();
  /** Seats that declined a rematch. @type {Set<number>} */
  noRematch = new Set();

  /** @param {Event} event @param {number} plies The number of plies after this event. @param {number} seats */
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
      case "seated":
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
        // With two seats there is no opponent left.
        if (seats === 2) this.rematch.clear();
        break;
    }
  }

  /** Offers that await an answer from the reader. @param {number[]} seats The reader's seats. @returns {Offer[]} */
  asking(seats) {
    return seats.length === 0 ? [] : this.open.filter(({ agreed }) => !seats.some((seat) => agreed.has(seat)));
  }

  /**
   * Offers that the reader made or accepted, and that others have not answered.
   * @param {number[]} seats The reader's seats.
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

/** @param {Offered} event @returns {Offer} */
function offerOf({ kind, seat, lapses_at_ply, plies, level, player }) {
  return { kind, seat, lapsesAt: lapses_at_ply, agreed: new Set([seat]), plies: plies ?? 0, level: level ?? null, player: player ?? null };
}

/** @param {Offer} offer @param {OfferAccepted} event @returns {Offer} */
function accepted(offer, { seat, lapses_at_ply }) {
  return { ...offer, lapsesAt: lapses_at_ply, agreed: new Set(offer.agreed).add(seat) };
}
