/**
 * A match as this reader sees it: the public match plus own seats, legal moves and presence.
 *
 * No DOM and no rules: the server sends the legal moves.
 */

import { isOnDevice } from "../device/device_ids.js";
import { PublicMatch } from "./public_match.js";

/** @import { ClockFace } from "../clock_face.js" */
/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { AudienceUpdate, Event, MatchEvent, MoveTree, Player, Turn, Watching } from "../protocol.js" */

export class MatchState extends PublicMatch {
  /** Whether all events up to the answer to `watch` have arrived. */
  isLoaded = false;
  spectators = 0;
  /** Whether an open seat is kept for the reader. */
  isReserved = false;
  /** Which seats are connected. @type {boolean[]} */
  present = [];

  /** For each absent player's seat, when claims are allowed. @type {(number | null)[]} */
  #claimable_ms = [];
  /** @type {Set<number>} */
  #ownSeats = new Set();
  #loadedFrom = Infinity;
  /** @type {Turn | null} */
  #turn = null;

  /** @param {string} id @param {() => string | undefined} ownId The id of the reader, once known. */
  constructor(id, ownId) {
    super();
    this.id = id;
    this.ownId = ownId;
  }

  /**
   * The request that follows the match; each new connection asks for the events since the last one.
   * @param {boolean} [glance] Whether not to count as a spectator.
   * @param {boolean} [reserves] Whether an open seat is to be kept for the reader.
   */
  request(glance = false, reserves = false) {
    const state = this;
    return {
      type: /** @type {const} */ ("watch"),
      match: this.id,
      glance,
      reserves,
      get since() {
        return state.seq;
      },
    };
  }

  /** The reader's seats, in order. @returns {number[]} */
  get ownSeats() {
    return this.players.flatMap((player, seat) => (this.isOwn(seat, player) ? [seat] : []));
  }

  /** The reader's seats that have not departed. @returns {number[]} */
  get activeSeats() {
    return this.ownSeats.filter((seat) => !this.departures.has(seat));
  }

  /** Whether the reader joined another player's match that has not started, so that they may leave but not call it off. */
  get isGuestBeforeStart() {
    const host = this.hostSeat;
    return !this.isStarted && this.end === null && host !== null && !this.ownSeats.includes(host);
  }

  /** Whether it is played on this device, without the server. */
  get isOnDevice() {
    return isOnDevice(this.id);
  }

  /** Whether another person is still playing. */
  get hasOpponents() {
    const isOther = (/** @type {Player | null} */ player, /** @type {number} */ seat) =>
      player !== null && !player.level && !this.isOwn(seat, player) && !this.departures.has(seat);
    return this.players.some(isOther);
  }

  /** Whether the reader may ask for a bot to play on: in a casual match outside tournaments, if another person is left to play. */
  get canHandOver() {
    return this.isStarted && this.end === null && !this.isRated && this.tournament === null && this.activeSeats.length === 1 && this.hasOpponents;
  }

  /** The seats of bots that the reader, a spectator, may ask to take over. @returns {number[]} */
  get seatsToTakeOver() {
    const isOpen = this.isStarted && this.end === null && !this.isRated && this.tournament === null && this.ownSeats.length === 0 && this.hasOpponents;
    return isOpen ? this.players.flatMap((player, seat) => (player?.level && !this.departures.has(seat) ? [seat] : [])) : [];
  }

  /** Whether the reader may change the players: of a casual match outside tournaments in which no other person plays. */
  get canChangePlayers() {
    const isOthers = (/** @type {Player | null} */ player, /** @type {number} */ seat) => !player?.level && !this.isOwn(seat, player) && !this.departures.has(seat);
    const isInvolved = this.ownSeats.length > 0 || this.director === this.ownId();
    return this.isStarted && this.end === null && !this.isRated && this.tournament === null && !this.isOnDevice && isInvolved && !this.players.some(isOthers);
  }

  /** Whether the reader created this match, only bots play it, and the reader may pause it. */
  get isDirector() {
    return this.canChangePlayers && this.ownSeats.length === 0;
  }

  /** The level of the only opponent, in such a match of two against a bot that is no personality; 0 in others. */
  get soleBotLevel() {
    const bot = this.players.find((player) => player?.level);
    const isSole = this.canChangePlayers && this.players.length === 2 && this.activeSeats.length === 1;
    return isSole && bot?.id === `bot-${bot?.level}` ? (bot.level ?? 0) : 0;
  }

  /** Whether another person has a seat, or may take one. */
  get hasCompany() {
    const isPerson = (/** @type {Player | null} */ player, /** @type {number} */ seat) =>
      player !== null && !player.level && !player.bot && !this.isOwn(seat, player);
    return this.openSeats.length > 0 || this.players.some(isPerson);
  }

  /** Whether the reader may halve the time now. */
  get canBerserk() {
    const [seat] = this.activeSeats;
    return this.allowsBerserk && this.isStarted && this.end === null && seat !== undefined && !this.berserk.has(seat) && !this.plies.some((ply) => ply.seat === seat);
  }

  /** Whether the reader has made a move that could be taken back. */
  get hasPlied() {
    return this.plies.some(({ seat, isForced }) => !isForced && this.activeSeats.includes(seat));
  }

  /** The legal moves, if it is the reader's turn and they are known. @returns {MoveTree | null} */
  get moves() {
    return this.#currentTurn()?.moves ?? null;
  }

  /** Moves forbidden only because they repeat a position, if the server sent them. @returns {MoveTree | null} */
  get barredMoves() {
    return this.#currentTurn()?.refused ?? null;
  }

  /** What the reader's moves in progress achieve, by their clicks. */
  get moveHighlights() {
    return this.#currentTurn()?.highlights ?? {};
  }

  /**
   * What a seat's clock shows; null in an untimed match.
   * @param {number} seat
   * @param {number} now_ms By the server's clock.
   * @returns {ClockFace | null}
   */
  clockFace(seat, now_ms) {
    return this.clocks.face(seat, this.clockSeat === seat, now_ms);
  }

  /** Whether the reader sees the match with a delay. */
  get isDelayed() {
    return this.delayPlies > 0 && this.end === null && this.ownSeats.length === 0;
  }

  /**
   * The seat whose clock runs; null during the first plies and for spectators with a delay.
   * @returns {number | null}
   */
  get clockSeat() {
    return this.isFirstPly || this.isDelayed ? null : this.runningSeat;
  }

  /**
   * The rest of the running seat's delay in this ply; null without delay.
   * @param {number} now_ms By the server's clock.
   * @returns {number | null}
   */
  delay_ms(now_ms) {
    return this.clockSeat === null ? null : this.clocks.delayLeft_ms(now_ms);
  }

  /** Absent opponents, and when claims are allowed, by the server's clock. */
  get absences() {
    if (this.end !== null) return [];
    return this.#claimable_ms.flatMap((claimable_ms, seat) =>
      claimable_ms === null || this.departures.has(seat) || this.ownSeats.includes(seat) ? [] : [{ seat, claimable_ms }],
    );
  }

  /**
   * Apply a message.
   * @param {MatchMessage} message
   * @returns {{ news: Event[], isGap: boolean }} The new events, and whether earlier ones are missing,
   *   so that the match must be followed again from `seq`.
   */
  receive(message) {
    switch (message.type) {
      case "watching":
        this.#watch(message);
        return { news: [], isGap: false };
      case "turn":
        // Sent again after a reconnection: keep the same tree, so that a move being entered is not lost.
        if (message.seq !== this.#turn?.seq || message.seat !== this.#turn.seat) this.#turn = message;
        return { news: [], isGap: false };
      case "renamed":
        this.players = this.players.with(message.seat, message.player);
        return { news: [], isGap: false };
      case "audience_update":
        this.#hear(message);
        return { news: [], isGap: false };
      case "match_event":
        return this.#takeIn([message]);
      case "match_events":
        return this.#takeIn(message.events);
      default:
        return { news: [], isGap: false };
    }
  }

  /** @param {number} seat @param {Player | null} player */
  isOwn(seat, player) {
    if (player?.level) return false; // left to a bot since
    return this.#ownSeats.has(seat) || (player !== null && player.id === this.ownId());
  }

  /** @returns {Turn | null} */
  #currentTurn() {
    const turn = this.#turn;
    if (turn === null || this.end !== null || this.offers.isPaused || turn.seat !== this.toMove || this.departures.has(turn.seat)) return null;
    return turn.seq >= this.turnFrom && turn.seq <= this.seq ? turn : null;
  }

  /** @param {Watching} watching */
  #watch(watching) {
    this.board ??= watching.board;
    this.#ownSeats = new Set(watching.your_seats);
    this.isReserved = watching.reserved ?? false;
    this.#loadedFrom = watching.seq;
    this.isLoaded = this.seq >= this.#loadedFrom;
  }

  /** @param {AudienceUpdate} audience */
  #hear(audience) {
    this.spectators = audience.spectators;
    this.present = audience.present;
    this.#claimable_ms = audience.claimable_at_ms ?? [];
  }

  /** @param {MatchEvent[]} matchEvents @returns {{ news: Event[], isGap: boolean }} */
  #takeIn(matchEvents) {
    /** @type {Event[]} */
    const news = [];
    for (const matchEvent of matchEvents) {
      if (matchEvent.seq <= this.seq) continue;
      if (matchEvent.seq > this.seq + 1) return { news, isGap: true };
      this.apply(matchEvent);
      news.push(matchEvent.event);
    }
    this.isLoaded ||= this.seq >= this.#loadedFrom;
    return { news, isGap: false };
  }
}
