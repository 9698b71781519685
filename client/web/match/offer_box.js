/** The box of open offers: others' offers to answer, own offers to withdraw, and the end of a pause. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { offerText, waitingText } from "./offer_texts.js";

/** @import { OfferKind } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/**
 * @typedef {object} OfferHandlers
 * @property {(kind: OfferKind) => void} accept
 * @property {(kind: OfferKind) => void} decline Also withdraws.
 * @property {() => void} endPause
 * @property {() => void} rematch
 * @property {() => void} declineRematch
 */

export class OfferBox {
  element = element("section", { class: "offer-box", "aria-label": gettext("Offers"), hidden: true });
  #key = "";

  /** @param {OfferHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
  }

  /**
   * Rebuilt only when it would differ, so that the focus stays.
   * @param {MatchState} state
   * @param {(seat: number) => string} nameOf
   */
  show(state, nameOf) {
    const { offers } = state;
    const key = JSON.stringify([
      offers.open.map(({ kind, seat, agreed }) => [kind, seat, ...agreed]),
      [offers.isPaused, state.end !== null, state.rematch],
      [...offers.rematch],
      [...offers.noRematch],
      [state.activeSeats, state.ownSeats],
    ]);
    if (key === this.#key) return;
    this.#key = key;
    const rows = state.end === null ? this.#playing(state, nameOf) : this.#over(state, nameOf);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = rows.length === 0;
    this.element.replaceChildren(...rows);
    // Keep the keyboard focus near the offer.
    if (hadFocus) (this.element.querySelector("button") ?? document.getElementById("page"))?.focus({ preventScroll: true });
  }

  /** @param {MatchState} state @param {(seat: number) => string} nameOf */
  #playing(state, nameOf) {
    const { offers, activeSeats } = state;
    const asking = offers.asking(activeSeats).map((offer) =>
      row(
        offerText(offer, nameOf),
        button(gettext("Accept"), () => this.handlers.accept(offer.kind), { class: "button primary", "aria-label": gettext("Accept: {offer}", { offer: offerText(offer, nameOf) }) }),
        button(gettext("Decline"), () => this.handlers.decline(offer.kind), { "aria-label": gettext("Decline: {offer}", { offer: offerText(offer, nameOf) }) }),
      ),
    );
    const waiting = offers.waiting(activeSeats).map((offer) => {
      const isOwn = activeSeats.includes(offer.seat);
      const withdraw = button(isOwn ? gettext("Withdraw") : gettext("Decline instead"), () => this.handlers.decline(offer.kind), { class: "button quiet" });
      return row(waitingText(offer, isOwn), withdraw);
    });
    const isHeld = offers.isPaused && activeSeats.length > 0;
    const pause = isHeld ? [row(gettext("The match is paused."), button(gettext("Resume play"), this.handlers.endPause, { class: "button primary" }))] : [];
    return [...pause, ...asking, ...waiting];
  }

  /** @param {MatchState} state @param {(seat: number) => string} nameOf */
  #over(state, nameOf) {
    const { offers, ownSeats } = state;
    const others = [...offers.rematch].filter((seat) => !ownSeats.includes(seat));
    const hasAnswered = ownSeats.every((seat) => offers.rematch.has(seat) || offers.noRematch.has(seat));
    if (state.rematch !== null || ownSeats.length === 0 || others.length === 0 || hasAnswered) return [];
    return [
      row(
        gettext("{name} offers a rematch.", { name: nameOf(others[0]) }),
        button(gettext("Accept"), this.handlers.rematch, { class: "button primary", "aria-label": gettext("Accept the rematch") }),
        button(gettext("Decline"), this.handlers.declineRematch),
      ),
    ];
  }
}

/** @param {string} words @param {...HTMLElement} answers */
function row(words, ...answers) {
  return element(
    "div",
    { class: "offer-row" },
    element("p", { class: "offer-text" }, words),
    element("div", { class: "offer-answers" }, ...answers),
  );
}
