/**
 * A match on this device: the events that a server would send, made by the game's engine in this browser.
 *
 * The engine knows the rules; this module knows what players may do. Events are stored, then told: of two tabs that
 * continue a match, the first to store wins, and the other one follows. No DOM.
 */

import { RefusedError } from "../connection/requests.js";
import { PublicMatch } from "../match/public_match.js";
import { later } from "../language/texts.js";
import { NOBODY } from "../protocol.js";
import { FORMAT } from "./device_records.js";
import { moveTreeOf } from "./move_tree.js";

/** @import { Board, Change, Event, MatchEvent, Refused, View } from "../protocol.js" */
/** @import { Command, MatchMessage } from "../connection/questions.js" */
/** @import { PlayEngine } from "../engine/play_engine.js" */
/** @import { Situation } from "../engine/engine_module.js" */
/** @import { DeviceStore, KeptMatch } from "../offline/device_store.js" */
/** @import { PlayableGame } from "./playable_games.js" */

/** The reason of an end by counting territory. */
const TERRITORY = "territory";
const CANNOT = later("This is not possible in a match on this device.");
const NOT_LEGAL = later("This move is not allowed here.");
export const NOT_KEPT = later("This game’s engine is not saved on this device. It is fetched while you are connected.");
const OTHER_RULES = later("An earlier version of this game was played here. You can look at the match, but not continue it.");
const NOT_SAVED = later("Your browser cannot save this match. You lose it when you close or reload this page.");
const CONTINUED = later("This match has been continued in another tab.");
export const NO_SUCH_MATCH = later("This match is not on this device.");
const ENGINE_FAILED = later("The engine of this game has failed in your browser. Please reload the page.");

export class DeviceMatch {
  #state = new PublicMatch();
  /** @type {MatchEvent[]} */
  #events = [];
  /** The moves so far in the engine's numbers, which may differ between releases; null while unknown. @type {number[] | null} */
  #moves = null;
  /** @type {Situation | null} */
  #situation = null;
  /** Settles when nothing is being done. @type {Promise<unknown>} */
  #done = Promise.resolve();
  /** @type {Set<(message: MatchMessage) => void>} */
  #followers = new Set();
  #isSaved = true;
  #playable;
  #engine;
  #store;
  #onKept;

  /**
   * @param {string} id
   * @param {PlayableGame | null} playable Null if the engine is missing: then the match can only be seen.
   * @param {PlayEngine} engine
   * @param {DeviceStore} store
   * @param {() => void} onKept Called when more of it is kept.
   * @param {KeptMatch | null} [kept] A match to continue.
   */
  constructor(id, playable, engine, store, onKept, kept = null) {
    this.id = id;
    this.#playable = playable;
    this.#engine = engine;
    this.#store = store;
    this.#onKept = onKept;
    this.archived = kept?.archived ?? "";
    this.#takeInKept(kept);
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
      const situation = await this.#look([]);
      const view = this.#viewOf(situation);
      for (const event of events) await this.#record(event, event.type === "started" ? situation.seat : null, event.type === "created" ? view : null);
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
    receive({ type: "watching", match: this.id, seq: this.#state.seq, board, your_seats: this.ownSeats, now_ms: Date.now(), reserved: false });
    for (const event of this.#events) if (event.seq > since) receive(event);
    if (!this.#isSaved) receive(refused("unavailable", NOT_SAVED));
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

  /** Follow what another tab has kept or deleted. */
  catchUp() {
    this.#inTurn(async () => {
      await this.#readAgain();
      await this.#continue();
    }).catch((error) => this.#tell(refused(error.code, error.message)));
  }

  /** The match as it is kept. @returns {KeptMatch} */
  get kept() {
    return this.#keptWith(this.#events);
  }

  /** @param {string} archived Its id in the reader's archive. */
  setArchived(archived) {
    return this.#inTurn(async () => {
      this.archived = archived;
      await this.#store.keepMatch(this.kept, this.#state.seq);
    });
  }

  /** Tell the players of the next match. @param {string} match */
  async rematch(match) {
    await this.#inTurn(async () => void (await this.#record({ type: "rematch_started", match }, null)));
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
    const isTaken = await this.#act(seat, command);
    await this.#continue();
    if (!isTaken) throw refusal("not_allowed", CONTINUED);
  }

  /** @param {number} seat @param {Command} command @returns {Promise<boolean>} False if another tab was first. */
  #act(seat, command) {
    if (command.type === "play") return this.#play(seat, command.move);
    if (command.type === "resign") return this.#resign(seat);
    if (command.type === "abort" && this.#state.canAbort) return this.#end(null, "aborted", "the match was called off", seat);
    if (command.type === "offer" && command.kind === "takeback") return this.#takeBack(seat);
    throw refusal("not_allowed", CANNOT);
  }

  /** @param {number} seat @param {string} clicks */
  async #play(seat, clicks) {
    const { seat: toMove, moves } = await this.#look();
    const legal = seat === toMove ? moves.find((each) => each.clicks.join(" ") === clicks) : undefined;
    if (legal === undefined) throw refusal("illegal_move", NOT_LEGAL);
    return this.#move(legal.move, false);
  }

  /** Make the moves of bots and forced passes, until a player is to move or the match is over. */
  async #continue() {
    while (this.#state.end === null && this.#state.isStarted) {
      const situation = await this.#look();
      const { seat, end, forcedPass, territory } = situation;
      const level = this.#state.players[seat]?.level;
      if (end !== null) {
        const view = end.reason === TERRITORY ? { ...this.#viewOf(situation), territory: territory.slice(0, this.#state.position.board?.cells.length) } : null;
        await this.#end(end.ranks, end.reason, end.explanation, null, view);
      } else if (forcedPass !== 0) await this.#move(forcedPass, true);
      else if (level) await this.#move(await this.#engine.choose({ ...this.#line, moves: await this.#numbers() }, level).catch(failed), false);
      else return this.#tell(this.#turn(situation));
    }
  }

  /** @param {number} move @param {boolean} isForced */
  async #move(move, isForced) {
    const { seat, moves } = await this.#look();
    const text = moves.find((each) => each.move === move)?.text ?? "";
    return this.#reach({ type: "moved", seat, move: text, clocks_ms: null, forced: isForced, planned: false }, [...(await this.#numbers()), move]);
  }

  /** Take back the reader's latest move, and what followed. @param {number} seat */
  async #takeBack(seat) {
    const { plies } = this.#state;
    const last = plies.findLastIndex((ply) => ply.seat === seat && !ply.isForced);
    if (last < 0) throw refusal("not_allowed", CANNOT);
    return this.#reach({ type: "taken_back", seat, plies: plies.length - last, clocks_ms: null }, (await this.#numbers()).slice(0, last));
  }

  /** @param {Event} event That leads to another position. @param {number[]} moves Up to there. */
  async #reach(event, moves) {
    const situation = await this.#look(moves);
    if (!(await this.#record(event, situation.seat, this.#viewOf(situation)))) return false;
    [this.#moves, this.#situation] = [moves, situation];
    return true;
  }

  /** @param {number} seat */
  #resign(seat) {
    const ranks = this.#state.players.map((_, other) => (other === seat ? 2 : 1));
    return this.#end(ranks, "resignation", "", seat);
  }

  /** @param {number[] | null} ranks @param {string} reason @param {string} explanation @param {number | null} seat @param {View | null} [view] */
  #end(ranks, reason, explanation, seat, view = null) {
    return this.#record({ type: "ended", ranks, reason, explanation, seat, clocks_ms: null }, null, view);
  }

  /**
   * @param {Event} event
   * @param {number | null} toMove
   * @param {View | null} [view]
   * @returns {Promise<boolean>} False if another tab has continued the match; what it did is taken in.
   */
  async #record(event, toMove, view = null) {
    /** @type {MatchEvent} */
    const recorded = { type: "match_event", match: this.id, seq: this.#state.seq + 1, at_ms: Date.now(), event, to_move: toMove, view };
    if (!(await this.#keep(recorded))) return false;
    this.#takeIn(recorded);
    this.#tell(recorded);
    if (!this.#isSaved) this.#tell(refused("unavailable", NOT_SAVED));
    return true;
  }

  /** @param {MatchEvent} recorded @returns {Promise<boolean>} */
  async #keep(recorded) {
    const { isStarted, seq } = this.#state;
    const isFirst = recorded.event.type === "started";
    if (!this.#isSaved || (!isStarted && !isFirst)) return true;
    const outcome = await this.#store.keepMatch(this.#keptWith([...this.#events, recorded]), isFirst ? 0 : seq);
    if (outcome === "behind") await this.#readAgain();
    else if (outcome === "kept") this.#onKept();
    else this.#isSaved = false;
    return outcome !== "behind";
  }

  /** @param {MatchEvent[]} events @returns {KeptMatch} */
  #keptWith(events) {
    const { game, players } = this.#state;
    return { key: this.id, at_ms: events.at(-1)?.at_ms ?? 0, game, players, messages: events, format: FORMAT, archived: this.archived };
  }

  async #readAgain() {
    const kept = await this.#store.get("matches", this.id);
    if (kept === null) throw refusal("unknown_match", NO_SUCH_MATCH);
    for (const event of this.#takeInKept(kept)) this.#tell(event);
  }

  /** @param {KeptMatch | null} kept @returns {MatchEvent[]} What is new in it. */
  #takeInKept(kept) {
    const news = (kept?.messages ?? []).filter((message) => message.type === "match_event").filter(({ seq }) => seq > this.#state.seq);
    for (const event of news) this.#takeIn(event);
    if (news.length > 0) [this.#moves, this.#situation] = [null, null];
    return news;
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
    return this.#playable.line;
  }

  /** The moves so far in the engine's numbers, found by their texts. */
  async #numbers() {
    if (this.#moves !== null) return this.#moves;
    /** @type {number[]} */
    const numbers = [];
    for (const { move, isForced } of this.#state.plies) {
      const { moves, forcedPass } = await this.#look(numbers);
      const number = isForced ? forcedPass : moves.find(({ text }) => text === move)?.move;
      if (!number) throw refusal("unavailable", OTHER_RULES);
      numbers.push(number);
    }
    return (this.#moves = numbers);
  }

  /** @param {number[]} [moves] By default the match so far. @returns {Promise<Situation>} */
  async #look(moves) {
    if (moves === undefined) return (this.#situation ??= await this.#look(await this.#numbers()));
    return this.#engine.look({ ...this.#line, moves }).catch(failed);
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
