/**
 * The course of a match as its events tell it: positions ply by ply, players, clocks, turn and result.
 *
 * Headless, and no rules: what lies where is what the server said. It is the same for everyone; what depends on who
 * reads is in `match_state.js`, which alone imports it.
 */

import { NOBODY } from "../protocol.js";
import { MatchClocks } from "./match_clocks.js";
import { OpenOffers } from "./open_offers.js";
import { EMPTY, changed } from "../board/position.js";

/** @import { Board as Geometry, Change, ClockSettings, Created, Ended, MatchEvent, Player, Rated, SeatPlan, SeatRating, StandIn, StoodIn } from "../protocol.js" */
/** @import { Position } from "../board/position.js" */

/**
 * @typedef {object} Ply
 * @property {number} seat
 * @property {string} move Its text.
 * @property {readonly Change[]} changes
 * @property {boolean} isForced Whether the server passed for a seat that has no other move or is passed over.
 * @property {readonly number[] | null} clocks_ms What each seat had left after it; null in an untimed match.
 */
/**
 * A seat that was left while others play on.
 * @typedef {object} Departure
 * @property {string} reason
 * @property {ReadonlyMap<number, StandIn>} votes By seat.
 * @property {StoodIn | null} decision Null while the others choose.
 */

export class PublicMatch {
  /** Of the last event. */
  seq = 0;
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
  offers = new OpenOffers();
  isRated = false;
  /** Whether it was not played here, but brought along as text. */
  isImported = false;
  /** Whether the house's bots play for those who watch. */
  isExhibition = false;
  /** So many plies later those who hold no seat are told what happens. */
  delayPlies = 0;
  /** What each seat's player was rated when sitting down. @type {(SeatRating | null)[]} */
  ratings = [];
  /** What the match has done to the ratings, once that is settled. @type {Rated | null} */
  rated = null;
  /** Whether a moderator has declared that the result does not count. */
  isVoid = false;
  /** The next match. @type {string | null} */
  rematch = null;
  /** By seat, in the order of leaving. @type {Map<number, Departure>} */
  departures = new Map();
  /** The event with which the turn of now began. */
  turnFrom = 0;
  clocks = new MatchClocks(null, 0);

  /** What lies on the board now. @returns {Position} */
  get position() {
    return /** @type {Position} */ (this.positions.at(-1));
  }

  /** Seats that wait for somebody. @returns {number[]} */
  get openSeats() {
    return this.end ? [] : this.players.flatMap((player, seat) => (player === null ? [seat] : []));
  }

  /** Seats that were left and for which nobody stands in yet. @returns {number[]} */
  get undecidedSeats() {
    if (this.end) return [];
    return [...this.departures].flatMap(([seat, { decision }]) => (decision === null ? [seat] : []));
  }

  /** The forced passes since the last move that somebody chose. @returns {Ply[]} */
  get latestPasses() {
    const chosen = this.plies.findLastIndex((ply) => !ply.isForced);
    return this.plies.slice(chosen + 1);
  }

  /** Whether play may still be called off without a result. @returns {boolean} */
  get canAbort() {
    return this.end === null && this.plies.length < this.players.length;
  }

  /** Whose clock runs; that of a seat that was left stands. @returns {number | null} */
  get runningSeat() {
    const isGoingOn = this.isStarted && this.end === null && !this.offers.isPaused;
    const isRunning = isGoingOn && !this.departures.has(this.toMove ?? NOBODY);
    return isRunning ? this.toMove : null;
  }

  /** Whether each seat still makes its first ply. */
  get isFirstPly() {
    return this.firstPly_ms !== null && this.plies.length < this.players.length;
  }

  /** By when the seat to move must have made its first ply, by the server's clock. @returns {number | null} */
  get firstPlyDue_ms() {
    const isAwaited = this.isFirstPly && this.runningSeat !== null && !this.players[this.runningSeat]?.level;
    return isAwaited ? this.clocks.turnFrom_ms + (this.firstPly_ms ?? 0) : null;
  }

  /**
   * What a seat had left after so many plies, in milliseconds; null in an untimed match.
   * @param {number} seat
   * @param {number} ply
   * @returns {number | null}
   */
  pastClock_ms(seat, ply) {
    return (ply === 0 ? this.clock?.initial_ms : this.plies[ply - 1]?.clocks_ms?.[seat]) ?? null;
  }

  /**
   * What is left, in milliseconds, until the match is judged as it stands; null in a match without such a limit.
   * @param {number} now_ms By the server's clock.
   * @returns {number | null}
   */
  limitLeft_ms(now_ms) {
    return this.clocks.limitLeft_ms(now_ms);
  }

  /** Take the next event in. @param {MatchEvent} matchEvent */
  apply(matchEvent) {
    const { event, view, at_ms } = matchEvent;
    this.seq = matchEvent.seq;
    this.toMove = matchEvent.to_move;
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
      case "voided":
        this.isVoid = true;
        break;
      case "started":
        this.isStarted = true;
        this.firstPly_ms = event.first_ply_ms ?? null;
        this.turnFrom = this.seq;
        this.clocks.start(at_ms);
        break;
      case "moved":
        this.plies.push({
          seat: event.seat,
          move: event.move,
          changes: view?.board ? [] : (view?.changes ?? []),
          isForced: event.forced ?? false,
          clocks_ms: event.clocks_ms,
        });
        this.positions.push(changed(this.position, view));
        this.turnFrom = this.seq;
        this.clocks.turn(at_ms, event.clocks_ms);
        break;
      case "resumed":
        this.clocks.resume(at_ms, event);
        break;
      case "ended":
        this.end = event;
        if (view) this.positions[this.positions.length - 1] = changed(this.position, view);
        this.clocks.turn(at_ms, event.clocks_ms);
        break;
      case "left":
        this.departures.set(event.seat, { reason: event.reason, votes: new Map(), decision: null });
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
        this.turnFrom = this.seq;
        this.clocks.turn(at_ms, event.clocks_ms);
        break;
      case "time_given":
        this.clocks.give(event);
        break;
      case "paused":
        this.clocks.pause(at_ms, event);
        break;
      case "pause_ended":
        this.turnFrom = this.seq;
        this.clocks.resume(at_ms, event);
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
    this.isImported = created.imported ?? false;
    this.isExhibition = created.exhibition ?? false;
    this.delayPlies = created.delay_plies ?? 0;
    this.players = created.seats.map(() => null);
    this.clocks = new MatchClocks(created.clock, created.seats.length);
  }

  /**
   * @param {number} seat That was left.
   * @param {(leaving: Departure) => Partial<Departure>} change
   */
  #choose(seat, change) {
    const leaving = this.departures.get(seat);
    if (leaving) this.departures.set(seat, { ...leaving, ...change(leaving) });
  }
}
