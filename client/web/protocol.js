/**
 * The messages of the protocol as types, and its version; `docs/protocol.md` explains each.
 *
 * No behaviour. Names of fields are those on the wire. Times ending in `_ms` are milliseconds; `at_ms` and `now_ms`
 * count from 1970 by the server's clock.
 */

export const VERSION = 1;

/** A cell that an event has emptied has this seat, and size 0. */
export const NOBODY = -1;

/**
 * @typedef {{ initial_ms: number, increment_ms: number, match_limit_ms?: number | null, delay_ms?: number,
 *   renews?: boolean }} ClockSettings
 */
/** @typedef {{ occupant: "me" | "open" | "bot", level?: Level | null }} SeatPlan */
/** How a bot plays: a level's number, or the name of a personality. @typedef {number | string} Level */
/** @typedef {{ id: string, name: string, level?: number | null, registered?: boolean, bot?: boolean }} Player */
/** @typedef {"points" | "squares" | "hexes"} Shape */
/** @typedef {[name: string, x: number, y: number]} Cell */
/** @typedef {{ shape: Shape, cells: Cell[], lines: [number, number][] }} Geometry */
/** @typedef {[cell: string, seat: number, size: number]} Change */
/**
 * @typedef {{ changes: Change[], reserves: number[], territory?: number[] | null, board?: Geometry | null,
 *   ground?: number[] | null}} View
 */
/** @typedef {"bot" | "skip"} StandInChoice */
/** @typedef {"win" | "draw" | "stand_in"} ClaimOutcome */
/** @typedef {{ title: string, setup: string, seats: number }} StartInfo */
/** @typedef {{ name: string, title: string, description: string, level: number }} PersonalityInfo */
/**
 * @typedef {{ name: string, title: string, seats: number[], seat_names: string[], levels: number,
 *   starts: StartInfo[], has_match_limit?: boolean, personalities?: PersonalityInfo[] }} GameInfo
 */
/**
 * @typedef {{ match: string, game: string, players: string[], plies: number, spectators: number,
 *   clock: ClockSettings | null, bots?: number[] }} MatchSummary
 */
/** @typedef {{ [click: string]: MoveTree | null }} MoveTree */

/**
 * @typedef {{ type: "created", game: string, setup: string, seats: SeatPlan[], clock: ClockSettings | null,
 *   rematch_of?: string | null, rated?: boolean, listed?: boolean, invited?: string | null }} Created
 */
/** @typedef {{ rating: number, provisional?: boolean }} SeatRating */
/** @typedef {{ before: number, after: number, provisional?: boolean }} RatingChange */
/** @typedef {{ type: "seated", seat: number, player: Player, rating?: SeatRating | null }} Seated */
/**
 * @typedef {{ type: "rated", changes: (RatingChange | null)[], reason?: string | null, words?: string }} Rated
 */
/** @typedef {{ type: "started", first_ply_ms?: number | null }} Started */
/**
 * @typedef {{ type: "moved", seat: number, move: string, clocks_ms: number[] | null, forced?: boolean }} Moved
 */
/** @typedef {{ type: "left", seat: number, reason: string }} Left */
/** @typedef {{ type: "stand_in_chosen", seat: number, for_seat: number, choice: StandInChoice }} StandInChosen */
/** @typedef {{ type: "stood_in", seat: number, choice: StandInChoice, level?: number | null }} StoodIn */
/**
 * @typedef {{ type: "ended", ranks: number[] | null, reason: string, words: string, seat?: number | null,
 *   clocks_ms?: number[] | null }} Ended
 */
/** @typedef {{ type: "resumed", clocks_ms: number[], grace_ms: number, limit_ms?: number | null }} Resumed */
/** @typedef {"draw" | "takeback" | "pause"} OfferKind */
/**
 * @typedef {{ type: "offered", seat: number, kind: OfferKind, lapses_at_ply: number, plies?: number }} Offered
 */
/** @typedef {{ type: "offer_accepted", seat: number, kind: OfferKind, lapses_at_ply: number }} OfferAccepted */
/** @typedef {{ type: "offer_declined", seat: number, kind: OfferKind }} OfferDeclined */
/** @typedef {{ type: "taken_back", seat: number, plies: number, clocks_ms: number[] | null }} TakenBack */
/** @typedef {{ type: "time_given", seat: number, seats: number[], given_ms: number }} TimeGiven */
/** @typedef {{ type: "paused", clocks_ms: number[] | null, ends_at_ms: number }} Paused */
/**
 * @typedef {{ type: "pause_ended", seat: number | null, clocks_ms: number[] | null, grace_ms: number,
 *   limit_ms?: number | null }} PauseEnded
 */
/** @typedef {{ type: "rematch_offered", seat: number }} RematchOffered */
/** @typedef {{ type: "rematch_declined", seat: number }} RematchDeclined */
/** @typedef {{ type: "rematch_started", match: string }} RematchStarted */
/**
 * @typedef {Created | Seated | Started | Moved | Ended | Resumed | RematchOffered | RematchStarted | Left
 *   | StandInChosen | StoodIn
 *   | Rated | Offered | OfferAccepted | OfferDeclined | TakenBack | TimeGiven | Paused | PauseEnded | RematchDeclined} MatchEvent
 */

/**
 * @typedef {{ type: "welcome", version: number, player: Player, token: string, games: GameInfo[],
 *   now_ms: number }} Welcome
 */
/** @typedef {{ type: "accepted", id: string, match: string, seq: number }} Accepted */
/**
 * @typedef {{ type: "refused", code: string, message: string, id?: string | null, match?: string | null }} Refused
 */
/**
 * @typedef {{ type: "watching", match: string, seq: number, board: Geometry, your_seats: number[],
 *   now_ms: number }} Watching
 */
/**
 * @typedef {{ type: "happened", match: string, seq: number, at_ms: number, event: MatchEvent,
 *   to_move: number | null, view?: View | null }} Happened
 */
/** @typedef {{ type: "happenings", match: string, events: Happened[] }} Happenings */
/**
 * @typedef {{ type: "turn", match: string, seq: number, seat: number, moves: MoveTree,
 *   refused?: MoveTree | null }} Turn
 */
/**
 * @typedef {{ type: "previewed", id: string, seats: number, to_move: number | null, board: Geometry,
 *   view: View, position: string }} Previewed
 * @typedef {{ type: "described", id: string, match: string, ply: number, position: string }} Described
 */
/**
 * @typedef {{ type: "audience", match: string, spectators: number, present: boolean[],
 *   claimable_at_ms?: (number | null)[] }} Audience
 */
/** @typedef {{ type: "live_matches", matches: MatchSummary[] }} LiveMatches */
/**
 * @typedef {{ match: string, game: string, players: string[], your_seats: number[], is_your_turn: boolean,
 *   plies: number, clock: ClockSettings | null, due_at_ms: number | null, bots?: number[] }} YourMatch
 */
/** @typedef {{ type: "your_matches", matches: YourMatch[] }} YourMatches */
/** @typedef {"bullet" | "blitz" | "rapid" | "classical" | "correspondence" | "untimed"} Speed */
/** @typedef {{ game: string, seats: number, speed: Speed }} RatingKind */
/** @typedef {{ player: Player, rating: number, deviation: number, matches: number }} Leader */
/**
 * @typedef {{ type: "leaders", id: string, kind: RatingKind, leaders: Leader[], bots: Leader[],
 *   most_deviation: number, least_matches: number }} Leaders
 */
/** @typedef {[at_ms: number, rating: number, deviation: number, match: string]} RatingPoint */
/**
 * @typedef {{ kind: RatingKind, rating: number, deviation: number, provisional: boolean, matches: number,
 *   history: RatingPoint[] }} KindRating
 */
/**
 * @typedef {{ match: string, ended_ms: number, game: string, clock: ClockSettings | null, rated: boolean,
 *   players: (Player | null)[], ranks: number[] | null, changes: (RatingChange | null)[] }} PastMatch
 */
/**
 * @typedef {{ type: "profile", id: string, player: Player, since_ms: number | null, ratings: KindRating[],
 *   matches: PastMatch[] }} Profile
 */
/** @typedef {{ least: number, most: number }} RatingRange */
/** The kind of match that somebody waits for. @typedef {{ game: string, seats: number, clock: ClockSettings | null, rated: boolean }} Wish */
/**
 * @typedef {{ match: string, game: string, setup: string, by: Player, rating: number, players: string[],
 *   clock: ClockSettings | null, rated: boolean, ratings?: RatingRange | null }} Seek
 */
/**
 * @typedef {{ type: "searching", wish: Wish, takes_fewer: boolean, waiting: number, since_ms: number,
 *   bot_level?: number | null, id?: string | null }} Searching
 */
/** @typedef {{ type: "paired", match: string, id?: string | null }} Paired */
/** @typedef {{ type: "search_ended", id?: string | null }} SearchEnded */
/** @typedef {{ type: "blocked", id: string, players: string[] }} Blocked */
/** @typedef {Searching | Paired | SearchEnded | Blocked} MeetingAnswer */
/** @typedef {{ type: "seeks", seeks: Seek[] }} Seeks */
/**
 * @typedef {{ games: string[], positions: "offered" | "any", most_seats: number, casual: boolean, rated: boolean,
 *   untimed: boolean, correspondence: boolean, least_initial_ms: number, most_initial_ms: number,
 *   least_increment_ms: number, bots: boolean, most_matches: number }} ChallengeRules
 */
/** @typedef {{ player: Player, rules: ChallengeRules, matches: number }} OnlineBot */
/** @typedef {{ type: "online_bots", bots: OnlineBot[] }} OnlineBots */
/** @typedef {{ type: "challenges", challenges: Seek[] }} Challenges */
/** @typedef {Searching | Paired | SearchEnded | Seeks | Challenges} MeetingMessage */
/** @typedef {{ type: "done", id: string }} Done */
/** @typedef {"players" | "watchers"} TalkRoom */
/** @typedef {{ number: number, room: TalkRoom, player: Player, text: string, at_ms: number }} ChatLine */
/**
 * @typedef {{ type: "chat", match: string, room: TalkRoom, lines: ChatLine[], muted: string[] }} Chat
 */
/** @typedef {{ type: "said", match: string, line: ChatLine }} Said */
/** @typedef {"insult" | "spam" | "cheating" | "name" | "other"} ReportReason */
/** @typedef {{ type: "renamed", match: string, seat: number, player: Player }} Renamed */
/** @typedef {{ type: "signed_in", id: string, player: Player, token: string, ticket: string }} SignedIn */
/** @typedef {"read" | "play" | "challenge" | "chat"} Scope */
/** @typedef {{ id: string, label: string, scopes: Scope[], created_ms: number, used_ms: number | null }} TokenInfo */
/** @typedef {{ type: "token_created", id: string, token: string, info: TokenInfo }} TokenCreated */
/** @typedef {{ type: "tokens", id: string, tokens: TokenInfo[] }} Tokens */
/**
 * @typedef {{ type: "register" | "sign_in", name: string, password: string, browser: boolean }
 *   | { type: "sign_out" | "list_tokens" | "become_bot" }
 *   | { type: "change_password", password: string, new_password: string }
 *   | { type: "delete_account", password: string }
 *   | { type: "create_token", label: string, scopes: Scope[] }
 *   | { type: "revoke_token", token_id: string }} AccountCommand
 */
/** @typedef {{ type: "pong", nonce: number, now_ms: number }} Pong */
/**
 * @typedef {Welcome | Accepted | Refused | Watching | Happened | Happenings | Turn | Previewed | Described | Audience
 *   | LiveMatches | OnlineBots | Pong | MeetingMessage | Blocked | Done | Chat | Said | YourMatches
 *   | Renamed | SignedIn | TokenCreated | Tokens | Leaders | Profile} ServerMessage
 */
/** @typedef {Watching | Happened | Happenings | Turn | Audience | Renamed | Refused} MatchMessage */

/**
 * @typedef {{ type: "create", game: string, seats: SeatPlan[], setup?: string, clock: ClockSettings | null,
 *     shuffle: boolean, rated?: boolean, listed?: boolean, invited?: string,
 *     ratings?: RatingRange }
 *   | { type: "decline", match: string }
 *   | { type: "join", match: string, seat?: number }
 *   | { type: "fill_seat", match: string, seat: number, level: Level }
 *   | { type: "play", match: string, seat: number, move: string }
 *   | { type: "resign" | "abort" | "rematch" | "decline_rematch" | "give_time" | "end_pause", match: string, seat: number }
 *   | { type: "offer" | "accept_offer" | "decline_offer", match: string, seat: number, kind: OfferKind, ply?: number }
 *   | { type: "choose_stand_in", match: string, seat: number, for_seat: number, choice: StandInChoice }
 *   | { type: "claim", match: string, seat: number, for_seat: number, outcome: ClaimOutcome }} Command
 */

/**
 * @typedef {{ type: "find_match", wish: Wish, takes_fewer: boolean }
 *   | { type: "stop_search" | "play_bot" }
 *   | { type: "block" | "unblock", player: string } | { type: "get_blocked" }} MeetingCommand
 */
/**
 * @typedef {{ type: "say", match: string, text: string }
 *   | { type: "mute", player: string, on: boolean }
 *   | { type: "report", match: string, reason: ReportReason, player?: string, line?: number, words?: string }} TalkCommand
 */
