/**
 * Plays a bot's seats in one match.
 *
 * At each change it compares what the match asks of the bot with what it has answered, so it makes no difference whether
 * the connection was lost in between.
 */

import { RefusedError } from "../connection/requests.js";
import { ConnectionLostError } from "./connection_lost.js";

/** @import * as Interface from "./millrace.d.mts" */
/** @import { Command } from "../connection/questions.js" */
/** @import { Code, Ended } from "../protocol.js" */
/** @import { MatchFeed } from "./match_feed.js" */
/** @import { PlayerConnection } from "./player_connection.js" */

/** Refusals of a move that are the bot's fault. Others occur when the position changes meanwhile. @type {ReadonlySet<Code>} */
const FAULTS = new Set(["bad_move", "illegal_move", "repetition_refused"]);
/** Time after the end of a match in which the bot answers the offer of a rematch. */
const REMATCH_MS = 30_000;

export class SeatPlayer {
  #connection;
  #feed;
  #decider;
  /** The latest turn that the bot was asked to play. @type {Interface.MyTurn | null} */
  #asked = null;
  /** The offers and departures that it has answered. @type {Set<unknown>} */
  #answered = new Set();

  /** @param {PlayerConnection} connection @param {MatchFeed} feed @param {Interface.Decider} decider */
  constructor(connection, feed, decider) {
    this.#connection = connection;
    this.#feed = feed;
    this.#decider = decider;
  }

  /** Play to the end of the match. @returns {Promise<Ended>} Rejects with RefusedError or ConnectionLostError. */
  async play() {
    const { match } = this.#feed;
    while (match.end === null) {
      if (match.isLoaded) this.#respond();
      await this.#feed.changed();
    }
    return match.end;
  }

  /** Answer the offers of a rematch for a while. @param {() => boolean} hasRoom Whether the bot may play another match. */
  async answerRematches(hasRoom) {
    const { offers, ownSeats, id } = this.#feed.match;
    const closing = setTimeout(() => this.#feed.close(), REMATCH_MS);
    try {
      for (;;) {
        const isOffered = [...offers.rematch].some((seat) => !ownSeats.includes(seat));
        for (const seat of isOffered ? ownSeats : []) {
          if (offers.rematch.has(seat) || offers.noRematch.has(seat)) continue;
          await this.#send({ type: hasRoom() ? "rematch" : "decline_rematch", match: id, seat });
        }
        await this.#feed.changed();
      }
    } catch {
      clearTimeout(closing); // the feed or the connection is closed
    }
  }

  #respond() {
    this.#answerOffers();
    this.#chooseStandIns();
    const { turn } = this.#feed;
    if (turn === null || turn === this.#asked) return;
    this.#asked = turn;
    this.#makePly(turn);
  }

  #answerOffers() {
    const { match } = this.#feed;
    const seats = match.activeSeats;
    for (const offer of match.offers.asking(seats).filter((each) => this.#isNew(each))) {
      const type = this.#decider.agrees?.(offer, match) ? "accept_offer" : "decline_offer";
      for (const seat of seats) this.#send({ type, match: match.id, seat, kind: offer.kind });
    }
  }

  /** Let bots play on for players who have left. */
  #chooseStandIns() {
    const { id, activeSeats, undecidedSeats } = this.#feed.match;
    for (const gone of undecidedSeats.filter((seat) => this.#isNew(seat))) {
      for (const seat of activeSeats) this.#send({ type: "choose_stand_in", match: id, seat, for_seat: gone, choice: "bot" });
    }
  }

  /** Whether something is to be answered for the first time. @param {unknown} asked */
  #isNew(asked) {
    const isNew = !this.#answered.has(asked);
    this.#answered.add(asked);
    return isNew;
  }

  /** @param {Interface.MyTurn} turn */
  async #makePly(turn) {
    let move = "";
    try {
      move = await this.#decider.choose(turn);
      if (!turn.signal.aborted) await turn.play(move);
    } catch (error) {
      const isRefused = error instanceof RefusedError;
      if (turn.signal.aborted || error instanceof ConnectionLostError || (isRefused && !FAULTS.has(error.code))) return;
      // The author's code or its move is at fault: the opponent must not wait forever.
      const fault = isRefused ? `the move ${move} was refused` : "the bot could not choose a move";
      this.#decider.say?.(`${turn.match.id}: ${fault} and the bot resigns: ${error}`);
      await this.#send({ type: "resign", match: turn.match.id, seat: turn.seat });
    }
  }

  /** Send a command that may come too late. @param {Command} command */
  async #send(command) {
    try {
      await this.#connection.command(command);
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof ConnectionLostError)) throw error;
    }
  }
}
