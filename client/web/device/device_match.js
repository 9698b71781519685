/**
 * A match on this device: the events that a server would send, made by the game's engine in this browser.
 *
 * The engine knows the rules; this module knows what players may do. No DOM.
 */

import { RefusedError } from "../connection/requests.js";
import { PublicMatch } from "../match/public_match.js";
import { later } from "../language/texts.js";
import { NOBODY } from "../protocol.js";
import { moveTreeOf } from "./move_tree.js";

/** @import { Board, Change, Ended, Event, MatchEvent, Refused, View } from "../protocol.js" */
/** @import { Command, MatchMessage } from "../connection/questions.js" */
/** @import { PlayEngine } from "../engine/play_engine.js" */
/** @import { Situation } from "../engine/engine_module.js" */
/** @import { KeptMatch } from "../offline/device_store.js" */
/** @import { PlayableGame } from "./playable_games.js" */

/** The reason of an end by counting territory. */
const TERRITORY = "territory";
const CANNOT = later("This is not possible in a match on this device.");
const NOT_LEGAL = later("This move is not allowed here.");
export const NOT_KEPT = later("This game’s engine is not saved on this device. It is fetched while you are connected.");
const ENGINE_FAILED = later("The engine of this game has failed in your browser. Please reload the page.");

export class DeviceMatch {
  #state = new PublicMatch();
  /** @type {MatchEvent[]} */
  #events = [];
  /** The moves played, in the engine's numbers. @type {number[]} */
  #moves;
  /** @type {Situation | null} */
  #situation = null;
  /** Settles when nothing is being done. @type {Promise<unknown>} */
  #done = Promise.resolve();
  /** @type {Set<(message: MatchMessage) => void>} */
  #followers = new Set();
  #keep;
  #playable;
  #engine;

  /**
   * @param {string} id
   * @param {PlayableGame | null} playable Null if the engine is missing: then the match can only be seen.
   * @param {PlayEngine} engine
   * @param {(match: KeptMatch) => unknown} keep
   * @param {KeptMatch | null} [kept] A match to continue.
   */
  constructor(id, playable, engine, keep, kept = null) {
    this.id = id;
    this.#playable = playable;
    this.#engine = engine;
    this.#keep = keep;
    this.archived = kept?.archived ?? "";
    this.#moves = [...(kept?.moves ?? [])];
    for (const message of kept?.messages ?? []) if (message.type === "match_event") this.#takeIn(message);
  }

  get state() {
    return this.#state;
  }

  /** The reader's seats. @returns {number[]} */
  get ownSeats() {
    return this.#state.plan.flatMap(({ occupant }, seat) => (occupant === "me" ? [seat] : []));
  }

  /** Begin the match. @param {Event[]} events Those before the first ply. */
  start(events) {
    return this.#inTurn(async () => {
      this.#situation = await this.#look();
      const view = this.#viewOf(this.#situation);
      for (const event of events) this.#record(event, event.type === "started" ? this.#situation.seat : null, event.type === "created" ? view : null);
      await this.#continue();
    });
  }

  /**
   * Send the match so far and what follows.
   * @param {number} since The number of the last event that is known.
   * @param {(message: MatchMessage) => void} receive
   * @returns {() => void} Ends it.
   */
  follow(since, receive) {
    const board = /** @type {Board} */ (this.#state.position.board ?? this.#playable?.board);
    receive({ type: "watching", match: this.id, seq: this.#state.seq, board, your_seats: this.ownSeats, now_ms: Date.now() });
    for (const event of this.#events) if (event.seq > since) receive(event);
    this.#followers.add(receive);
    this.#inTurn(() => this.#continue()).catch((error) => receive(refused(error.code, error.message)));
    return () => this.#followers.delete(receive);
  }

  /**
   * Carry out a command of the reader. Rejects with RefusedError.
   * @param {Command} command
   * @returns {Promise<number>} The number of the latest event.
   */
  async command(command) {
    await this.#inTurn(() => this.#carryOut(command));
    return this.#state.seq;
  }

  /** The match as it is kept. @returns {KeptMatch} */
  get kept() {
    const { game, players, seq } = this.#state;
    const board = /** @type {Board} */ (this.#state.position.board);
    const watching = { type: /** @type {const} */ ("watching"), match: this.id, seq, board, your_seats: this.ownSeats, now_ms: 0 };
    const at_ms = this.#events.at(-1)?.at_ms ?? 0;
    return { key: this.id, at_ms, game, players, messages: [watching, ...this.#events], moves: this.#moves, archived: this.archived };
  }

  /** Tell the players of the next match. @param {string} match */
  async rematch(match) {
    await this.#inTurn(async () => this.#record({ type: "rematch_started", match }, null));
  }

  /** @param {() => Promise<void>} act @returns {Promise<void>} One act after the other. */
  #inTurn(act) {
    const acted = this.#done.then(act);
    this.#done = acted.catch(() => undefined);
    return acted;
  }

  /** @param {Command} command */
  async #carryOut(command) {
    const seat = "seat" in command ? (command.seat ?? NOBODY) : NOBODY;
    if (this.#state.end !== null || !this.ownSeats.includes(seat)) throw refusal("not_allowed", CANNOT);
    if (command.type === "play") await this.#play(seat, command.move);
    else if (command.type === "resign") this.#resign(seat);
    else if (command.type === "abort" && this.#state.canAbort) this.#end(null, "aborted", "the match was called off", seat);
    else if (command.type === "offer" && command.kind === "takeback") await this.#takeBack(seat);
    else throw refusal("not_allowed", CANNOT);
  }

  /** @param {number} seat @param {string} clicks */
  async #play(seat, clicks) {
    this.#situation ??= await this.#look();
    const legal = seat === this.#situation.seat ? this.#situation.moves.find((each) => each.clicks.join(" ") === clicks) : undefined;
    if (legal === undefined) throw refusal("illegal_move", NOT_LEGAL);
    await this.#move(legal.move, false);
    await this.#continue();
  }

  /** Make the moves of bots and forced passes, until a player is to move or the match is over. */
  async #continue() {
    while (this.#state.end === null && this.#state.isStarted) {
      this.#situation ??= await this.#look();
      const { seat, end, forcedPass, territory } = this.#situation;
      const level = this.#state.players[seat]?.level;
      if (end !== null) {
        const view = end.reason === TERRITORY ? { ...this.#viewOf(this.#situation), territory: territory.slice(0, this.#state.position.board?.cells.length) } : null;
        this.#end(end.ranks, end.reason, end.explanation, null, view);
      } else if (forcedPass !== 0) await this.#move(forcedPass, true);
      else if (level) await this.#move(await this.#engine.choose(this.#line, level).catch(failed), false);
      else return this.#tell(this.#turn(this.#situation));
    }
  }

  /** @param {number} move @param {boolean} isForced */
  async #move(move, isForced) {
    const { seat, moves } = /** @type {Situation} */ (this.#situation);
    const text = moves.find((each) => each.move === move)?.text ?? "";
    this.#moves.push(move);
    this.#situation = await this.#look();
    this.#record({ type: "moved", seat, move: text, clocks_ms: null, forced: isForced, planned: false }, this.#situation.seat, this.#viewOf(this.#situation));
  }

  /** Take back the reader's latest move, and what followed. @param {number} seat */
  async #takeBack(seat) {
    const { plies } = this.#state;
    const last = plies.findLastIndex((ply) => ply.seat === seat && !ply.isForced);
    if (last < 0) throw refusal("not_allowed", CANNOT);
    this.#moves.length = last;
    this.#situation = await this.#look();
    this.#record({ type: "taken_back", seat, plies: plies.length - last, clocks_ms: null }, seat, this.#viewOf(this.#situation));
    await this.#continue();
  }

  /** @param {number} seat */
  #resign(seat) {
    const ranks = this.#state.players.map((_, other) => (other === seat ? 2 : 1));
    this.#end(ranks, "resignation", "", seat);
  }

  /** @param {number[] | null} ranks @param {string} reason @param {string} explanation @param {number | null} seat @param {View | null} [view] */
  #end(ranks, reason, explanation, seat, view = null) {
    /** @type {Ended} */
    const ended = { type: "ended", ranks, reason, explanation, seat, clocks_ms: null };
    this.#record(ended, null, view);
  }

  /** @param {Event} event @param {number | null} toMove @param {View | null} [view] */
  #record(event, toMove, view = null) {
    /** @type {MatchEvent} */
    const recorded = { type: "match_event", match: this.id, seq: this.#state.seq + 1, at_ms: Date.now(), event, to_move: toMove, view };
    this.#takeIn(recorded);
    if (this.#state.isStarted) this.#keep(this.kept);
    this.#tell(recorded);
  }

  /** @param {MatchEvent} event */
  #takeIn(event) {
    this.#events.push(event);
    this.#state.apply(event);
  }

  /** @param {MatchMessage} message */
  #tell(message) {
    for (const receive of this.#followers) receive(message);
  }

  /** @param {Situation} situation @returns {MatchMessage} */
  #turn({ seat, moves }) {
    return { type: "turn", match: this.id, seq: this.#state.seq, seat, moves: moveTreeOf(moves), refused: {}, highlights: {} };
  }

  get #line() {
    if (this.#playable === null) throw refusal("unavailable", NOT_KEPT);
    return { ...this.#playable.line, moves: this.#moves };
  }

  #look() {
    return this.#engine.look(this.#line).catch(failed);
  }

  /** What changes on the board. @param {Situation} situation @returns {View} */
  #viewOf({ piles, reserves, tallies }) {
    const known = this.#state.position;
    const board = known.board ?? /** @type {PlayableGame} */ (this.#playable).board;
    const changes = board.cells.flatMap(([cell], index) => {
      const [seat, size] = piles[index];
      const before = known.piles.get(cell);
      const isSame = (before?.seat ?? NOBODY) === seat && (before?.size ?? 0) === size;
      return isSame ? [] : [/** @type {Change} */ ([cell, seat, size])];
    });
    return { changes, reserves, tallies, board: known.board === null ? board : null, territory: null, ground: null, highlights: [] };
  }
}

/** @param {string} code @param {string} message */
export function refusal(code, message) {
  return new RefusedError(refused(code, message));
}

/** @param {string} code @param {string} message @returns {Refused} */
export function refused(code, message) {
  return { type: "refused", code: /** @type {Refused["code"]} */ (code), message, id: null, match: null, wording: [] };
}

/** @param {Error} error @returns {never} */
function failed(error) {
  console.error(error);
  throw refusal("unavailable", ENGINE_FAILED);
}
