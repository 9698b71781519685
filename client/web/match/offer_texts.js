/** Offers and answers as text. No DOM. */

import { gettext, later, ngettext } from "../language/texts.js";
import { spoken } from "./match_texts.js";

/** @import { Event, OfferKind } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { Offer } from "./open_offers.js" */

/** What each kind of offer says. @type {Record<OfferKind, Record<"asks" | "own" | "agreed" | "theyAgreed" | "declined" | "expired", string>>} */
const TEXTS = {
  draw: {
    asks: later("{name} offers a draw."),
    own: later("You offered a draw."),
    agreed: later("You agreed to a draw. Waiting for the others."),
    theyAgreed: later("{name} agreed to a draw."),
    declined: later("{name} declined a draw."),
    expired: later("{name} moved: your draw offer has expired."),
  },
  takeback: {
    asks: later("{name} asks for a takeback."),
    own: later("You asked for a takeback."),
    agreed: later("You agreed to a takeback. Waiting for the others."),
    theyAgreed: later("{name} agreed to a takeback."),
    declined: later("{name} declined a takeback."),
    expired: later("{name} moved: your request for a takeback has expired."),
  },
  pause: {
    asks: later("{name} asks for a pause."),
    own: later("You asked for a pause."),
    agreed: later("You agreed to a pause. Waiting for the others."),
    theyAgreed: later("{name} agreed to a pause."),
    declined: later("{name} declined a pause."),
    expired: later("{name} moved: your request for a pause has expired."),
  },
  hand_over: {
    asks: later("{name} wants a bot to play on."),
    own: later("You asked for a bot to take over your seat."),
    agreed: later("You agreed to let a bot play on. Waiting for the others."),
    theyAgreed: later("{name} agreed to let a bot play on."),
    declined: later("{name} declined to let a bot play on."),
    expired: later("{name} moved: your request for a bot has expired."),
  },
  take_over: {
    asks: later("{player} asks to play on for {name}."),
    own: later("You asked to replace the bot."),
    agreed: later("You agreed to replace the bot. Waiting for the others."),
    theyAgreed: later("{name} agreed to replace the bot."),
    declined: later("{name} declined to replace the bot."),
    expired: later("{name} moved: your request to replace the bot has expired."),
  },
};

/** @param {Offer} offer @param {(seat: number) => string} nameOf @returns {string} `Alicia offers a draw.` */
export function offerText({ kind, seat, plies, level, player }, nameOf) {
  const name = nameOf(seat);
  if (kind === "hand_over" && typeof level === "number") return gettext("{name} wants a level {level} bot to play on.", { name, level });
  if (kind === "takeback" && plies > 1) return ngettext("{name} asks to take back {count} move.", "{name} asks to take back {count} moves.", plies, { name });
  return gettext(TEXTS[kind].asks, { name, player: player?.name ?? gettext("A spectator") });
}

/** @param {Offer} offer @param {boolean} isOwn Whether the reader made it. */
export function waitingText({ kind }, isOwn) {
  return gettext(isOwn ? TEXTS[kind].own : TEXTS[kind].agreed);
}

/**
 * The outcome of an offer as text; empty for none.
 * @param {MatchState} state The state after the event.
 * @param {Event} event
 * @param {(seat: number) => string} nameOf
 */
export function offerOutcomeText(state, event, nameOf) {
  const isOwn = "seat" in event && event.seat !== null && event.seat !== undefined && state.ownSeats.includes(event.seat);
  switch (event.type) {
    case "offer_accepted":
      return isOwn ? "" : gettext(TEXTS[event.kind].theyAgreed, { name: nameOf(event.seat) });
    case "offer_declined":
      return isOwn ? "" : gettext(TEXTS[event.kind].declined, { name: nameOf(event.seat) });
    case "taken_back":
      return ngettext("The last move was taken back.", "The last {count} moves were taken back.", event.plies);
    case "time_given":
      return timeGivenText(isOwn, state.ownSeats.length > 0, nameOf(event.seat), event.given_ms / 1_000);
    case "berserked":
      return isOwn ? "" : gettext("{name} goes berserk: half the time, for one more point.", { name: nameOf(event.seat) });
    case "pause_ended":
      if (event.grace_ms === 0) return "";
      return gettext("Play resumes in {seconds} seconds.", { seconds: event.grace_ms / 1_000 });
    case "rematch_declined":
      return isOwn ? "" : gettext("{name} declined the rematch.", { name: nameOf(event.seat) });
    default:
      return "";
  }
}

/**
 * @param {Offer} offer The reader's offer, which a move ended.
 * @param {string} mover The name of the player who moved, or "You".
 */
export function lapsedOfferText({ kind }, mover) {
  return gettext(TEXTS[kind].expired, { name: spoken(mover) });
}

/**
 * @param {boolean} isOwn Whether the reader gave the time.
 * @param {boolean} isForReader Whether the reader plays.
 * @param {string} name Of the player who gave it.
 * @param {number} seconds
 */
function timeGivenText(isOwn, isForReader, name, seconds) {
  if (isOwn) return gettext("You gave {seconds} seconds.", { seconds });
  return isForReader ? gettext("{name} gave you {seconds} seconds.", { name, seconds }) : gettext("{name} gave {seconds} seconds.", { name, seconds });
}
