/**
 * The interface of the JavaScript package. The server serves it, with the types of all messages, at
 * `/javascript/millrace.d.mts`, and explains each message at `/protocol.html`.
 *
 * Times ending in `_ms` are milliseconds. Seats are numbered from 0.
 */

import type { Command, Followed, Questions, StreamCommand, Streamed } from "../connection/questions.js";
import type { Accepted, Board, ChallengeRules, Code, Create, Ended, Event, GameInfo, Level, MoveTree, OfferKind, Player, Refused, SeatPlan, Seek, TournamentSummary } from "../protocol.js";

/** In `create`: a seat for this player. */
export const ME: SeatPlan;
/** In `create`: a seat for anyone who joins. */
export const OPEN: SeatPlan;
/** In `create`: a seat for a bot, by its level, such as 3 or "easy", or by the name of a personality. */
export function bot(level: Level): SeatPlan;

/** All moves of a tree of clicks, as `play` takes them. */
export function listMoves(tree: MoveTree): string[];

export interface ConnectOptions {
  /** The token of a bot's account, a session or a guest. Without one, the server creates a guest. */
  token?: string;
  /** The name and version of your program, for the server's operator. */
  program?: string;
}

/**
 * Connect to the server at an address such as `localhost:8000` or `https://millrace.example`.
 *
 * Later the connection reconnects by itself whenever it is lost. Rejects with ConnectionLostError, whose message says
 * what to do, if there is no server or it does not accept the token.
 */
export function connect(address: string, options?: ConnectOptions): Promise<Connection>;

/** The server refused a request, which had no effect. */
export class RefusedError extends Error {
  constructor(refused: Refused);
  /** Why, for programs; the message is for people. */
  readonly code: Code;
}

/** The connection is over for good: this program closed it, or the server does not accept it. */
export class ConnectionLostError extends Error {}

/** The details of a match that `create` or `challenge` begins. */
export type MatchOptions = Partial<Omit<Create, "type" | "id" | "game" | "seats">>;

/** The same for a challenge; `seats` are [ME, OPEN] unless given, at random. */
export type ChallengeOptions = MatchOptions & { seats?: readonly SeatPlan[] };

/** A player's connection. After `connect`, player and games are known. */
export interface Connection extends EventTarget {
  /** This player, as others see it. */
  readonly player: Player;
  /** Identifies the player: another connection with this token has the same seats. Keep it secret. */
  readonly token: string;
  /** The server's games. */
  readonly games: readonly GameInfo[];
  readonly status: "connecting" | "online" | "offline" | "outdated" | "closed";
  /** The estimated time of the server's clock. */
  now_ms(): number;
  /** Create a match with a plan for each seat; `match` of the answer is its id. */
  create(game: string, seats: readonly SeatPlan[], options?: MatchOptions): Promise<Accepted>;
  /** Challenge the owner of an account to a match. */
  challenge(name: string, game: string, options?: ChallengeOptions): Promise<Accepted>;
  /** Take an open seat, by default the first. */
  join(match: string, seat?: number | null): Promise<Accepted>;
  /** Follow a match. A connection has one feed for each match; this call replaces an earlier one. */
  watch(match: string): MatchFeed;
  /**
   * Send a command that changes a match, without its `id`: `{ type: "resign", match, seat }`. While the connection is
   * broken or the server cannot store it, it waits; it takes effect once. Rejects with RefusedError or
   * ConnectionLostError.
   */
  command(command: Command): Promise<Accepted>;
  /** Send any other request, without its `id`, and return its answer: `{ type: "get_profile", name }`. Like `command`. */
  ask<Type extends keyof Questions>(question: { type: Type } & Questions[Type][0]): Promise<Questions[Type][1]>;
  /** Subscribe to something, such as `{ type: "watch_live" }`. Returns a function that unsubscribes. */
  follow<Type extends keyof Followed>(request: { type: Type } & Followed[Type][0], receive: (message: Followed[Type][1]) => void): () => void;
  /** Send a request with several answers, such as `analyse`. Returns a function that ends it. */
  stream(command: StreamCommand, receive: (message: Streamed) => void): () => void;
  /** Close the connection. Everything that waits rejects with ConnectionLostError. */
  close(): void;
}

/** A match as it is played. Each method rejects with RefusedError if it cannot be watched, or with ConnectionLostError. */
export interface MatchFeed {
  /** The match as it is now. */
  readonly match: MatchView;
  /** This player's turns, each once, until the match is over. */
  turns(): AsyncGenerator<MyTurn, void>;
  /** The events as they arrive, up to the end: read from the moment of `watch`, all since the start of the match. */
  events(): AsyncGenerator<Event, void>;
  /** Wait for the end of the match. */
  result(): Promise<Ended>;
  /** Stop following the match. */
  close(): void;
}

/** A turn of one of the player's seats. */
export interface MyTurn {
  readonly seat: number;
  /** The legal moves, as `play` takes them. There is always at least one. */
  readonly moves: readonly string[];
  /** The legal moves as a tree of clicks. */
  readonly tree: MoveTree;
  /** The match as it is now. */
  readonly match: MatchView;
  /** What the seat's clock shows now; null in an untimed match. */
  readonly clock: ClockFace | null;
  /** Aborted when the turn ends, for example by a takeback: stop thinking. */
  readonly signal: AbortSignal;
  /** Play one of `moves`, or a move's text. */
  play(move: string): Promise<Accepted>;
}

/** A match, as this player sees it. */
export interface MatchView {
  readonly id: string;
  /** The game's name; empty until the match is known. */
  readonly game: string;
  /** The text of the initial position; empty for the usual one. */
  readonly setup: string;
  /** By seat; null for an open seat. */
  readonly players: readonly (Player | null)[];
  readonly ownSeats: readonly number[];
  readonly plies: readonly Ply[];
  /** The cells of the board, and lines between them as pairs of their indices; null until known. */
  readonly board: Board | null;
  readonly position: Position;
  /** The seat to move; null before the start and after the end. */
  readonly toMove: number | null;
  readonly isRated: boolean;
  /** How the match ended; null while it is played. */
  readonly end: Ended | null;
  /** What a seat's clock shows at a time by the server's clock; null in an untimed match. */
  clockFace(seat: number, now_ms: number): ClockFace | null;
}

export interface Ply {
  readonly seat: number;
  /** Its text, such as "d6" or "a4-a7xg1". */
  readonly move: string;
  /** Whether the server passed for a seat without moves. */
  readonly isForced: boolean;
}

export interface Position {
  /** The pieces, by the name of their cell; `size` is the height of a stack. Empty cells are left out. */
  readonly piles: ReadonlyMap<string, { readonly seat: number; readonly size: number }>;
  /** The pieces that each seat has yet to place. */
  readonly reserves: readonly number[];
}

/** What a clock shows. */
export interface ClockFace {
  /** Of the main time; in a period of byo-yomi, of that period. */
  readonly left_ms: number;
  /** The periods that are left, including the current one. */
  readonly periods: number;
  /** The length of each; 0 without periods. */
  readonly period_ms: number;
  /** Whether the main time is over. */
  readonly inPeriod: boolean;
}

/** An offer of another player: a draw, a takeback, a pause, or a change of players. */
export interface OpenOffer {
  readonly kind: OfferKind;
  readonly seat: number;
  /** For a takeback: how many plies. */
  readonly plies: number;
}

/** The decisions of a bot. */
export interface Decider {
  /** Return one of the turn's moves, or a move's text. If it throws, the bot resigns. */
  choose(turn: MyTurn): string | Promise<string>;
  /** Whether to accept a challenge that the rules allow; by default all. */
  takes?(challenge: Seek): boolean;
  /** Whether to join a tournament that admits bots and needs no password; by default none. */
  joins?(tournament: TournamentSummary): boolean;
  /** Whether to accept an offer; by default none. */
  agrees?(offer: OpenOffer, match: MatchView): boolean;
  /** Called with a line about each challenge, match and fault, for the operator. */
  say?(line: string): void;
}

/**
 * Plays all matches of a bot's account at once: accepts challenges by its rules, continues after a lost connection, and
 * continues the matches of an earlier run.
 */
export class BotHost {
  constructor(connection: Connection, rules: ChallengeRules, decider: Decider);
  /** Play until `leave` is called and the running matches are over. Rejects with RefusedError or ConnectionLostError. */
  run(): Promise<void>;
  /** Accept no more challenges, and pause in tournaments. `run` returns when the running matches are over. */
  leave(): void;
}
