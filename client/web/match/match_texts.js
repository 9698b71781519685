/** Moves, results and other facts of a match as text. No DOM. */

import { seatName } from "../board/seat_colours.js";
import { clocksText } from "../clock_texts.js";
import { gameText } from "../language/game_texts.js";
import { gettext, later, listText, ngettext, pgettext } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";
import { NOBODY } from "../protocol.js";

/** @import { Ended, GameInfo, Player } from "../protocol.js" */
/** @import { Ply } from "./public_match.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { Position } from "../board/position.js" */

/** @param {Player | null} player */
export function playerName(player) {
  return player === null ? gettext("Waiting for a player") : shownName(player.name);
}

/**
 * What to call a seat in sentences: its player's name, or its colour if the seat is free or the name not unique.
 * @param {readonly (Player | null)[]} players
 * @param {number} seat
 * @param {GameInfo | undefined} game
 */
export function playerTitle(players, seat, game) {
  const player = players[seat] ?? null;
  const isUnique = players.filter((other) => other?.name === player?.name).length === 1;
  return player !== null && isUnique ? shownName(player.name) : seatName(game, seat);
}

/** What `readerTitle` calls the reader; sentences about the reader have a wording of their own. */
export const READER = later("You");

/**
 * What to call a seat in sentences for the reader: "You" for the reader's only seat.
 * @param {MatchState} state
 * @param {number} seat
 * @param {GameInfo | undefined} game
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
  if (reason === "time") return name === READER ? gettext("You ran out of time") : gettext("{name} ran out of time", { name });
  if (reason === "absence") return name === READER ? gettext("You were away too long") : gettext("{name} was away too long", { name });
  return name === READER ? gettext("You left the match") : gettext("{name} left the match", { name });
}

/** Reasons for which the player to move has lost. */
const BLOCKED = ["blocked", "stalemate"];

const PLACES = [later("You came first"), later("You came second"), later("You came third"), later("You came fourth")];

/** @typedef {{ origins: string[], targets: string[], taken: string[], flipped: string[] }} Effects */

/** The effects of a ply, by cells. @param {Ply} ply @param {Position} before @returns {Effects} */
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
 * @param {{ name: string } | undefined} game
 */
export function plyText(name, ply, before, after, game) {
  if (ply.isForced) return name === READER ? gettext("You could not move and passed") : gettext("{name} could not move and passed", { name });
  const { origins, targets, taken, flipped } = effectsOf(ply, before);
  if (targets.length === 0) return `${spoken(name)}: ${ply.move}`;
  const actions = [
    origins.length > 0
      ? gettext("moved {origins} to {targets}", { origins: origins.join(", "), targets: targets.join(", ") })
      : gettext("played {targets}", { targets: targets.join(", ") }),
    ...new Set(after.highlights.map(({ text }) => gameText(game, text))),
    ...(taken.length > 0 ? [gettext("took {cells}", { cells: taken.join(", ") })] : []),
    ...(flipped.length > 0 ? [gettext("flipped {cells}", { cells: flipped.join(", ") })] : []),
  ];
  return gettext("{name} {actions}", { name: spoken(name), actions: listText(actions) });
}

/**
 * How a player fared.
 * @param {{ end: Ended | null }} state
 * @param {number} seat
 * @returns {"won" | "lost" | "draw" | null} Null without a result; `lost` for every rank but the first.
 */
export function outcomeOf({ end }, seat) {
  const ranks = end?.ranks ?? null;
  if (ranks === null || ranks[seat] === undefined) return null;
  if (ranks.every((rank) => rank === 1)) return "draw";
  return ranks[seat] === 1 ? "won" : "lost";
}

/** How the reader fared; null also without a single seat. @param {MatchState} state */
export function ownOutcome(state) {
  return state.ownSeats.length === 1 ? outcomeOf(state, state.ownSeats[0]) : null;
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
  if (ranks === null) return { headline: gettext("No result"), reason };
  const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (winners.length === ranks.length) return { headline: gettext("Draw"), reason };
  if (winners.length > 1) return { headline: sharedWinText(winners.map(nameOf)), reason };
  if (winners.includes(own)) return { headline: gettext("You won"), reason };
  if (own === NOBODY) return { headline: gettext("{name} won", { name: nameOf(winners[0]) }), reason };
  const headline = ranks.length === 2 ? gettext("You lost") : gettext(PLACES[ranks[own] - 1]);
  return { headline, reason: ranks.length === 2 ? reason : gettext("{name} won: {reason}", { name: nameOf(winners[0]), reason: gameText({ name: state.game }, state.end?.explanation ?? "") }) };
}

/** @param {string[]} names Players' names, or "You". */
function sharedWinText(names) {
  const values = { names: listedNames(names) };
  return names.includes(READER) ? pgettext("you and others", "{names} share the win", values) : gettext("{names} share the win", values);
}

/** How a seat ends a match, by reason: for the reader, and for others. @type {Record<string, [string, string]>} */
const LOSERS = {
  resignation: [later("You resigned"), later("{name} resigned")],
  time: [later("You lost on time"), later("{name} lost on time")],
  absence: [later("You were away too long"), later("{name} was away too long")],
  absence_draw: [later("You were away, and your opponent called it a draw"), later("{name} was away, and the opponent called it a draw")],
  no_show: [later("You did not make the first move in time"), later("{name} did not make the first move in time")],
  aborted: [later("You aborted the match"), later("{name} aborted the match")],
};

/**
 * Why a match ended, as a sentence without a full stop.
 * @param {MatchState} state Of a match that has ended.
 * @param {number} own The reader's seat.
 * @param {(seat: number) => string} nameOf
 */
function endText(state, own, nameOf) {
  const { ranks = null, reason = "", explanation = "", seat = null } = state.end ?? {};
  const isDraw = ranks !== null && new Set(ranks).size === 1;
  const known = isDraw && reason !== "absence" ? undefined : LOSERS[reason + (isDraw ? "_draw" : "")];
  if (seat !== null && known !== undefined) return seat === own ? gettext(known[0]) : gettext(known[1], { name: nameOf(seat) });
  const text = gameText({ name: state.game }, explanation);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The score of a seat: 1, ½ or 0, or its rank among more than two.
 * @param {readonly number[]} ranks
 * @param {number} seat
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
  return [blockedText(blocked.map(nameOf)), skippedText(left.map(nameOf))].filter((part) => part !== "").join(" ");
}

/** @param {string[]} names Players' names, or "You". */
function blockedText(names) {
  if (names.length === 0) return "";
  if (names.length === 1 && names[0] === READER) return gettext("You could not move and passed.");
  const values = { names: listedNames(names) };
  if (names.includes(READER)) return pgettext("you and others", "{names} could not move and passed.", values);
  return ngettext("{names} could not move and passed.", "{names} could not move and passed.", names.length, values);
}

/** @param {string[]} names Players' names, or "You". */
function skippedText(names) {
  if (names.length === 0) return "";
  if (names.length === 1 && names[0] === READER) return gettext("You left and are skipped.");
  const values = { names: listedNames(names) };
  if (names.includes(READER)) return pgettext("you and others", "{names} left and are skipped.", values);
  return ngettext("{names} left and is skipped.", "{names} left and are skipped.", names.length, values);
}

/**
 * The seat that lost because it cannot move.
 * @param {{ plies: readonly Ply[], end?: Ended | null }} match
 * @returns {number | null}
 */
export function blockedSeat({ end, plies }) {
  const last = plies.at(-1);
  if (!end || last === undefined || end.ranks?.length !== 2 || !BLOCKED.includes(end.reason)) return null;
  return end.ranks[1 - last.seat] === 2 ? 1 - last.seat : null;
}

/** @param {string} name A player's name, or "You". @returns {string} The name by itself or in a list. */
export function spoken(name) {
  return name === READER ? gettext(READER) : name;
}

/**
 * @param {readonly string[]} names Players' names, or "You".
 * @returns {string} `You, Ann and Ben`: the reader comes first.
 */
function listedNames(names) {
  const others = names.filter((name) => name !== READER);
  return listText([...names.filter((name) => name === READER).map(spoken), ...others]);
}

/** @param {string} name A player's name, or "You". @returns {string} `A bot plays on for Ben.` */
export function botPlaysOnText(name) {
  return name === READER ? gettext("A bot plays on for you.") : gettext("A bot plays on for {name}.", { name });
}

/** The clock of a match, or each player's. @param {MatchState} state */
export function timeText({ clock, plan, players }) {
  const own_ms = plan.map(({ initial_ms }) => initial_ms);
  return clocksText(clock, own_ms, players.map((player) => (player === null ? "" : shownName(player.name))));
}

/**
 * What a match is, for its page: `Ming Mang · 5+2 · casual · 3 watching`.
 * @param {MatchState} state
 * @param {GameInfo | undefined} game
 */
export function audienceText(state, game) {
  const kind = state.isImported ? gettext("imported") : state.isExhibition ? gettext("exhibition") : state.isRated ? gettext("rated") : gettext("casual");
  const delay = state.isDelayed ? [ngettext("delayed by {count} move", "delayed by {count} moves", state.delayPlies)] : [];
  const watching = state.spectators === 0 ? [] : [ngettext("{count} watching", "{count} watching", state.spectators)];
  return [game?.title ?? state.game, timeText(state), kind, ...delay, ...watching].join(" · ");
}
