/**
 * Moves, results and other facts of a match as text. No DOM.
 */

import { seatName } from "../board/seat_colours.js";
import { clockText } from "../clock_texts.js";
import { NOBODY } from "../protocol.js";

/** @import { GameInfo, Player } from "../protocol.js" */
/** @import { Ply } from "./public_match.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { Position } from "../board/position.js" */

/**
 * @param {Player | null} player
 * @returns {string}
 */
export function playerName(player) {
  return player === null ? "Waiting for a player" : player.name;
}

/**
 * What to call a seat in sentences: its player's name, or its colour if the seat is free or the name not unique.
 * @param {readonly (Player | null)[]} players
 * @param {number} seat
 * @param {GameInfo | undefined} game
 * @returns {string}
 */
export function playerTitle(players, seat, game) {
  const name = players[seat]?.name;
  const isUnique = players.filter((player) => player?.name === name).length === 1;
  return name !== undefined && isUnique ? name : seatName(game, seat);
}

const READER = "You";

/**
 * What to call a seat in sentences for the reader: "You" for the reader's only seat.
 * @param {MatchState} state
 * @param {number} seat
 * @param {GameInfo | undefined} game
 * @returns {string}
 */
export function readerTitle(state, seat, game) {
  const isReader = state.ownSeats.length === 1 && state.ownSeats[0] === seat;
  return isReader ? READER : playerTitle(state.players, seat, game);
}

/**
 * @param {string} name The name of the player who departed, or "You".
 * @param {string} reason
 * @returns {string} `Ben ran out of time`.
 */
export function departureText(name, reason) {
  if (reason === "time") return `${name} ran out of time`;
  return reason === "absence" ? `${name} ${name === READER ? "were" : "was"} away too long` : `${name} left the match`;
}

const ORDINALS = ["first", "second", "third", "fourth"];

/** @typedef {{ origins: string[], targets: string[], taken: string[], flipped: string[] }} Effects */

/**
 * The effects of a ply, by cells.
 * @param {Ply} ply
 * @param {Position} before
 * @returns {Effects}
 */
export function effectsOf(ply, before) {
  /** @type {Effects} */
  const effects = { origins: [], targets: [], taken: [], flipped: [] };
  for (const [cell, seat, size] of ply.changes) {
    const pile = before.piles.get(cell);
    if (seat === NOBODY) (pile?.seat === ply.seat ? effects.origins : effects.taken).push(cell);
    else if (pile === undefined) effects.targets.push(cell);
    else if (pile.seat !== seat) effects.flipped.push(cell);
    else (size < pile.size ? effects.origins : effects.targets).push(cell);
  }
  return effects;
}

/**
 * The owners of the pieces that a seat has taken off the board, in order.
 * @param {{ plies: readonly Ply[], positions: readonly Position[] }} match
 * @param {number} ply Up to this ply.
 * @param {number} seat
 * @returns {number[]}
 */
export function takenBy({ plies, positions }, ply, seat) {
  return plies.slice(0, ply).flatMap((each, index) => {
    if (each.seat !== seat) return [];
    return effectsOf(each, positions[index]).taken.map((cell) => positions[index].piles.get(cell)?.seat ?? NOBODY);
  });
}

/**
 * A ply for a screen reader: `Ben moved a4 to a7, closed a mill and took d6`.
 * @param {string} name The player's name, or "You".
 * @param {Ply} ply
 * @param {Position} before
 * @param {Position} after
 * @returns {string}
 */
export function plyText(name, ply, before, after) {
  if (ply.isForced) return `${name} could not move and passed`;
  const { origins, targets, taken, flipped } = effectsOf(ply, before);
  if (targets.length === 0) return `${name}: ${ply.move}`;
  const actions = [
    origins.length > 0 ? `moved ${origins.join(", ")} to ${targets.join(", ")}` : `played ${targets.join(", ")}`,
    ...new Set(after.highlights.map(({ text }) => text)),
    ...(taken.length > 0 ? [`took ${taken.join(", ")}`] : []),
    ...(flipped.length > 0 ? [`flipped ${flipped.join(", ")}`] : []),
  ];
  return `${name} ${listed(actions)}`;
}

/**
 * How a player fared.
 * @param {MatchState} state
 * @param {number} seat
 * @returns {"won" | "lost" | "draw" | null} Null without a result; `lost` for every rank but the first.
 */
export function outcomeOf(state, seat) {
  const ranks = state.end?.ranks ?? null;
  if (ranks === null || ranks[seat] === undefined) return null;
  if (ranks.every((rank) => rank === 1)) return "draw";
  return ranks[seat] === 1 ? "won" : "lost";
}

/**
 * How a match ended: the headline, and why.
 * @param {MatchState} state Of a match that has ended.
 * @param {(seat: number) => string} nameOf
 * @returns {{ headline: string, reason: string }}
 */
export function resultText(state, nameOf) {
  const ranks = state.end?.ranks ?? null;
  const own = state.ownSeats.length === 1 ? state.ownSeats[0] : NOBODY;
  const reason = endText(state, own, nameOf);
  if (ranks === null) return { headline: "No result", reason };
  const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (winners.length === ranks.length) return { headline: "Draw", reason };
  if (winners.length > 1) return { headline: `${listed(winners.map(nameOf))} share the win`, reason };
  if (winners.includes(own)) return { headline: "You won", reason };
  if (own === NOBODY) return { headline: `${nameOf(winners[0])} won`, reason };
  const headline = ranks.length === 2 ? "You lost" : `You came ${ORDINALS[ranks[own] - 1]}`;
  return { headline, reason: ranks.length === 2 ? reason : `${nameOf(winners[0])} won: ${state.end?.explanation}` };
}

/**
 * Why a match ended, as a sentence without a full stop.
 * @param {MatchState} state Of a match that has ended.
 * @param {number} own The reader's seat.
 * @param {(seat: number) => string} nameOf
 */
function endText(state, own, nameOf) {
  const { ranks = null, reason = "", explanation = "", seat = null } = state.end ?? {};
  const isDraw = ranks !== null && new Set(ranks).size === 1;
  const who = seat === null ? "" : seat === own ? "You" : nameOf(seat);
  if (who !== "" && !isDraw) {
    if (reason === "resignation") return `${who} resigned`;
    if (reason === "time") return `${who} lost on time`;
    if (reason === "absence") return `${who} ${seat === own ? "were" : "was"} away too long`;
    if (reason === "no_show") return `${who} did not make the first move in time`;
    if (reason === "aborted") return `${who} aborted the match`;
  }
  return explanation.charAt(0).toUpperCase() + explanation.slice(1);
}

/**
 * The score of a seat: 1, ½ or 0, or its rank among more than two.
 * @param {readonly number[]} ranks
 * @param {number} seat
 * @returns {string}
 */
export function scoreOf(ranks, seat) {
  if (ranks.length > 2) return `${ranks[seat]}.`;
  if (ranks[0] === ranks[1]) return "½";
  return ranks[seat] === 1 ? "1" : "0";
}

/**
 * Forced passes since the last move: `Ben could not move and passed.`
 * @param {MatchState} state
 * @param {(seat: number) => string} nameOf
 * @returns {string} Empty if there were none.
 */
export function passText(state, nameOf) {
  const seats = [...new Set(state.latestPasses.map(({ seat }) => seat))];
  const [left, blocked] = [true, false].map((hasLeft) => seats.filter((seat) => state.departures.has(seat) === hasLeft));
  const parts = [
    blocked.length > 0 ? `${listed(blocked.map(nameOf))} could not move and passed.` : "",
    left.length > 0 ? `${listed(left.map(nameOf))} left and ${left.length > 1 || nameOf(left[0]) === READER ? "are" : "is"} skipped.` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/**
 * The number of cells that each seat holds at the end.
 * @param {readonly number[]} territory
 * @param {number} seats
 * @param {(seat: number) => string} nameOf
 * @returns {string} `Ben 34, You 21`.
 */
export function territoryText(territory, seats, nameOf) {
  const counts = Array.from({ length: seats }, (_, seat) => territory.filter((holder) => holder === seat).length);
  return counts.map((count, seat) => `${nameOf(seat)} ${count}`).join(", ");
}

/**
 * @param {string[]} names
 * @returns {string} `Red, Blue and Green`.
 */
export function listed(names) {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/**
 * @param {string} name A player's name, or "You".
 * @returns {string} `Ben’s` or `your`.
 */
export function possessive(name) {
  return name === READER ? "your" : `${name}’s`;
}

/**
 * @param {string} name A player's name, or "You".
 * @returns {string} The name inside a sentence.
 */
export function inSentence(name) {
  return name === READER ? "you" : name;
}

/**
 * What a match is, for its page: `Ming Mang · 5+2 · casual · 3 watching`.
 * @param {MatchState} state
 * @param {GameInfo | undefined} game
 * @returns {string}
 */
export function audienceText(state, game) {
  const kind = state.isImported ? "imported" : state.isExhibition ? "exhibition" : state.isRated ? "rated" : "casual";
  const delay = state.isDelayed ? [`delayed by ${state.delayPlies} moves`] : [];
  const watching = state.spectators === 0 ? [] : [`${state.spectators} watching`];
  return [game?.title ?? state.game, clockText(state.clock), kind, ...delay, ...watching].join(" · ");
}
