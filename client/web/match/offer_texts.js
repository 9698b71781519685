/**
 * Offers in words: what is asked, what was answered, what came of it.
 *
 * No DOM; imported by the offer box and by what tells the news.
 */

/** @import { Event, OfferKind } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { Offer } from "./open_offers.js" */

/** @type {Record<OfferKind, string>} */
const ASKED = {
  draw: "offers a draw",
  takeback: "asks to take a move back",
  pause: "would like a pause",
};
/** @type {Record<OfferKind, string>} */
const OWN = { draw: "a draw", takeback: "a takeback", pause: "a pause" };

/**
 * @param {Offer} offer
 * @param {(seat: number) => string} nameOf
 * @returns {string} `Black offers a draw.`
 */
export function offerText({ kind, seat, plies }, nameOf) {
  const asked = kind === "takeback" && plies > 1 ? `asks to take ${plies} moves back` : ASKED[kind];
  return `${nameOf(seat)} ${asked}.`;
}

/**
 * @param {Offer} offer
 * @param {boolean} isOwn Whether it is the reader's.
 * @returns {string}
 */
export function waitingText({ kind }, isOwn) {
  if (!isOwn) return `You agree to ${OWN[kind]}.`;
  return kind === "takeback" ? "You have asked for a takeback." : `You have offered ${OWN[kind]}.`;
}

/**
 * What to tell of an event that players settled among themselves; empty if nothing is to be said.
 * @param {MatchState} state After the event.
 * @param {Event} event
 * @param {(seat: number) => string} nameOf
 * @returns {string}
 */
export function offerOutcomeText(state, event, nameOf) {
  const isOwn = "seat" in event && event.seat !== null && event.seat !== undefined && state.ownSeats.includes(event.seat);
  switch (event.type) {
    case "offer_accepted":
      return isOwn ? "" : `${nameOf(event.seat)} agrees to ${OWN[event.kind]}.`;
    case "offer_declined":
      return isOwn ? "" : `${nameOf(event.seat)} declines ${OWN[event.kind]}.`;
    case "taken_back":
      return event.plies === 1 ? "The last move was taken back." : `The last ${event.plies} moves were taken back.`;
    case "time_given":
      return isOwn ? `You gave ${event.given_ms / 1000} seconds.` : `${nameOf(event.seat)} gave ${event.given_ms / 1000} seconds.`;
    case "pause_ended":
      return `Play goes on in ${event.grace_ms / 1000} seconds.`;
    case "rematch_declined":
      return isOwn ? "" : `${nameOf(event.seat)} does not play again now.`;
    default:
      return "";
  }
}

/**
 * @param {Offer} offer Of the reader, that a move has ended.
 * @returns {string}
 */
export function lapsedOfferText({ kind }) {
  const what = kind === "takeback" ? "wish for a takeback" : `offer of ${OWN[kind]}`;
  return `Your ${what} was answered by a move.`;
}
