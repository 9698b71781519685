/**
 * A match as its events tell it: positions ply by ply, players, clocks, turn and result.
 *
 * Headless, and no rules: what lies where is what the server said. Pages draw it, and tests read it.
 */

import { NOBODY } from "../protocol.js";
import { MatchClocks } from "./match_clocks.js";
import { OfferBook } from "./offer_book.js";
import { EMPTY, changed } from "./position.js";

/** @import { Audience, Change, ClockSettings, Created, Ended, Geometry, Happened, MatchEvent, MatchMessage, MoveTree, Player, Rated, SeatPlan, SeatRating, StandInChoice, StoodIn, Turn, Watching } from "../protocol.js" */
/** @import { Position } from "./position.js" */

/**
 * @typedef {object} Ply
 * @property {number} seat
 * @property {string} move Its text.
 * @property {readonly Change[]} changes
 * @property {boolean} isForced Whether the server passed for a seat that has no other move or is passed over.
 */
/**
 * A seat that was left while others play on.
 * @typedef {object} Leaving
 * @property {string} reason
 * @property {ReadonlyMap<number, StandInChoice>} votes By seat.
 * @property {StoodIn | null} decision Null while the others choose.
 */

export class MatchState {
  /** Of the last event. */
  seq = 0;
  /** Whether everything up to the answer to `watch` has arrived. */
  isLoaded = false;
  /** @type {Geometry | null} */
  board = null;
  game = "";
  /** As dealt at the creation; empty before it. @type {SeatPlan[]} */
  plan = [];
  /** @type {ClockSettings | null} */
  clock = null;
  /** @type {(Player | null)[]} */
  players = [];
  isStarted = false;
  /** So long each seat has for its first ply, for which no clock runs; null where there is no such rule. @type {number | null} */
  firstPly_ms = null;
  /** @type {Ply[]} */
  plies = [];
  /** `positions[n]` is what lies on the board after n plies. @type {Position[]} */
  positions = [EMPTY];
  /** @type {number | null} */
  toMove = null;
  /** @type {Ended | null} */
  end = null;
  spectators = 0;
  /** Which seats are connected. @type {boolean[]} */
  present = [];
  /** For each seat whose player is away, from when that may be claimed. @type {(number | null)[]} */
  #claimable_ms = [];
  offers = new OfferBook();
  isRated = false;
  /** What each seat's player was rated when sitting down. @type {(SeatRating | null)[]} */
  ratings = [];
  /** What the match has done to the ratings, once that is settled. @type {Rated | null} */
  rated = null;
  /** The next match. @type {string | null} */
  rematch = null;
  /** By seat, in the order of leaving. @type {Map<number, Leaving>} */
  leavings = new Map();

  /** @type {Set<number>} */
  #ownSeats = new Set();
  #loadedFrom = Infinity;
  #turnFrom = 0;
  /** @type {Turn | null} */
  #turn = null;
  #clocks = new MatchClocks(null, 0);

  /**
   * @param {string} id
   * @param {() => string | undefined} ownId The identity of this browser, once known.
   */
  constructor(id, ownId) {
    this.id = id;
    this.ownId = ownId;
  }

  /** What lies on the board now. @returns {Position} */
  get position() {
    return /** @type {Position} */ (this.positions.at(-1));
  }

  /** The seats that this browser holds, in order. @returns {number[]} */
  get ownSeats() {
    return this.players.flatMap((player, seat) => (this.isOwn(seat, player) ? [seat] : []));
  }

  /** Of these, the seats that have not left. @returns {number[]} */
  get activeSeats() {
    return this.ownSeats.filter((seat) => !this.leavings.has(seat));
  }

  /** Seats that were left and for which nobody stands in yet. @returns {number[]} */
  get undecidedSeats() {
    if (this.end) return [];
    return [...this.leavings].flatMap(([seat, { decision }]) => (decision === null ? [seat] : []));
  }

  /** The forced passes since the last move that somebody chose. @returns {Ply[]} */
  get latestPasses() {
    const chosen = this.plies.findLastIndex((ply) => !ply.isForced);
    return this.plies.slice(chosen + 1);
  }

  /** Seats that wait for somebody. @returns {number[]} */
  get openSeats() {
    return this.end ? [] : this.players.flatMap((player, seat) => (player === null ? [seat] : []));
  }

  /** Whether play may still be called off without a result. @returns {boolean} */
  get canAbort() {
    return this.end === null && this.plies.length < this.players.length;
  }

  /** Whether another person still plays. */
  get hasOpponents() {
    const isOther = (/** @type {Player | null} */ player, /** @type {number} */ seat) =>
      player !== null && !player.level && !this.isOwn(seat, player) && !this.leavings.has(seat);
    return this.players.some(isOther);
  }

  /** Whether an own seat has made a move that could be taken back. */
  get hasPlied() {
    return this.plies.some(({ seat, isForced }) => !isForced && this.activeSeats.includes(seat));
  }

  /** The legal moves, if it is an own seat's turn and they are known. @returns {MoveTree | null} */
  get moves() {
    return this.#currentTurn()?.moves ?? null;
  }

  /** The moves that only the ban on repetition forbids, if the server told them. @returns {MoveTree | null} */
  get barredMoves() {
    return this.#currentTurn()?.refused ?? null;
  }

  /**
   * What a seat has left, in milliseconds; null in an untimed match.
   * @param {number} seat
   * @param {number} now_ms By the server's clock.
   * @returns {number | null}
   */
  clock_ms(seat, now_ms) {
    return this.#clocks.left_ms(seat, this.clockSeat === seat, now_ms);
  }

  /**
   * What is left, in milliseconds, until the match is judged as it stands; null in a match without such a limit.
   * @param {number} now_ms By the server's clock.
   * @returns {number | null}
   */
  limitLeft_ms(now_ms) {
    return this.#clocks.limitLeft_ms(now_ms);
  }

  /** Whose clock runs; that of a seat that was left stands. @returns {number | null} */
  get runningSeat() {
    const isGoingOn = this.isStarted && this.end === null && !this.offers.isPaused;
    const isRunning = isGoingOn && !this.leavings.has(this.toMove ?? NOBODY);
    return isRunning ? this.toMove : null;
  }

  /** Whose time is being used up: nobody's while each seat makes its first ply. @returns {number | null} */
  get clockSeat() {
    return this.#isFirstPly ? null : this.runningSeat;
  }

  /** By when the seat to move must have made its first ply, by the server's clock. @returns {number | null} */
  get firstPlyDue_ms() {
    const isAwaited = this.#isFirstPly && this.runningSeat !== null && !this.players[this.runningSeat]?.level;
    return isAwaited ? this.#clocks.turnFrom_ms + (this.firstPly_ms ?? 0) : null;
  }

  /**
   * How much of the running seat's delay is left, of this ply; null in a match without delay.
   * @param {number} now_ms By the server's clock.
   * @returns {number | null}
   */
  delay_ms(now_ms) {
    return this.clockSeat === null ? null : this.#clocks.delayLeft_ms(now_ms);
  }

  get #isFirstPly() {
    return this.firstPly_ms !== null && this.plies.length < this.players.length;
  }

  /** Whose players are away, and from when that may be claimed, by the server's clock; one's own seats are not told. */
  get absences() {
    if (this.end !== null) return [];
    return this.#claimable_ms.flatMap((claimable_ms, seat) =>
      claimable_ms === null || this.leavings.has(seat) || this.ownSeats.includes(seat) ? [] : [{ seat, claimable_ms }],
    );
  }

  /**
   * Take a message in.
   * @param {MatchMessage} message
   * @returns {{ news: MatchEvent[], isGap: boolean }} The events that were new; whether some before them are missing,
   *   so that the match must be followed anew from `seq`.
   */
  receive(message) {
    switch (message.type) {
      case "watching":
        this.#watch(message);
        return { news: [], isGap: false };
      case "turn":
        // Told again after a reconnection: the same tree, so that a move being entered is not lost.
        if (message.seq !== this.#turn?.seq || message.seat !== this.#turn.seat) this.#turn = message;
        return { news: [], isGap: false };
      case "renamed":
        this.players = this.players.with(message.seat, message.player);
        return { news: [], isGap: false };
      case "audience":
        this.#hear(message);
        return { news: [], isGap: false };
      case "happened":
        return this.#takeIn([message]);
      case "happenings":
        return this.#takeIn(message.events);
      default:
        return { news: [], isGap: false };
    }
  }

  /**
   * @param {number} seat
   * @param {Player | null} player
   */
  isOwn(seat, player) {
    return this.#ownSeats.has(seat) || (player !== null && player.id === this.ownId());
  }

  /** @returns {Turn | null} */
  #currentTurn() {
    const turn = this.#turn;
    if (turn === null || this.end !== null || this.offers.isPaused || turn.seat !== this.toMove || this.leavings.has(turn.seat)) return null;
    return turn.seq >= this.#turnFrom && turn.seq <= this.seq ? turn : null;
  }

  /** @param {Watching} watching */
  #watch(watching) {
    this.board ??= watching.board;
    this.#ownSeats = new Set(watching.your_seats);
    this.#loadedFrom = watching.seq;
    this.isLoaded = this.seq >= this.#loadedFrom;
  }

  /** @param {Audience} audience */
  #hear(audience) {
    this.spectators = audience.spectators;
    this.present = audience.present;
    this.#claimable_ms = audience.claimable_at_ms ?? [];
  }

  /**
   * @param {Happened[]} happenings
   * @returns {{ news: MatchEvent[], isGap: boolean }}
   */
  #takeIn(happenings) {
    /** @type {MatchEvent[]} */
    const news = [];
    for (const happened of happenings) {
      if (happened.seq <= this.seq) continue;
      if (happened.seq > this.seq + 1) return { news, isGap: true };
      this.#apply(happened);
      news.push(happened.event);
    }
    this.isLoaded ||= this.seq >= this.#loadedFrom;
    return { news, isGap: false };
  }

  /** @param {Happened} happened */
  #apply(happened) {
    const { event, view, at_ms } = happened;
    this.seq = happened.seq;
    this.toMove = happened.to_move;
    switch (event.type) {
      case "created":
        this.#create(event);
        this.positions = [changed({ ...EMPTY, board: this.board }, view)];
        break;
      case "seated":
        this.players = this.players.with(event.seat, event.player);
        this.ratings[event.seat] = event.rating ?? null;
        break;
      case "rated":
        this.rated = event;
        break;
      case "started":
        this.isStarted = true;
        this.firstPly_ms = event.first_ply_ms ?? null;
        this.#turnFrom = this.seq;
        this.#clocks.start(at_ms);
        break;
      case "moved":
        this.plies.push({
          seat: event.seat,
          move: event.move,
          changes: view?.board ? [] : (view?.changes ?? []),
          isForced: event.forced ?? false,
        });
        this.positions.push(changed(this.position, view));
        this.#turnFrom = this.seq;
        this.#clocks.turn(at_ms, event.clocks_ms);
        break;
      case "resumed":
        this.#clocks.resume(at_ms, event);
        break;
      case "ended":
        this.end = event;
        if (view) this.positions[this.positions.length - 1] = changed(this.position, view);
        this.#clocks.turn(at_ms, event.clocks_ms);
        break;
      case "left":
        this.leavings.set(event.seat, { reason: event.reason, votes: new Map(), decision: null });
        break;
      case "stand_in_chosen":
        this.#choose(event.for_seat, ({ votes }) => ({ votes: new Map(votes).set(event.seat, event.choice) }));
        break;
      case "stood_in":
        this.#choose(event.seat, () => ({ decision: event }));
        break;
      case "taken_back":
        this.plies = this.plies.slice(0, -event.plies);
        this.positions = this.positions.slice(0, -event.plies);
        this.#turnFrom = this.seq;
        this.#clocks.turn(at_ms, event.clocks_ms);
        break;
      case "time_given":
        this.#clocks.give(event);
        break;
      case "paused":
        this.#clocks.pause(at_ms, event);
        break;
      case "pause_ended":
        this.#turnFrom = this.seq;
        this.#clocks.resume(at_ms, event);
        break;
      case "rematch_started":
        this.rematch = event.match;
        break;
    }
    this.offers.apply(event, this.plies.length, this.players.length);
  }

  /** @param {Created} created */
  #create(created) {
    this.game = created.game;
    this.plan = created.seats;
    this.clock = created.clock;
    this.isListed = created.listed ?? false;
    this.invited = created.invited ?? null;
    this.isRated = created.rated ?? false;
    this.players = created.seats.map(() => null);
    this.#clocks = new MatchClocks(created.clock, created.seats.length);
  }

  /**
   * @param {number} seat That was left.
   * @param {(leaving: Leaving) => Partial<Leaving>} change
   */
  #choose(seat, change) {
    const leaving = this.leavings.get(seat);
    if (leaving) this.leavings.set(seat, { ...leaving, ...change(leaving) });
  }
}
