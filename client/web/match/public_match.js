/**
 * A match as built from its events: positions by ply, players, clocks, turn and result.
 *
 * No DOM and no rules: the server sends every position. It is the same for everyone; `match_state.js` adds what depends
 * on the reader.
 */

import { NOBODY } from "../protocol.js";
import { clockFace, starting_ms } from "../clock_face.js";
import { MatchClocks } from "./match_clocks.js";
import { OpenOffers } from "./open_offers.js";
import { EMPTY, changed } from "../board/position.js";

/** @import { ClockFace } from "../clock_face.js" */
/** @import { Annotated, Board as Geometry, Change, ClockSettings, Created, Ended, MatchEvent, Player, Rated, SeatPlan, SeatRating, StandIn, StoodIn } from "../protocol.js" */
/** @import { Position } from "../board/position.js" */

/**
 * @typedef {object} Ply
 * @property {number} seat
 * @property {string} move Its text.
 * @property {readonly Change[]} changes
 * @property {boolean} isForced Whether the server passed for a seat without moves or without a player.
 * @property {boolean} [isPlanned] Whether the server played it from the player's plan.
 * @property {number} [spent_ms] The time since the turn began.
 * @property {readonly (ClockFace | null)[]} faces What each seat's clock shows after it; null in an untimed match.
 */
/**
 * A seat whose player departed while others play on.
 * @typedef {object} Departure
 * @property {string} reason
 * @property {ReadonlyMap<number, StandIn>} votes By seat.
 * @property {StoodIn | null} decision Null while the other players choose.
 */

export class PublicMatch {
  /** Number of the last event. */
  seq = 0;
  /** @type {Geometry | null} */
  board = null;
  game = "";
  /** The text of the initial position. */
  setup = "";
  /** The seats as created; empty before. @type {SeatPlan[]} */
  plan = [];
  /** @type {ClockSettings | null} */
  clock = null;
  /** @type {(Player | null)[]} */
  players = [];
  isStarted = false;
  /** Time for each seat's first ply, during which no clock runs; null without that rule. @type {number | null} */
  firstPly_ms = null;
  /** @type {Ply[]} */
  plies = [];
  /** `positions[n]` is the position after n plies. @type {Position[]} */
  positions = [EMPTY];
  /** @type {number | null} */
  toMove = null;
  /** @type {Ended | null} */
  end = null;
  offers = new OpenOffers();
  /** The tournament that the match belongs to. @type {string | null} */
  tournament = null;
  /** Whether players may halve their time before their first move. */
  allowsBerserk = false;
  /** The seat of the host in a simultaneous exhibition. @type {number | null} */
  simulHost = null;
  /** The seats that have halved their time. @type {Set<number>} */
  berserk = new Set();
  isRated = false;
  /** Whether the match was imported as text, not played here. */
  isImported = false;
  /** The notes in the record of an imported match, by the number of plies before each; 0 is the start. @type {Map<number, Annotated>} */
  notes = new Map();
  /** Whether the server's bots play for spectators. */
  isExhibition = false;
  /** The id of the player who created this casual match without open seats; null for other matches. @type {string | null} */
  director = null;
  /** Delay for spectators, in plies. */
  delayPlies = 0;
  /** Each player's rating on taking the seat. @type {(SeatRating | null)[]} */
  ratings = [];
  /** Rating changes by the match, once known. @type {Rated | null} */
  rated = null;
  /** Whether a moderator voided the match. */
  isVoid = false;
  /** The rematch. @type {string | null} */
  rematch = null;
  /** By seat, in the order of departure. @type {Map<number, Departure>} */
  departures = new Map();
  /** Number of the event that started the current turn. */
  turnFrom = 0;
  clocks = new MatchClocks(null, []);

  /** The current position. @returns {Position} */
  get position() {
    return /** @type {Position} */ (this.positions.at(-1));
  }

  /** Seats without a player. @returns {number[]} */
  get openSeats() {
    return this.end ? [] : this.players.flatMap((player, seat) => (player === null ? [seat] : []));
  }

  /** Departed seats without a decision on a stand-in. @returns {number[]} */
  get undecidedSeats() {
    if (this.end) return [];
    return [...this.departures].flatMap(([seat, { decision }]) => (decision === null ? [seat] : []));
  }

  /** The forced passes since the last chosen move. @returns {Ply[]} */
  get latestPasses() {
    const chosen = this.plies.findLastIndex((ply) => !ply.isForced);
    return this.plies.slice(chosen + 1);
  }

  /** Whether the match can still be aborted. */
  get canAbort() {
    return this.tournament === null && this.end === null && this.plies.length < this.players.length;
  }

  /** The seat of the player who created the match for others to join; null if there is none. @returns {number | null} */
  get hostSeat() {
    const seat = this.plan.findIndex(({ occupant }) => occupant === "me");
    return seat === -1 || this.players[seat] === null ? null : seat;
  }

  /** The seat whose clock runs; departed seats have no running clock. @returns {number | null} */
  get runningSeat() {
    const isGoingOn = this.isStarted && this.end === null && !this.offers.isPaused;
    const isRunning = isGoingOn && !this.departures.has(this.toMove ?? NOBODY);
    return isRunning ? this.toMove : null;
  }

  /** Whether the seats are making their first plies. */
  get isFirstPly() {
    return this.firstPly_ms !== null && this.plies.length < this.players.length;
  }

  /** The deadline for the first ply of the seat to move, by the server's clock. @returns {number | null} */
  get firstPlyDue_ms() {
    const isAwaited = this.isFirstPly && this.runningSeat !== null && !this.players[this.runningSeat]?.level;
    return isAwaited ? this.clocks.turnFrom_ms + (this.firstPly_ms ?? 0) : null;
  }

  /**
   * What a seat's clock showed after a ply; null in an untimed match.
   * @param {number} seat
   * @param {number} ply
   * @returns {ClockFace | null}
   */
  pastFace(seat, ply) {
    if (this.clock === null) return null;
    if (ply === 0) return clockFace(this.clock, starting_ms(this.clock, this.plan[seat]), this.clock.periods ?? 0);
    return this.plies[ply - 1]?.faces[seat] ?? null;
  }

  /**
   * The rest of the match's time limit in milliseconds; null without one.
   * @param {number} now_ms By the server's clock.
   * @returns {number | null}
   */
  limitLeft_ms(now_ms) {
    return this.clocks.limitLeft_ms(now_ms);
  }

  /** Apply the next event. @param {MatchEvent} matchEvent */
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
      case "seat_freed":
        this.players = this.players.with(event.seat, null);
        this.ratings[event.seat] = null;
        break;
      case "rated":
        this.rated = event;
        break;
      case "voided":
        this.isVoid = true;
        break;
      case "annotated":
        this.notes.set(this.plies.length, event);
        break;
      case "started":
        this.isStarted = true;
        this.firstPly_ms = event.first_ply_ms ?? null;
        this.turnFrom = this.seq;
        this.clocks.start(at_ms);
        break;
      case "moved": {
        const spent_ms = Math.max(0, at_ms - this.clocks.turnFrom_ms);
        this.clocks.turn(at_ms, event.clocks_ms);
        this.plies.push({
          seat: event.seat,
          move: event.move,
          changes: view?.board ? [] : (view?.changes ?? []),
          isForced: event.forced ?? false,
          isPlanned: event.planned ?? false,
          spent_ms,
          faces: this.players.map((_, seat) => this.clocks.face(seat, false, at_ms)),
        });
        this.positions.push(changed(this.position, view));
        this.turnFrom = this.seq;
        break;
      }
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
      case "berserked":
        this.berserk.add(event.seat);
        this.clocks.set(event.clocks_ms);
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
    this.setup = created.setup;
    this.plan = created.seats;
    this.clock = created.clock;
    this.isListed = created.listed ?? false;
    this.invited = created.invited ?? null;
    this.isRated = created.rated ?? false;
    this.tournament = created.tournament ?? null;
    this.allowsBerserk = created.berserk ?? false;
    this.simulHost = created.host ?? null;
    this.isImported = created.imported ?? false;
    this.director = created.by ?? null;
    this.isExhibition = created.exhibition ?? false;
    this.delayPlies = created.delay_plies ?? 0;
    this.players = created.seats.map(() => null);
    this.clocks = new MatchClocks(created.clock, created.seats);
  }

  /** @param {number} seat The departed seat. @param {(leaving: Departure) => Partial<Departure>} change */
  #choose(seat, change) {
    const leaving = this.departures.get(seat);
    if (leaving) this.departures.set(seat, { ...leaving, ...change(leaving) });
  }
}
