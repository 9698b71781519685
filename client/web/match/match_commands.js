/**
 * The reader's commands in one match; a refusal is shown as a toast. The promises settle once the server has answered.
 *
 * No other DOM. The page decides when a command is available, the server whether it is legal.
 */

import { answerOrToast } from "../toasts.js";
import { seatPlans } from "./seat_plans.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ClaimOutcome, Command } from "../connection/questions.js" */
/** @import { Accepted, Level, OfferKind, StandIn } from "../protocol.js" */
/** @import { Opponent } from "./seat_plans.js" */
/** @import { MatchState } from "./match_state.js" */

export class MatchCommands {
  /** @param {Connection} connection @param {MatchState} state @param {(command: Command) => void} onRefused */
  constructor(connection, state, onRefused) {
    this.connection = connection;
    this.state = state;
    this.onRefused = onRefused;
  }

  /** @param {number} seat */
  join(seat) {
    return this.#send({ type: "join", match: this.state.id, seat });
  }

  /** Seat a bot. @param {number} seat @param {Level} level */
  fill(seat, level) {
    return this.#send({ type: "fill_seat", match: this.state.id, seat, level });
  }

  /** @param {number} seat @param {string[]} clicks The clicks of a complete move. */
  play(seat, clicks) {
    return this.#send({ type: "play", match: this.state.id, seat, move: clicks.join(" ") });
  }

  /** @param {"abort" | "resign"} type Sent for the seat to move, if the reader holds it. */
  end(type) {
    const { activeSeats, toMove } = this.state;
    const seat = toMove !== null && activeSeats.includes(toMove) ? toMove : activeSeats[0];
    return this.#send({ type, match: this.state.id, seat });
  }

  /** Leave every seat, before the match starts. */
  leaveSeat() {
    return Promise.all(this.state.ownSeats.map((seat) => this.#send({ type: "leave_seat", match: this.state.id, seat })));
  }

  offerRematch() {
    const seats = this.state.ownSeats.filter((seat) => !this.state.offers.rematch.has(seat));
    return Promise.all(seats.map((seat) => this.#send({ type: "rematch", match: this.state.id, seat })));
  }

  declineRematch() {
    return Promise.all(this.state.ownSeats.map((seat) => this.#send({ type: "decline_rematch", match: this.state.id, seat })));
  }

  /** @param {OfferKind} kind Offered in the position that the reader sees. */
  offer(kind) {
    const { id, plies } = this.state;
    return this.#send({ type: "offer", match: id, seat: this.#offeringSeat(kind), kind, ply: plies.length });
  }

  /** @param {Level} level Of the bot that would play on for the reader. */
  handOver(level) {
    const { id, plies, activeSeats } = this.state;
    return this.#send({ type: "offer", match: id, seat: activeSeats[0], kind: "hand_over", ply: plies.length, level });
  }

  /** @param {number} seat Of the bot for which the reader would play on. */
  askForSeat(seat) {
    return this.#send({ type: "ask_for_seat", match: this.state.id, seat });
  }

  /** @param {number} seat @param {Level | null} level Of the bot that plays on; null for the reader. */
  changePlayer(seat, level) {
    return this.#send({ type: "change_player", match: this.state.id, seat, level });
  }

  pauseBots() {
    return this.#send({ type: "pause_bots", match: this.state.id });
  }

  /** @param {number | null} plies After how many plies the bots pause again; null for no further pause. */
  resumeBots(plies) {
    return this.#send({ type: "resume_bots", match: this.state.id, plies });
  }

  /** @param {OfferKind} kind @param {"accept_offer" | "decline_offer"} type */
  answer(kind, type) {
    return this.#send({ type, match: this.state.id, seat: this.state.activeSeats[0], kind });
  }

  /** @param {"give_time" | "berserk" | "end_pause"} type */
  settle(type) {
    return this.#send({ type, match: this.state.id, seat: this.state.activeSeats[0] });
  }

  /** @param {number} forSeat @param {StandIn} choice */
  chooseStandIn(forSeat, choice) {
    const { id, activeSeats } = this.state;
    return Promise.all(activeSeats.map((seat) => this.#send({ type: "choose_stand_in", match: id, seat, for_seat: forSeat, choice })));
  }

  /** @param {number} forSeat The seat of the absent player. @param {ClaimOutcome} outcome */
  claim(forSeat, outcome) {
    const [seat] = this.state.activeSeats;
    return this.#send({ type: "claim", match: this.state.id, seat, for_seat: forSeat, outcome });
  }

  /**
   * Start a casual match from a position of this one.
   * @param {string} setup
   * @param {number} ply The ply of that position.
   * @param {Opponent} opponent
   * @param {Level} level
   * @returns {Promise<Accepted | null>} Null if refused.
   */
  playFrom(setup, ply, opponent, level) {
    const { game, players, plies, toMove } = this.state;
    const own = plies[ply]?.seat ?? toMove ?? ((plies[ply - 1]?.seat ?? -1) + 1) % players.length;
    const seats = seatPlans(players.length, own, opponent, level);
    return this.#send({ type: "create", game, seats, setup, clock: null, shuffle: false });
  }

  /**
   * Start the same match against another level of the bot, with seats exchanged as in a rematch.
   * @param {Level} level
   * @returns {Promise<Accepted | null>} Null if refused.
   */
  playLevel(level) {
    const { game, setup, clock, players, ownSeats } = this.state;
    const own = (ownSeats[0] + 1) % players.length;
    return this.#send({ type: "create", game, seats: seatPlans(players.length, own, "bot", level), setup, clock, shuffle: false });
  }

  /** With several own seats, the one that moved last asks for the takeback. @param {OfferKind} kind */
  #offeringSeat(kind) {
    const { activeSeats, plies } = this.state;
    const latest = kind === "takeback" ? plies.findLast(({ seat, isForced }) => !isForced && activeSeats.includes(seat)) : undefined;
    return latest?.seat ?? activeSeats[0];
  }

  /** @param {Command} command @returns {Promise<Accepted | null>} Null if refused. */
  async #send(command) {
    const accepted = await answerOrToast(this.connection.command(command));
    if (accepted === null) this.onRefused(command);
    return accepted;
  }
}
