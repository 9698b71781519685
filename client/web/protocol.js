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
 *   clock: ClockSettings | null, bots?: number[], ratings?: (SeatRating | null)[], speed?: Speed, rated?: boolean,
 *   exhibition?: boolean }} MatchSummary
 */
/** @typedef {{ [click: string]: MoveTree | null }} MoveTree */

/**
 * @typedef {{ type: "created", game: string, setup: string, seats: SeatPlan[], clock: ClockSettings | null,
 *   rematch_of?: string | null, rated?: boolean, listed?: boolean, invited?: string | null,
 *   imported?: boolean, exhibition?: boolean,
 *   delay_plies?: number }} Created
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
/** @typedef {{ type: "voided", words: string }} Voided */
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
 *   | Rated | Voided | Offered | OfferAccepted | OfferDeclined | TakenBack | TimeGiven | Paused | PauseEnded | RematchDeclined} MatchEvent
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
 * @typedef {{ type: "live_page", game: string | null, page: number, pages: number, total: number,
 *   matches: MatchSummary[] }} LivePage
 */
/** @typedef {{ type: "featured", game: string, match: string | null }} Featured */
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
 *   players: (Player | null)[], ranks: number[] | null, changes: (RatingChange | null)[],
 *   reason?: string, plies?: number, imported?: boolean, void?: boolean }} PastMatch
 */
/** @typedef {"won" | "drawn" | "lost" | "decided" | "none"} ResultWanted */
/**
 * @typedef {{ player?: string, opponent?: string, mine?: boolean, game?: string, result?: ResultWanted,
 *   rated?: boolean, since_ms?: number, until_ms?: number, imported?: boolean,
 *   cursor?: string }} SearchWanted
 */
/** @typedef {{ type: "found_matches", id: string, matches: PastMatch[], next: string }} FoundMatches */
/** @typedef {{ game: string, won: number, drawn: number, lost: number }} GameScore */
/** @typedef {{ match: string, game: string, players: string[], plies: number }} ImportedMatch */
/** @typedef {{ type: "matches_imported", id: string, matches: ImportedMatch[] }} MatchesImported */
/**
 * @typedef {{ type: "crosstable", id: string, players: [Player, Player], scores: GameScore[],
 *   matches: PastMatch[] }} Crosstable
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
/** @typedef {Searching | Paired | SearchEnded} MeetingAnswer */
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
/**
 * Somebody in a list of people.
 * @typedef {{ player: Player, country: string | null, online: boolean, seen_ms: number | null,
 *   match: string | null, game: string | null }} Person
 */
/**
 * @typedef {{ type: "about", id: string, person: Person, bio: string, followers: number, followed: boolean,
 *   scores: GameScore[], closed?: boolean }} About
 */
/**
 * @typedef {{ type: "preferences", id: string, bio: string, country: string | null, shown: boolean,
 *   countries: string[] }} Preferences
 */
/** @typedef {{ type: "found_people", id: string, people: Person[] }} FoundPeople */
/** @typedef {{ type: "online_people", people: Person[], bots: Person[], count: number, guests: number }} OnlinePeople */
/** @typedef {{ type: "followed_people", people: Person[] }} FollowedPeople */
/**
 * @typedef {"your_turn" | "challenged" | "challenge_accepted" | "challenge_declined" | "match_ended"
 *   | "rematch_offered" | "report_upheld" | "followed_online" | "followed_playing"} NoticeKind
 */
/**
 * Something that concerns one; there is one of a kind about each subject.
 * @typedef {{ kind: NoticeKind, subject: string, at_ms: number, match: string | null, game: string | null,
 *   player: Player | null, words: string, read: boolean }} Notice
 */
/** @typedef {{ type: "notices", notices: Notice[] } | { type: "noticed", notice: Notice }} NoticeMessage */
/** @typedef {{ type: "notice_kinds", id: string, kinds: NoticeKind[] }} NoticeKinds */
/** @typedef {{ type: "done", id: string }} Done */
/** @typedef {"players" | "spectators"} ChatRoom */
/** @typedef {{ number: number, room: ChatRoom, player: Player, text: string, at_ms: number }} ChatLine */
/**
 * @typedef {{ type: "chat", match: string, room: ChatRoom, lines: ChatLine[], muted: string[] }} Chat
 */
/** @typedef {{ type: "chat_line_added", match: string, line: ChatLine }} ChatLineAdded */
/** @typedef {"insult" | "spam" | "cheating" | "name" | "bio" | "other"} ReportReason */
/** @typedef {"moderator" | "admin"} Role */
/**
 * @typedef {"make_admin" | "make_moderator" | "remove_role" | "mute" | "unmute" | "ban" | "unban" | "remove_name" | "choose_name"
 *   | "clear_bio" | "remove_line" | "void" | "uphold" | "dismiss"} ModerationAction
 */
/** @typedef {{ id: string, name: string }} NamedPlayer */
/** @typedef {{ type: "your_restrictions", role: Role | null, mute_text: string, muted_until_ms: number | null, name_removed?: boolean }} YourRestrictions */
/**
 * @typedef {{ id: string, by: NamedPlayer, upheld: number, dismissed: number, match: string | null, line: number | null,
 *   text: string, reason: ReportReason, note: string, at_ms: number }} OpenReport
 */
/**
 * @typedef {{ player: NamedPlayer, registered: boolean, upheld: number, muted: boolean, banned: boolean,
 *   taken_by: NamedPlayer | null, reports: OpenReport[] }} ReportedPlayer
 */
/** @typedef {{ type: "open_reports", players: ReportedPlayer[] }} OpenReports */
/**
 * @typedef {{ number: number, at_ms: number, by: string, action: ModerationAction, player: NamedPlayer | null, match: string | null,
 *   line: number | null, until_ms: number | null, detail: string, reason: string }} ModerationLogEntry
 */
/** @typedef {{ type: "chat_context", id: string, match: string, lines: ChatLine[] }} ChatContext */
/**
 * @typedef {{ type: "moderation_record", id: string, player: NamedPlayer, role: Role | null, since_ms: number, mute_reason: string,
 *   muted_until_ms: number | null, ban_reason: string, upheld: number, dismissed: number, log: ModerationLogEntry[] }} ModerationRecord
 */
/** @typedef {{ type: "moderation_log", id: string, entries: ModerationLogEntry[], has_more: boolean }} ModerationLog */
/** @typedef {{ type: "renamed", match: string, seat: number, player: Player }} Renamed */
/** @typedef {{ type: "signed_in", id: string, player: Player, token: string, ticket: string }} SignedIn */
/** @typedef {"read" | "play" | "challenge" | "chat"} Scope */
/** @typedef {{ id: string, label: string, scopes: Scope[], created_ms: number, used_ms: number | null }} TokenInfo */
/** @typedef {{ type: "token_created", id: string, token: string, info: TokenInfo }} TokenCreated */
/** @typedef {{ type: "tokens", id: string, tokens: TokenInfo[] }} Tokens */
/** @typedef {{ name: string, password: string, browser: boolean }} Credentials */
/**
 * A line of play: from a match after so many plies, or from a set-up of a game, and on from there.
 * @typedef {{ game?: string, setup?: string, match?: string, ply?: number, moves: string[] }} LineOfPlay
 */
/**
 * @typedef {{ type: "explored", id: string, seats: number, ply: number, to_move: number | null, board: Geometry,
 *   view: View, position: string, move: string, moves: MoveTree, refused: MoveTree, ranks: number[] | null,
 *   words: string }} Explored
 */
/** @typedef {{ seat: number, hundredths: number | null, ends_in: number | null, expectation: number }} Worth */
/** @typedef {{ worth: Worth, moves: string[], clicks: string[] }} Variation */
/**
 * @typedef {{ type: "evaluated", id: string, depth: number, nodes: number, nodes_a_second: number,
 *   variations: Variation[], also: Variation | null, is_final: boolean, left_ms: number }} Evaluated
 */
/** @typedef {"good" | "inaccuracy" | "mistake" | "blunder"} Judgement */
/**
 * @typedef {{ seat: number, move: string, is_forced: boolean, best: Variation, worth: Worth, loss: number,
 *   judgement: Judgement, depth: number }} JudgedPly
 */
/** @typedef {{ type: "match_progress", id: string, match: string, done: number, total: number }} MatchProgress */
/** @typedef {{ type: "match_analysed", id: string, match: string, engine: string, plies: JudgedPly[] }} MatchAnalysed */
/** @typedef {{ move: string, result: number, plies: number | null }} SolvedMove */
/**
 * @typedef {{ type: "looked_up", id: string, tables: string[],
 *   solved: { result: number, plies: number | null, moves: SolvedMove[] } | null }} LookedUp
 */
/**
 * @typedef {{ type: "analyse", line: LineOfPlay, variations?: number, seconds?: number, also?: string }
 *   | { type: "analyse_match", match: string }} StreamCommand
 */
/** What answers these, again and again. @typedef {Evaluated | MatchProgress | MatchAnalysed | Refused} Streamed */
/** @typedef {{ type: "pong", nonce: number, now_ms: number }} Pong */
/**
 * @typedef {Welcome | Accepted | Refused | Watching | Happened | Happenings | Turn | Previewed | Described | Audience
 *   | LiveMatches | LivePage | Featured | OnlineBots | Pong | MeetingMessage | Blocked | Done | Chat | ChatLineAdded | YourMatches
 *   | Renamed | SignedIn | TokenCreated | Tokens | Leaders | Profile
 *   | FoundMatches | Crosstable | MatchesImported | YourRestrictions | OpenReports | ChatContext | ModerationRecord | ModerationLog
 *   | Explored | Evaluated | MatchProgress | MatchAnalysed | LookedUp
 *   | About | Preferences | FoundPeople | OnlinePeople | FollowedPeople | NoticeMessage | NoticeKinds} ServerMessage
 */
/** @typedef {Watching | Happened | Happenings | Turn | Audience | Renamed | Refused} MatchMessage */

/**
 * @typedef {{ type: "create", game: string, seats: SeatPlan[], setup?: string, clock: ClockSettings | null,
 *     shuffle: boolean, rated?: boolean, listed?: boolean, invited?: string,
 *     ratings?: RatingRange, delay_plies?: number }
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
 * @typedef {{ type: "find_match", wish: Wish, takes_fewer: boolean } | { type: "stop_search" | "play_bot" }} FindMatch
 */
/**
 * @typedef {{ type: "say", match: string, text: string }
 *   | { type: "mute", player: string, on: boolean }
 *   | { type: "report", reason: ReportReason, match?: string, player?: string, line?: number, note?: string }} ChatCommand
 */

/**
 * @typedef {{ type: "take_reports", player: string, on: boolean }
 *   | { type: "settle_reports", player: string, reports: string[], upheld: boolean, reason: string }
 *   | { type: "moderate", action: ModerationAction, reason: string, player?: string, match?: string, line?: number, duration_ms?: number,
 *     reports?: string[] }} ModeratorCommand
 */
/**
 * What may be asked once: each with the type of what answers it.
 * @typedef {{ [C in Command as C["type"]]: [C, Accepted] } & { [C in ChatCommand | ModeratorCommand as C["type"]]: [C, Done] }
 *   & { [C in FindMatch as C["type"]]: [C, MeetingAnswer] } & OtherQuestions} Questions
 */
/**
 * @typedef {{ preview: [{ game: string, setup: string }, Previewed], describe: [{ match: string, ply: number }, Described],
 *   block: [{ player: string }, Blocked], unblock: [{ player: string }, Blocked], get_blocked: [{}, Blocked],
 *   get_leaders: [{ kind: RatingKind }, Leaders], get_profile: [{ name: string }, Profile],
 *   search_matches: [SearchWanted, FoundMatches],
 *   get_crosstable: [{ player: string | null, opponent: string }, Crosstable],
 *   import_matches: [{ upload: string, part: number, parts: number, text: string, game: string }, Done | MatchesImported],
 *   explore: [{ line: LineOfPlay }, Explored], look_up: [{ line: LineOfPlay }, LookedUp],
 *   register: [Credentials, SignedIn], sign_in: [Credentials, SignedIn], sign_out: [{}, SignedIn],
 *   change_password: [{ password: string, new_password: string }, Done], delete_account: [{ password: string }, Done],
 *   become_bot: [{}, Done], choose_name: [{ name: string }, Done], create_token: [{ label: string, scopes: Scope[] }, TokenCreated],
 *   list_tokens: [{}, Tokens], revoke_token: [{ token_id: string }, Done],
 *   get_chat_context: [{ match: string, line: number }, ChatContext], get_moderation_record: [{ name: string }, ModerationRecord],
 *   get_moderation_log: [{ before?: number, name?: string, action?: ModerationAction }, ModerationLog],
 *   get_about: [{ name: string }, About], get_preferences: [{}, Preferences],
 *   set_about: [{ bio: string, country: string | null }, Done], set_shown: [{ on: boolean }, Done],
 *   follow: [{ player: string, on: boolean }, Done], find_people: [{ prefix: string }, FoundPeople],
 *   read_notices: [{ subject: string | null }, Done], get_notice_kinds: [{}, NoticeKinds],
 *   set_notice_kinds: [{ kinds: NoticeKind[] }, Done] }} OtherQuestions
 */
/**
 * What may be followed: each with the type of what is told of it.
 * @typedef {{ watch: [{ match: string, since: number, glance?: boolean }, MatchMessage],
 *   watch_chat: [{ match: string }, Chat | ChatLineAdded], watch_lobby: [{}, LiveMatches | OnlineBots | Seeks],
 *   watch_your_matches: [{}, YourMatches], watch_live: [{ game: string | null, page: number }, LivePage],
 *   watch_featured: [{ game: string, exhibition: boolean }, Featured], watch_reports: [{}, OpenReports],
 *   watch_people: [{}, OnlinePeople | FollowedPeople], watch_notices: [{}, NoticeMessage] }} Followed
 */
