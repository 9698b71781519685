/**
 * Offers and answers as text. No DOM.
 */

/** @import { Event, OfferKind } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { Offer } from "./open_offers.js" */

/** @type {Record<OfferKind, string>} */
const ASKED = {
  draw: "offers a draw",
  takeback: "asks for a takeback",
  pause: "asks for a pause",
  hand_over: "asks that a bot plays on",
  take_over: "may be replaced",
};
/** @type {Record<OfferKind, string>} */
const OWN = { draw: "a draw", takeback: "a takeback", pause: "a pause", hand_over: "a bot for the seat", take_over: "a player for the bot" };

/**
 * @param {Offer} offer
 * @param {(seat: number) => string} nameOf
 * @returns {string} `Alicia offers a draw.`
 */
export function offerText({ kind, seat, plies, level, player }, nameOf) {
  if (kind === "take_over") return `${player?.name ?? "A spectator"} asks to play on for ${nameOf(seat)}.`;
  if (kind === "hand_over") return `${nameOf(seat)} asks that ${typeof level === "number" ? `the bot of level ${level}` : "a bot"} plays on.`;
  const asked = kind === "takeback" && plies > 1 ? `asks to take back ${plies} moves` : ASKED[kind];
  return `${nameOf(seat)} ${asked}.`;
}

/**
 * @param {Offer} offer
 * @param {boolean} isOwn Whether the reader made it.
 * @returns {string}
 */
export function waitingText({ kind }, isOwn) {
  if (!isOwn) return `You agreed to ${OWN[kind]}. Waiting for the others.`;
  return kind === "draw" ? "You offered a draw." : `You asked for ${OWN[kind]}.`;
}

/**
 * The outcome of an offer as text; empty for none.
 * @param {MatchState} state The state after the event.
 * @param {Event} event
 * @param {(seat: number) => string} nameOf
 * @returns {string}
 */
export function offerOutcomeText(state, event, nameOf) {
  const isOwn = "seat" in event && event.seat !== null && event.seat !== undefined && state.ownSeats.includes(event.seat);
  switch (event.type) {
    case "offer_accepted":
      return isOwn ? "" : `${nameOf(event.seat)} agreed to ${OWN[event.kind]}.`;
    case "offer_declined":
      return isOwn ? "" : `${nameOf(event.seat)} declined ${OWN[event.kind]}.`;
    case "taken_back":
      return event.plies === 1 ? "The last move was taken back." : `The last ${event.plies} moves were taken back.`;
    case "time_given":
      return isOwn ? `You gave ${event.given_ms / 1000} seconds.` : `${nameOf(event.seat)} gave ${state.ownSeats.length > 0 ? "you " : ""}${event.given_ms / 1000} seconds.`;
    case "pause_ended":
      if (event.grace_ms === 0) return "";
      return `Play resumes in ${event.grace_ms / 1000} seconds.`;
    case "rematch_declined":
      return isOwn ? "" : `${nameOf(event.seat)} declined the rematch.`;
    default:
      return "";
  }
}

/**
 * @param {Offer} offer The reader's offer, which a move ended.
 * @param {string} mover The name of the player who moved, or "You".
 * @returns {string}
 */
export function lapsedOfferText({ kind }, mover) {
  const what = kind === "draw" ? "draw offer" : `request for ${OWN[kind]}`;
  return `${mover} moved: your ${what} has expired.`;
}
