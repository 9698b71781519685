/** Announcing match events: to screen readers, by toasts and by sounds. */

import { gettext } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";
import { announce, toast } from "../toasts.js";
import { playSound, vibrate } from "../sound.js";
import { turnWheel } from "../mill_wheel.js";
import { offerText, lapsedOfferText, offerOutcomeText } from "./offer_texts.js";
import { READER, botPlaysOnText, departureText, ownOutcome, plyText, resultText } from "./match_texts.js";
import { moveEffects } from "./move_effects.js";

/** @import { Event, Rated } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/** How a phone vibrates at the reader's turn. */
const TURN_MS = [60];

/**
 * @param {MatchState} state The state after the events.
 * @param {Event[]} news
 * @param {(seat: number) => string} nameOf The name of a seat's player, or "You".
 * @param {(seat: number) => string} colourOf The name of a seat's colour.
 */
export function announceEvents(state, news, nameOf, colourOf) {
  const standing = news.slice(news.findLastIndex((event) => event.type === "taken_back") + 1);
  announceMoves(state, standing.filter((event) => event.type === "moved").length, nameOf);
  for (const event of news.filter((each) => !isFulfilled(each, news))) announceEvent(state, event, nameOf, colourOf);
  const lapsed = news.length > 0 ? state.offers.lapsed : [];
  for (const offer of lapsed.filter(({ seat }) => state.ownSeats.includes(seat))) toast(lapsedOfferText(offer, nameOf(state.plies.at(-1)?.seat ?? offer.seat)));
}

/**
 * Announce the latest moves, and the turn if it is the reader's.
 * @param {MatchState} state
 * @param {number} count
 * @param {(seat: number) => string} nameOf
 */
function announceMoves(state, count, nameOf) {
  if (count === 0) return;
  const first = state.plies.length - count;
  const latest = state.plies.slice(first);
  const moves = latest.map((ply, index) => `${plyText(nameOf(ply.seat), ply, state.positions[first + index], state.positions[first + index + 1], { name: state.game })}.`);
  const isOwnTurn = state.runningSeat !== null && state.ownSeats.includes(state.runningSeat);
  announce([...moves, ...(isOwnTurn ? [gettext("Your turn.")] : [])].join(" "));
  const last = latest[count - 1];
  moveEffects(last, state.position, state.ownSeats.includes(last.seat));
  if (isOwnTurn && !state.ownSeats.includes(last.seat) && state.position.highlights.length === 0) vibrate(TURN_MS);
}

/**
 * Announce an event other than a move.
 * @param {MatchState} state
 * @param {Event} event
 * @param {(seat: number) => string} nameOf
 * @param {(seat: number) => string} colourOf
 */
function announceEvent(state, event, nameOf, colourOf) {
  if (event.type === "seated" && state.isStarted && state.plies.length > 0) {
    toast(gettext("{name} plays on as {colour}.", { name: shownName(event.player.name), colour: colourOf(event.seat) }));
  } else if (event.type === "seat_freed" && state.isStarted) {
    // The next event says who plays on.
  } else if (event.type === "seated") {
    const isReader = event.player.id === state.ownId();
    const colour = colourOf(event.seat);
    announce(isReader ? gettext("You play {colour}.", { colour }) : gettext("{name} plays {colour}.", { name: shownName(event.player.name), colour }));
  } else if (event.type === "seat_freed") {
    const isOwn = event.player.id === state.ownId();
    toast(isOwn ? gettext("You left your seat. You can take it again while it is free.") : gettext("{name} left. The seat is open again.", { name: event.player.name }));
  } else if (event.type === "started") {
    playSound("start", state.position.board?.shape);
  } else if (event.type === "ended") {
    const { headline, reason } = resultText(state, nameOf);
    announce(`${headline}. ${reason}.`);
    const outcome = ownOutcome(state);
    playSound(outcome ?? "end", state.position.board?.shape);
    if (outcome !== null) turnWheel(outcome);
  } else if (event.type === "rated") {
    announceRating(state, event);
  } else if (event.type === "resumed" && event.grace_ms > 0 && (event.vacation ?? null) === null) {
    toast(gettext("The match continues. The clocks were stopped and will start again shortly."));
  } else if (event.type === "left") {
    toast(`${departureText(nameOf(event.seat), event.reason)}.`);
  } else if (event.type === "stood_in") {
    const name = nameOf(event.seat);
    toast(event.choice === "bot" ? botPlaysOnText(name) : turnsSkippedText(name));
  } else if (event.type === "rematch_offered" && isOffered(state, event.seat)) {
    announce(gettext("{name} offers a rematch.", { name: nameOf(event.seat) }));
    playSound("offer");
  } else if (event.type === "offered" && isOffered(state, event.seat)) {
    const offer = state.offers.open.find(({ kind }) => kind === event.kind);
    if (offer) announce(offerText(offer, nameOf));
    playSound("offer");
  } else if (event.type === "paused") {
    announce(gettext("The match is paused."));
  } else {
    const words = offerOutcomeText(state, event, nameOf);
    if (words !== "") toast(words);
  }
}

/**
 * Whether an agreement needs no announcement of its own, because its effect has one.
 * @param {Event} event
 * @param {Event[]} news
 */
function isFulfilled({ type }, news) {
  return type === "offer_accepted" && news.some((each) => ["taken_back", "paused", "ended", "seat_freed"].includes(each.type));
}

/** Announce the change of the reader's rating. @param {MatchState} state @param {Rated} rated */
function announceRating(state, rated) {
  const change = state.ownSeats.map((seat) => rated.changes[seat]).find((each) => each);
  if (change) announce(gettext("Your rating changed from {before} to {after}.", { before: change.before, after: change.after }));
  else if (rated.explanation && state.ownSeats.length > 0) announce(gettext("Your rating did not change: {reason}.", { reason: gettext(rated.explanation) }));
}

/** Whether a seat's offer is addressed to the reader. @param {MatchState} state @param {number} seat */
function isOffered(state, seat) {
  return state.ownSeats.length > 0 && !state.ownSeats.includes(seat);
}

/** @param {string} name A player's name, or "You". */
function turnsSkippedText(name) {
  return name === READER ? gettext("From now on, your turns are skipped.") : gettext("From now on, {name}’s turns are skipped.", { name });
}
