/**
 * Every message of the protocol as a type. Generated: change `protocol` instead, then run
 * `python -m millrace.protocol.generation`.
 *
 * Names of fields are those on the wire. Times ending in `_ms` are milliseconds; `at_ms` and `now_ms` count from 1970
 * by the server's clock. Clients may leave out the fields with a question mark. `docs/protocol.md` explains each
 * message, and `docs/protocol.schema.json` each field.
 */

export const VERSION = 2;

/** The seat of an empty cell, whose size is 0. */
export const NOBODY = -1;

/**
 * @typedef {Register | SignIn | SignOut | ChangePassword | Recover | RenewRecoveryCodes | ChooseName | DeleteAccount |
 *   BecomeBot | CreateToken | ListTokens | RevokeToken} AccountCommand
 */

/**
 * @typedef {SignedIn | TokenCreated | Tokens | RecoveryCodes} AccountReply
 */

/**
 * @typedef {Explore | GetLegalMoves | Compose | Analyse | StopAnalysis | AnalyseMatch | ProbeTablebase} AnalysisCommand
 */

/**
 * @typedef {Explored | LegalMoves | Composed | Evaluated | MatchProgress | MatchAnalysed | TablebaseProbed}
 *   AnalysisAnswer
 */

/**
 * How a match ended for the given player; `decided` is a match with a winner.
 * @typedef {"decided" | "drawn" | "lost" | "none" | "won"} ResultFilter
 */

/**
 * @typedef {SearchMatches | GetCrosstable} ArchiveCommand
 */

/**
 * @typedef {FoundMatches | Crosstable | MatchesImported} ArchiveAnswer
 */

/**
 * Players and spectators have separate rooms while the match goes on. When it is over, everyone reads both.
 * @typedef {"players" | "spectators"} ChatRoom
 */

/**
 * @typedef {WatchChat | Say | Mute} ChatCommand
 */

/**
 * @typedef {Join | Decline | FillSeat | LeaveSeat | Play | Resign | ChooseStandIn | Claim | Abort | Rematch |
 *   DeclineRematch | Offer | AcceptOffer | DeclineOffer | GiveTime | EndPause | AskForSeat | PauseBots | ResumeBots}
 *   MatchCommand
 */

/**
 * What a client may send after `Welcome`.
 * @typedef {Create | Join | Decline | FillSeat | LeaveSeat | Play | Resign | ChooseStandIn | Claim | Abort | Rematch |
 *   DeclineRematch | Offer | AcceptOffer | DeclineOffer | GiveTime | EndPause | AskForSeat | PauseBots | ResumeBots |
 *   SetPlan | GetPlan | FindMatch | StopSearch | PlayBot | PlayNow | GetFittingBot | SetChallengeRules | WatchChat |
 *   Say | Mute | Report | WatchReports | TakeReports | SettleReports | Moderate | GetChatContext | GetModerationRecord
 *   | GetModerationLog | Watch | Unwatch | WatchLobby | WatchYourMatches | WatchLive | WatchFeatured | GetLeaders |
 *   GetPlayerRatings | SearchMatches | GetCrosstable | ImportMatches | Explore | GetLegalMoves | Compose | Analyse |
 *   StopAnalysis | AnalyseMatch | ProbeTablebase | ExploreOpening | GetOpenings | GetLesson | GetRemarks | GetPuzzle |
 *   TryPuzzle | GiveUpPuzzle | GetPuzzleHistory | SaveStudy | GetStudy | ListStudies | DeleteStudy | GetProfile |
 *   SetProfile | SetOnlineVisibility | GetPreferences | GetPageSettings | SetPageSettings | Follow | Block | Unblock |
 *   GetBlocked | FindPlayers | WatchPlayers | WatchNotifications | MarkNotificationsRead | GetNotificationKinds |
 *   SetNotificationKinds | GetPushKey | SubscribeToPush | UnsubscribeFromPush | GetEmail | SetEmail | ConfirmEmail |
 *   MailRecoveryCode | Preview | Describe | Ping} AfterHello
 */

/**
 * @typedef {Hello | Create | Join | Decline | FillSeat | LeaveSeat | Play | Resign | ChooseStandIn | Claim | Abort |
 *   Rematch | DeclineRematch | Offer | AcceptOffer | DeclineOffer | GiveTime | EndPause | AskForSeat | PauseBots |
 *   ResumeBots | SetPlan | GetPlan | FindMatch | StopSearch | PlayBot | PlayNow | GetFittingBot | SetChallengeRules |
 *   WatchChat | Say | Mute | Report | WatchReports | TakeReports | SettleReports | Moderate | GetChatContext |
 *   GetModerationRecord | GetModerationLog | Watch | Unwatch | WatchLobby | WatchYourMatches | WatchLive |
 *   WatchFeatured | GetLeaders | GetPlayerRatings | SearchMatches | GetCrosstable | ImportMatches | Explore |
 *   GetLegalMoves | Compose | Analyse | StopAnalysis | AnalyseMatch | ProbeTablebase | ExploreOpening | GetOpenings |
 *   GetLesson | GetRemarks | GetPuzzle | TryPuzzle | GiveUpPuzzle | GetPuzzleHistory | SaveStudy | GetStudy |
 *   ListStudies | DeleteStudy | GetProfile | SetProfile | SetOnlineVisibility | GetPreferences | GetPageSettings |
 *   SetPageSettings | Follow | Block | Unblock | GetBlocked | FindPlayers | WatchPlayers | WatchNotifications |
 *   MarkNotificationsRead | GetNotificationKinds | SetNotificationKinds | GetPushKey | SubscribeToPush |
 *   UnsubscribeFromPush | GetEmail | SetEmail | ConfirmEmail | MailRecoveryCode | Preview | Describe | Ping | Register
 *   | SignIn | SignOut | ChangePassword | Recover | RenewRecoveryCodes | ChooseName | DeleteAccount | BecomeBot |
 *   CreateToken | ListTokens | RevokeToken} ClientMessage
 */

/**
 * @typedef {GetEmail | SetEmail | ConfirmEmail | MailRecoveryCode} EmailCommand
 */

/**
 * @typedef {Created | Seated | SeatFreed | Started | Moved | Annotated | Left | StandInChosen | StoodIn | Offered |
 *   OfferAccepted | OfferDeclined | TakenBack | TimeGiven | Paused | PauseEnded | Ended | Rated | Voided | Resumed |
 *   RematchOffered | RematchDeclined | RematchStarted} Event
 */

/**
 * A bot's level, or the name of a level or of a personality.
 * @typedef {number | string} Level
 */

/**
 * How a seat continues without its player: a bot plays for it, or it is skipped.
 * @typedef {"bot" | "skip"} StandIn
 */

/**
 * What players may offer each other during a match. With `hand_over`, a bot plays on for the seat that offers; with
 * `take_over`, a spectator plays on for the bot of the seat.
 * @typedef {"draw" | "hand_over" | "pause" | "take_over" | "takeback"} OfferKind
 */

/**
 * Legal moves as a prefix tree of clicks. Keys are cells or choices; null means that the move is complete.
 * @typedef {{ [key: string]: MoveTree | null }} MoveTree
 */

/**
 * @typedef {FindMatch | StopSearch | PlayBot | PlayNow | GetFittingBot} LobbyCommand
 */

/**
 * @typedef {Searching | Paired | SearchEnded | NowPlaying | FittingBot | Seeks | Challenges} LobbyMessage
 */

/**
 * @typedef {"bio" | "cheating" | "insult" | "name" | "other" | "spam"} ReportReason
 */

/**
 * @typedef {WatchReports | TakeReports | SettleReports | Moderate | GetChatContext | GetModerationRecord |
 *   GetModerationLog} ModeratorCommand
 */

/**
 * @typedef {Report | WatchReports | TakeReports | SettleReports | Moderate | GetChatContext | GetModerationRecord |
 *   GetModerationLog} ModerationCommand
 */

/**
 * @typedef {YourRestrictions | OpenReports | ChatContext | ModerationRecord | ModerationLog} ModerationReply
 */

/**
 * @typedef {WatchNotifications | MarkNotificationsRead | GetNotificationKinds | SetNotificationKinds}
 *   NotificationCommand
 */

/**
 * @typedef {Notifications | NotificationAdded | NotificationKinds} NotificationMessage
 */

/**
 * @typedef {ExploreOpening | GetOpenings} OpeningCommand
 */

/**
 * @typedef {OpeningExplored | Openings} OpeningAnswer
 */

/**
 * @typedef {SetPlan | GetPlan} PlanCommand
 */

/**
 * @typedef {GetProfile | SetProfile | SetOnlineVisibility | GetPreferences | GetPageSettings | SetPageSettings | Follow
 *   | Block | Unblock | GetBlocked | FindPlayers | WatchPlayers} ProfileCommand
 */

/**
 * @typedef {Profile | Preferences | YourPageSettings | Blocked | FoundPlayers} ProfileAnswer
 */

/**
 * @typedef {Profile | Preferences | YourPageSettings | Blocked | FoundPlayers | OnlinePlayers | FollowedPlayers}
 *   ProfileMessage
 */

/**
 * @typedef {GetPushKey | SubscribeToPush | UnsubscribeFromPush} PushCommand
 */

/**
 * @typedef {GetPuzzle | TryPuzzle | GiveUpPuzzle | GetPuzzleHistory} PuzzleCommand
 */

/**
 * @typedef {PuzzlePosed | PuzzleTried | PuzzleHistory} PuzzleAnswer
 */

/**
 * @typedef {GetLeaders | GetPlayerRatings} RatingCommand
 */

/**
 * @typedef {Leaders | PlayerRatings} RatingAnswer
 */

/**
 * @typedef {Welcome | Accepted | Refused | Watching | MatchEvent | MatchEvents | Turn | Previewed | Described |
 *   AudienceUpdate | LiveMatches | Pong | Plan | Searching | Paired | SearchEnded | NowPlaying | FittingBot | Seeks |
 *   Challenges | OnlineBots | Renamed | SignedIn | TokenCreated | Tokens | RecoveryCodes | Done | Interruption | Chat |
 *   ChatLineAdded | YourMatches | LivePage | Featured | Leaders | PlayerRatings | FoundMatches | Crosstable |
 *   MatchesImported | Explored | LegalMoves | Composed | Evaluated | MatchProgress | MatchAnalysed | TablebaseProbed |
 *   OpeningExplored | Openings | Lesson | Remarks | PuzzlePosed | PuzzleTried | PuzzleHistory | StudySaved | Study |
 *   Studies | Profile | Preferences | YourPageSettings | Blocked | FoundPlayers | OnlinePlayers | FollowedPlayers |
 *   YourRestrictions | OpenReports | ChatContext | ModerationRecord | ModerationLog | Notifications | NotificationAdded
 *   | NotificationKinds | PushKey | Email} ServerMessage
 */

/**
 * @typedef {WatchLive | WatchFeatured} WatchingCommand
 */

/**
 * @typedef {SaveStudy | GetStudy | ListStudies | DeleteStudy} StudyCommand
 */

/**
 * @typedef {StudySaved | Study | Studies} StudyAnswer
 */

/**
 * @typedef {GetLesson | GetRemarks} TeachingCommand
 */

/**
 * @typedef {Lesson | Remarks} TeachingAnswer
 */

/**
 * Turn the guest of this connection into an account, which keeps the guest's matches and seats.
 * @typedef {{ type: "register", id: string, name: string, password: string, browser?: boolean }} Register
 */

/**
 * Open a session of an account. The player of this connection stays the same.
 * @typedef {{ type: "sign_in", id: string, name: string, password: string, browser?: boolean }} SignIn
 */

/**
 * End the session of this connection, and all its connections.
 * @typedef {{ type: "sign_out", id: string }} SignOut
 */

/**
 * Change the password. Every other session ends; API tokens stay valid.
 * @typedef {{ type: "change_password", id: string, password: string, new_password: string }} ChangePassword
 */

/**
 * Choose a new password by a recovery code, which is used up, and open a session. Every other session ends. Answered by
 * `SignedIn`.
 * @typedef {{ type: "recover", id: string, name: string, code: string, new_password: string, browser?: boolean }}
 *   Recover
 */

/**
 * Replace the recovery codes of the account.
 * @typedef {{ type: "renew_recovery_codes", id: string, password: string }} RenewRecoveryCodes
 */

/**
 * Choose a name in place of the neutral one that moderators gave you; see `YourRestrictions`.
 * @typedef {{ type: "choose_name", id: string, name: string }} ChooseName
 */

/**
 * Delete the account. Its matches in progress are given up, and the player becomes anonymous in all matches.
 * @typedef {{ type: "delete_account", id: string, password: string }} DeleteAccount
 */

/**
 * Turn the account into a bot account, permanently. Possible only before it has had a seat in a match. Answered by
 * `Done`.
 * @typedef {{ type: "become_bot", id: string }} BecomeBot
 */

/**
 * Create an API token, for a bot or a script.
 * @typedef {{ type: "create_token", id: string, label: string, scopes: Scope[] }} CreateToken
 */

/**
 * What an API token may do.
 * @typedef {"challenge" | "chat" | "play" | "read"} Scope
 */

/**
 * List the API tokens of the account.
 * @typedef {{ type: "list_tokens", id: string }} ListTokens
 */

/**
 * Revoke an API token, and close its connections.
 * @typedef {{ type: "revoke_token", id: string, token_id: string }} RevokeToken
 */

/**
 * Answers `Register`, `SignIn` and `Recover`.
 * @typedef {{ type: "signed_in", id: string, player: Player, token: string, ticket: string, recovery_codes: string[] }}
 *   SignedIn
 */

/**
 * A player, as everyone sees them.
 * @typedef {{ id: string, name: string, level: number | null, registered: boolean, bot: boolean }} Player
 */

/**
 * Answers `CreateToken`.
 * @typedef {{ type: "token_created", id: string, token: string, info: TokenInfo }} TokenCreated
 */

/**
 * An API token, without its secret.
 * @typedef {{ id: string, label: string, scopes: Scope[], created_ms: number, used_ms: number | null }} TokenInfo
 */

/**
 * Answers `ListTokens`: the API tokens, oldest first.
 * @typedef {{ type: "tokens", id: string, tokens: TokenInfo[] }} Tokens
 */

/**
 * Answers `RenewRecoveryCodes`.
 * @typedef {{ type: "recovery_codes", id: string, codes: string[] }} RecoveryCodes
 */

/**
 * Get the board at the end of a line, and the legal moves there; answered by `Explored`.
 * @typedef {{ type: "explore", id: string, line: Line }} Explore
 */

/**
 * A line of play: where it starts, and the moves from there.
 * @typedef {{ game?: string, setup?: string, match?: string | null, ply?: number, moves?: string[] }} Line
 */

/**
 * Get the texts of the legal moves at the end of a line; answered by `LegalMoves`.
 * @typedef {{ type: "get_legal_moves", id: string, line: Line }} GetLegalMoves
 */

/**
 * Set up a position by its pieces; answered by `Composed`.
 * @typedef {{ type: "compose", id: string, game: string, setup?: string, piles?: Change[], reserves?: number[],
 *   to_move?: number }} Compose
 */

/**
 * The new content of a cell: `size` pieces of a seat. An empty cell has seat -1 and size 0.
 * @typedef {[cell: string, seat: number, size: number]} Change
 */

/**
 * Search the end of a line; answered by `Evaluated`, again and again as the search deepens.
 * @typedef {{ type: "analyse", id: string, line: Line, variations?: number, seconds?: number, also?: string | null }}
 *   Analyse
 */

/**
 * End your search; answered by `Done`.
 * @typedef {{ type: "stop_analysis", id: string }} StopAnalysis
 */

/**
 * Review every move of a match that is over; answered by `MatchProgress`, and finally by `MatchAnalysed`.
 * @typedef {{ type: "analyse_match", id: string, match: string }} AnalyseMatch
 */

/**
 * Get the result of the end of a line with perfect play, if it is solved; answered by `TablebaseProbed`.
 * @typedef {{ type: "probe_tablebase", id: string, line: Line }} ProbeTablebase
 */

/**
 * Answers `Explore`: the end of the line.
 * @typedef {{ type: "explored", id: string, seats: number, ply: number, to_move: number | null, board: Board, view:
 *   View, position: string, move: string, moves: MoveTree, refused: MoveTree, ranks: number[] | null, explanation:
 *   string, score: Score | null, notations: { [key: string]: string } }} Explored
 */

/**
 * The board that a client draws, without pieces.
 * @typedef {{ shape: "hexes" | "points" | "squares", cells: Cell[], lines: [number, number][] }} Board
 */

/**
 * A cell of the board: its name and its centre, in units of the distance between neighbours, y downwards.
 * @typedef {[name: string, x: number, y: number]} Cell
 */

/**
 * How an event changes what a client draws.
 * @typedef {{ changes: Change[], reserves: number[], territory: number[] | null, board: Board | null, ground: number[]
 *   | null, highlights: Highlight[], tallies: Tally[] }} View
 */

/**
 * Cells to light up because of what a move achieved there, such as a mill that it closed.
 * @typedef {{ text: string, cells: number[] }} Highlight
 */

/**
 * Something that the game counts for each seat.
 * @typedef {{ name: string, counts: number[] }} Tally
 */

/**
 * The evaluation of a position for a seat: for seat 0 of two, otherwise for the seat to move.
 * @typedef {{ seat: number, hundredths: number | null, ends_in: number | null, expectation: number }} Score
 */

/**
 * Answers `GetLegalMoves`: every legal move once; empty if play is over.
 * @typedef {{ type: "legal_moves", id: string, moves: LegalMove[] }} LegalMoves
 */

/**
 * A legal move.
 * @typedef {{ move: string, clicks: string[] }} LegalMove
 */

/**
 * Answers `Compose`.
 * @typedef {{ type: "composed", id: string, position: string }} Composed
 */

/**
 * Answers `Analyse`, each time with a deeper search.
 * @typedef {{ type: "evaluated", id: string, depth: number, nodes: number, nodes_per_second: number, variations:
 *   Variation[], also: Variation | null, is_final: boolean, left_ms: number }} Evaluated
 */

/**
 * A move and its continuation, as the engine expects it.
 * @typedef {{ score: Score, moves: string[], clicks: string[] }} Variation
 */

/**
 * How many moves of a match have been reviewed.
 * @typedef {{ type: "match_progress", id: string, match: string, done: number, total: number }} MatchProgress
 */

/**
 * Answers `AnalyseMatch`.
 * @typedef {{ type: "match_analysed", id: string, match: string, engine: string, plies: JudgedPly[], accuracies:
 *   (number | null)[], turning_point: number | null }} MatchAnalysed
 */

/**
 * A move of a match, and what would have been better.
 * @typedef {{ seat: number, move: string, is_forced: boolean, best: Variation, score: Score, loss: number, judgement:
 *   Judgement, depth: number }} JudgedPly
 */

/**
 * How much a move gave away.
 * @typedef {"blunder" | "good" | "inaccuracy" | "mistake"} Judgement
 */

/**
 * Answers `ProbeTablebase`.
 * @typedef {{ type: "tablebase_probed", id: string, tables: string[], solved: SolvedPosition | null }} TablebaseProbed
 */

/**
 * A solved position, from the view of the seat to move.
 * @typedef {{ result: number, plies: number | null, moves: SolvedMove[] }} SolvedPosition
 */

/**
 * A move in a solved position, from the view of the seat that plays it.
 * @typedef {{ move: string, result: number, plies: number | null }} SolvedMove
 */

/**
 * Search matches that are over; answered by `FoundMatches`, the latest first.
 * @typedef {{ type: "search_matches", id: string, player?: string | null, opponent?: string | null, mine?: boolean,
 *   game?: string | null, result?: ResultFilter | null, rated?: boolean | null, since_ms?: number | null, until_ms?:
 *   number | null, imported?: boolean, cursor?: string }} SearchMatches
 */

/**
 * Get the results of two players against each other; answered by `Crosstable`.
 * @typedef {{ type: "get_crosstable", id: string, player: string | null, opponent: string }} GetCrosstable
 */

/**
 * Answers `SearchMatches`.
 * @typedef {{ type: "found_matches", id: string, matches: PastMatch[], next: string }} FoundMatches
 */

/**
 * A finished match.
 * @typedef {{ match: string, ended_ms: number, game: string, clock: Required<ClockSettings> | null, rated: boolean,
 *   players: (Player | null)[], ranks: number[] | null, changes: (RatingChange | null)[], reason: string, plies:
 *   number, imported: boolean, void: boolean }} PastMatch
 */

/**
 * The time that each seat has, and the time limit of the match.
 * @typedef {{ initial_ms: number, increment_ms?: number, match_limit_ms?: number | null, delay_ms?: number, renews?:
 *   boolean, periods?: number, period_ms?: number }} ClockSettings
 */

/**
 * How a match changed a player's rating.
 * @typedef {{ before: number, after: number, provisional: boolean }} RatingChange
 */

/**
 * Answers `GetCrosstable`.
 * @typedef {{ type: "crosstable", id: string, players: [Player, Player], scores: GameScore[], matches: PastMatch[] }}
 *   Crosstable
 */

/**
 * The results of two players against each other in one game, or of one player against all.
 * @typedef {{ game: string, won: number, drawn: number, lost: number }} GameScore
 */

/**
 * Answers the last part of `ImportMatches`.
 * @typedef {{ type: "matches_imported", id: string, matches: ImportedMatch[] }} MatchesImported
 */

/**
 * A match that was imported.
 * @typedef {{ match: string, game: string, players: string[], plies: number }} ImportedMatch
 */

/**
 * Subscribe to the chat of a match, or unsubscribe. Answered by `Chat`.
 * @typedef {{ type: "watch_chat", match: string, on?: boolean }} WatchChat
 */

/**
 * Write a line in the chat of a match: to the other players if you have a seat, otherwise to the spectators.
 * @typedef {{ type: "say", id: string, match: string, text: string }} Say
 */

/**
 * Hide the lines of a player from you in every match, or show them again. The player is not notified.
 * @typedef {{ type: "mute", id: string, player: string, on?: boolean }} Mute
 */

/**
 * Take an open seat, by default the first.
 * @typedef {{ type: "join", id: string, match: string, seat?: number | null }} Join
 */

/**
 * Decline a challenge. The match ends.
 * @typedef {{ type: "decline", id: string, match: string }} Decline
 */

/**
 * Put a bot into an open seat. Only players of the match may do that.
 * @typedef {{ type: "fill_seat", id: string, match: string, seat: number, level: Level }} FillSeat
 */

/**
 * Give up a seat that you joined, before the match starts. The seat is open again.
 * @typedef {{ type: "leave_seat", id: string, match: string, seat: number }} LeaveSeat
 */

/**
 * Make a ply.
 * @typedef {{ type: "play", id: string, match: string, seat: number, move: string }} Play
 */

/**
 * Give up the match. With three or four seats it continues without this player.
 * @typedef {{ type: "resign", id: string, match: string, seat: number }} Resign
 */

/**
 * Vote on a seat whose player has left: a bot plays on for it, or it is skipped.
 * @typedef {{ type: "choose_stand_in", id: string, match: string, seat: number, for_seat: number, choice: StandIn }}
 *   ChooseStandIn
 */

/**
 * Claim a win, a draw or a stand-in because a player is absent, from `AudienceUpdate.claimable_at_ms` on.
 * @typedef {{ type: "claim", id: string, match: string, seat: number, for_seat: number, outcome: "draw" | "stand_in" |
 *   "win" }} Claim
 */

/**
 * Call the match off without a result. Possible until every seat has made a ply; before the match starts, only for the
 * player who created it.
 * @typedef {{ type: "abort", id: string, match: string, seat: number }} Abort
 */

/**
 * Offer another match in which each player moves on by one seat, or accept that offer.
 * @typedef {{ type: "rematch", id: string, match: string, seat: number }} Rematch
 */

/**
 * Take no part in another match. This withdraws the player's own offer.
 * @typedef {{ type: "decline_rematch", id: string, match: string, seat: number }} DeclineRematch
 */

/**
 * Offer a draw, a takeback, a pause or, in a casual match, that a bot plays on for the seat. If the same is already
 * offered to the player, accept it. For `take_over`, send `AskForSeat`.
 * @typedef {{ type: "offer", id: string, match: string, seat: number, kind: OfferKind, ply?: number | null, level?:
 *   Level | null }} Offer
 */

/**
 * Accept the offer of another seat.
 * @typedef {{ type: "accept_offer", id: string, match: string, seat: number, kind: OfferKind }} AcceptOffer
 */

/**
 * Decline the offer of another seat, or withdraw the player's own.
 * @typedef {{ type: "decline_offer", id: string, match: string, seat: number, kind: OfferKind }} DeclineOffer
 */

/**
 * Give every other player 15 seconds more.
 * @typedef {{ type: "give_time", id: string, match: string, seat: number }} GiveTime
 */

/**
 * End a pause.
 * @typedef {{ type: "end_pause", id: string, match: string, seat: number }} EndPause
 */

/**
 * Ask the players of a casual match to play on for one of the server's bots. Each person with a seat must agree.
 * @typedef {{ type: "ask_for_seat", id: string, match: string, seat: number }} AskForSeat
 */

/**
 * Pause a match between bots that you created.
 * @typedef {{ type: "pause_bots", id: string, match: string }} PauseBots
 */

/**
 * End the pause of a match between bots that you created.
 * @typedef {{ type: "resume_bots", id: string, match: string, plies?: number | null }} ResumeBots
 */

/**
 * Create a match. Sent again with the same id, it leads to the same match.
 * @typedef {{ type: "create", id: string, game: string, seats: SeatPlan[], setup?: string, clock?: ClockSettings |
 *   null, shuffle?: boolean, rated?: boolean, listed?: boolean, ratings?: RatingRange | null, invited?: string | null,
 *   delay_plies?: number }} Create
 */

/**
 * Who gets a seat of a new match: the creator, anyone, or a bot.
 * @typedef {{ occupant: "bot" | "me" | "open", level?: Level | null }} SeatPlan
 */

/**
 * The ratings of players who may take a seat, including both bounds.
 * @typedef {{ least: number, most: number }} RatingRange
 */

/**
 * Plan replies to what the opponents may do, in place of an earlier plan; answered by `Plan`.
 * @typedef {{ type: "set_plan", id: string, match: string, seat: number, ply: number, lines?: string[][] }} SetPlan
 */

/**
 * Get what is left of your plan; answered by `Plan`.
 * @typedef {{ type: "get_plan", id: string, match: string, seat: number }} GetPlan
 */

/**
 * Wait for a quick pairing; answered by `Searching`. It replaces any other search of yours.
 * @typedef {{ type: "find_match", id: string, request: PairingRequest, takes_fewer?: boolean }} FindMatch
 */

/**
 * The kind of match that a player asks to be paired for. Players with equal requests wait in one pool.
 * @typedef {{ game: string, seats?: number, clock?: ClockSettings | null, rated?: boolean }} PairingRequest
 */

/**
 * Stop waiting; answered by `SearchEnded`.
 * @typedef {{ type: "stop_search", id: string }} StopSearch
 */

/**
 * Play the bot that `Searching` offers instead of waiting; answered by `Paired`.
 * @typedef {{ type: "play_bot", id: string }} PlayBot
 */

/**
 * Play a casual match of two at once; answered by `NowPlaying`.
 * @typedef {{ type: "play_now", id: string, game: string }} PlayNow
 */

/**
 * Ask for the bot that `PlayNow` would choose; answered by `FittingBot`.
 * @typedef {{ type: "get_fitting_bot", id: string, game: string }} GetFittingBot
 */

/**
 * Set the rules by which this bot accepts challenges; answered by `Done`. For bot accounts.
 * @typedef {{ type: "set_challenge_rules", id: string, rules: ChallengeRules | null }} SetChallengeRules
 */

/**
 * The challenges that a bot accepts. The server refuses all others at once, so that no challenger waits.
 * @typedef {{ games: string[], positions?: "any" | "offered", most_seats?: number, casual?: boolean, rated?: boolean,
 *   untimed?: boolean, correspondence?: boolean, least_initial_ms?: number, most_initial_ms?: number,
 *   least_increment_ms?: number, bots?: boolean, most_matches?: number }} ChallengeRules
 */

/**
 * Report a player, or one chat line, to the moderators. The server keeps a copy of the reported text.
 * @typedef {{ type: "report", id: string, reason: ReportReason, match?: string | null, player?: string | null, line?:
 *   number | null, note?: string }} Report
 */

/**
 * Subscribe to the open reports, or unsubscribe. Answered by `OpenReports`. For moderators, like all below.
 * @typedef {{ type: "watch_reports", on?: boolean }} WatchReports
 */

/**
 * Reserve the open reports about a player for yourself, or release them for other moderators.
 * @typedef {{ type: "take_reports", id: string, player: string, on?: boolean }} TakeReports
 */

/**
 * Settle reports without any further action.
 * @typedef {{ type: "settle_reports", id: string, player: string, reports: string[], upheld: boolean, reason: string }}
 *   SettleReports
 */

/**
 * Take an action against a player, a chat line or a match. It has taken effect when `Done` arrives.
 * @typedef {{ type: "moderate", id: string, action: ModerationAction, reason: string, player?: string | null, match?:
 *   string | null, line?: number | null, duration_ms?: number | null, reports?: string[] }} Moderate
 */

/**
 * What moderators can do. Every action is recorded in the moderation log.
 * @typedef {"ban" | "choose_name" | "clear_bio" | "dismiss" | "make_admin" | "make_moderator" | "mute" | "remove_line"
 *   | "remove_name" | "remove_role" | "unban" | "unmute" | "uphold" | "void"} ModerationAction
 */

/**
 * Ask for the chat lines around a line. Answered by `ChatContext`.
 * @typedef {{ type: "get_chat_context", id: string, match: string, line: number }} GetChatContext
 */

/**
 * Ask for everything that moderators know about an account. Answered by `ModerationRecord`.
 * @typedef {{ type: "get_moderation_record", id: string, name: string }} GetModerationRecord
 */

/**
 * Ask for the latest moderation actions. Answered by `ModerationLog`.
 * @typedef {{ type: "get_moderation_log", id: string, before?: number | null, name?: string, action?: ModerationAction
 *   | null }} GetModerationLog
 */

/**
 * Follow a match. Answered by `Watching`, then by every event after `since`.
 * @typedef {{ type: "watch", match: string, since?: number, glance?: boolean }} Watch
 */

/**
 * Stop following a match.
 * @typedef {{ type: "unwatch", match: string }} Unwatch
 */

/**
 * Follow the lists of live matches, bots and seeks, or stop.
 * @typedef {{ type: "watch_lobby", on?: boolean }} WatchLobby
 */

/**
 * Get the list of your matches in progress, now and after each change; or stop.
 * @typedef {{ type: "watch_your_matches", on?: boolean }} WatchYourMatches
 */

/**
 * Receive a page of the list of live matches instead of any other, or none: `LivePage`, now and whenever it changes.
 * @typedef {{ type: "watch_live", on?: boolean, game?: string | null, page?: number }} WatchLive
 */

/**
 * Receive the featured match of a game, or no longer: `Featured`, now and whenever it changes.
 * @typedef {{ type: "watch_featured", game: string, on?: boolean, exhibition?: boolean }} WatchFeatured
 */

/**
 * Ask for the best players of a kind of match; answered by `Leaders`.
 * @typedef {{ type: "get_leaders", id: string, kind: RatingKind }} GetLeaders
 */

/**
 * A kind of match, which has ratings of its own.
 * @typedef {{ game: string, seats: number, speed: Speed }} RatingKind
 */

/**
 * How fast a match is, by its clock.
 * @typedef {"blitz" | "bullet" | "classical" | "correspondence" | "rapid" | "untimed"} Speed
 */

/**
 * Ask for the ratings and latest matches of a player; answered by `PlayerRatings`.
 * @typedef {{ type: "get_player_ratings", id: string, name: string }} GetPlayerRatings
 */

/**
 * Import matches in the text or JSON format of the export.
 * @typedef {{ type: "import_matches", id: string, upload: string, part: number, parts: number, text: string, game?:
 *   string | null }} ImportMatches
 */

/**
 * Get what is known about the end of a line; answered by `OpeningExplored`.
 * @typedef {{ type: "explore_opening", id: string, line: Line, people?: boolean }} ExploreOpening
 */

/**
 * Get the openings of a game that have a name; answered by `Openings`.
 * @typedef {{ type: "get_openings", id: string, game: string }} GetOpenings
 */

/**
 * Get what a game teaches newcomers; answered by `Lesson`.
 * @typedef {{ type: "get_lesson", id: string, game: string }} GetLesson
 */

/**
 * Ask what has just happened in a match that you play; answered by `Remarks`.
 * @typedef {{ type: "get_remarks", id: string, match: string }} GetRemarks
 */

/**
 * Get a puzzle to solve; answered by `PuzzlePosed`.
 * @typedef {{ type: "get_puzzle", id: string, game?: string, mode?: PuzzleMode, theme?: string, puzzle?: string }}
 *   GetPuzzle
 */

/**
 * How puzzles are solved.
 * @typedef {"daily" | "rated" | "streak"} PuzzleMode
 */

/**
 * Try a move of a puzzle; answered by `PuzzleTried`.
 * @typedef {{ type: "try_puzzle", id: string, game: string, puzzle: string, moves: string[], mode?: PuzzleMode }}
 *   TryPuzzle
 */

/**
 * See the solution of a puzzle, which counts as not solved; answered by `PuzzleTried`.
 * @typedef {{ type: "give_up_puzzle", id: string, game: string, puzzle: string, mode?: PuzzleMode }} GiveUpPuzzle
 */

/**
 * Get your puzzle rating and the puzzles that you have tried; answered by `PuzzleHistory`.
 * @typedef {{ type: "get_puzzle_history", id: string, game: string }} GetPuzzleHistory
 */

/**
 * Save a study, or change one of your own; answered by `StudySaved`.
 * @typedef {{ type: "save_study", id: string, upload: string, part: number, parts: number, text: string, game: string,
 *   setup?: string, match?: string | null, title?: string, study?: string }} SaveStudy
 */

/**
 * Get a study; answered by `Study`.
 * @typedef {{ type: "get_study", id: string, study: string }} GetStudy
 */

/**
 * List your own studies; answered by `Studies`.
 * @typedef {{ type: "list_studies", id: string }} ListStudies
 */

/**
 * Delete a study of your own, also for those who have its link; answered by `Done`.
 * @typedef {{ type: "delete_study", id: string, study: string }} DeleteStudy
 */

/**
 * Ask for a player's profile; answered by `Profile`.
 * @typedef {{ type: "get_profile", id: string, name: string }} GetProfile
 */

/**
 * Replace the text and the country of your profile; answered by `Done`. For the owner of an account.
 * @typedef {{ type: "set_profile", id: string, bio?: string, country?: string | null }} SetProfile
 */

/**
 * Show others when you are online, or hide it; answered by `Done`. For the owner of an account.
 * @typedef {{ type: "set_online_visibility", id: string, online_visible: boolean }} SetOnlineVisibility
 */

/**
 * Ask for your own profile and visibility; answered by `Preferences`. For the owner of an account.
 * @typedef {{ type: "get_preferences", id: string }} GetPreferences
 */

/**
 * Ask for your settings of the page; answered by `YourPageSettings`. For the owner of an account.
 * @typedef {{ type: "get_page_settings", id: string }} GetPageSettings
 */

/**
 * Replace your settings of the page; answered by `Done`. For the owner of an account.
 * @typedef {{ type: "set_page_settings", id: string, settings: PageSettings }} SetPageSettings
 */

/**
 * How the page looks and sounds to a player.
 * @typedef {{ board?: "marble" | "pixel" | "plain" | "wood", men?: "matching" | "pixel" | "plain" | "round", theme?:
 *   "dark" | "light" | "system", coordinates?: boolean, hints?: boolean, animation?: boolean, sound?: boolean, volume?:
 *   number, language?: "browser" | "de" | "en" | "es" | "fr" | "zh-Hans" }} PageSettings
 */

/**
 * Follow the owner of an account, or stop following them; answered by `Done`. The other player is not notified.
 * @typedef {{ type: "follow", id: string, player: string, on?: boolean }} Follow
 */

/**
 * Never be paired with a player, and hide seeks and challenges from each other; answered by `Blocked`.
 * @typedef {{ type: "block", id: string, player: string }} Block
 */

/**
 * Remove a block; answered by `Blocked`.
 * @typedef {{ type: "unblock", id: string, player: string }} Unblock
 */

/**
 * Ask whom you block; answered by `Blocked`.
 * @typedef {{ type: "get_blocked", id: string }} GetBlocked
 */

/**
 * Ask for the accounts whose names begin with a prefix; answered by `FoundPlayers`.
 * @typedef {{ type: "find_players", id: string, prefix: string }} FindPlayers
 */

/**
 * Get the lists of online players and of players whom you follow, now and after each change; or stop.
 * @typedef {{ type: "watch_players", on?: boolean }} WatchPlayers
 */

/**
 * Get your notifications, now and as they come; or stop getting them.
 * @typedef {{ type: "watch_notifications", on?: boolean }} WatchNotifications
 */

/**
 * Mark notifications as read: all, or those about one match or player; answered by `Done`.
 * @typedef {{ type: "mark_notifications_read", id: string, subject?: string | null }} MarkNotificationsRead
 */

/**
 * Ask which kinds of notifications you get; answered by `NotificationKinds`.
 * @typedef {{ type: "get_notification_kinds", id: string }} GetNotificationKinds
 */

/**
 * Choose which kinds of notifications you get; answered by `Done`. For the owner of an account.
 * @typedef {{ type: "set_notification_kinds", id: string, kinds: NotificationKind[] }} SetNotificationKinds
 */

/**
 * What a notification is about.
 * @typedef {"challenge_accepted" | "challenge_declined" | "challenged" | "followed_online" | "followed_playing" |
 *   "match_ended" | "rematch_offered" | "report_upheld" | "your_turn"} NotificationKind
 */

/**
 * Get the key with which browsers subscribe; answered by `PushKey`.
 * @typedef {{ type: "get_push_key", id: string }} GetPushKey
 */

/**
 * Have notifications pushed to this browser while no page of yours is open; answered by `Done`.
 * @typedef {{ type: "subscribe_to_push", id: string, endpoint: string, key: string, secret: string }} SubscribeToPush
 */

/**
 * Have nothing pushed to an endpoint any more; answered by `Done`.
 * @typedef {{ type: "unsubscribe_from_push", id: string, endpoint: string }} UnsubscribeFromPush
 */

/**
 * Get the e-mail address of your account, and whether this server sends e-mail; answered by `Email`.
 * @typedef {{ type: "get_email", id: string }} GetEmail
 */

/**
 * Set the e-mail address of your account; answered by `Done`.
 * @typedef {{ type: "set_email", id: string, address: string, password: string }} SetEmail
 */

/**
 * Confirm an e-mail address by the code that was sent there; answered by `Done`.
 * @typedef {{ type: "confirm_email", id: string, code: string }} ConfirmEmail
 */

/**
 * Have a recovery code sent to the e-mail address of an account, which is valid for half an hour.
 * @typedef {{ type: "mail_recovery_code", id: string, name: string }} MailRecoveryCode
 */

/**
 * Ask how a match from a set-up text would begin, without creating it. Answered by `Previewed`.
 * @typedef {{ type: "preview", id: string, game: string, setup?: string }} Preview
 */

/**
 * Ask for a position of a match as text. Answered by `Described`.
 * @typedef {{ type: "describe", id: string, match: string, ply: number }} Describe
 */

/**
 * Ask for a `Pong`.
 * @typedef {{ type: "ping", nonce?: number }} Ping
 */

/**
 * The first message of a connection. Without a token, the server creates a guest and returns a token.
 * @typedef {{ type: "hello", version: number, token?: string, client?: string, anonymous?: boolean }} Hello
 */

/**
 * A match was created. This is always the first event.
 * @typedef {{ type: "created", game: string, setup: string, seats: Required<SeatPlan>[], clock: Required<ClockSettings>
 *   | null, rematch_of: string | null, rated: boolean, listed: boolean, ratings: RatingRange | null, invited: string |
 *   null, imported: boolean, exhibition: boolean, delay_plies: number, by: string | null }} Created
 */

/**
 * A player took a seat.
 * @typedef {{ type: "seated", seat: number, player: Player, rating: SeatRating | null }} Seated
 */

/**
 * A player's rating when they took the seat.
 * @typedef {{ rating: number, provisional: boolean }} SeatRating
 */

/**
 * A player left their seat before the match started, so that it is open again; or, in a match that is played, a seat
 * changes between a person and a bot, and the next event seats the new player.
 * @typedef {{ type: "seat_freed", seat: number, player: Player }} SeatFreed
 */

/**
 * Every seat has its player, and play begins.
 * @typedef {{ type: "started", first_ply_ms: number | null }} Started
 */

/**
 * A seat made a ply.
 * @typedef {{ type: "moved", seat: number, move: string, clocks_ms: number[] | null, forced: boolean, planned: boolean
 *   }} Moved
 */

/**
 * The record from which a match was imported says something about the latest ply, or about the start.
 * @typedef {{ type: "annotated", comment: string, glyphs: number[], variations: string[] }} Annotated
 */

/**
 * A player left a match of three or four seats, which continues. The clock of the seat stops.
 * @typedef {{ type: "left", seat: number, reason: "absence" | "resignation" | "time" }} Left
 */

/**
 * A player voted on how a seat that was left continues.
 * @typedef {{ type: "stand_in_chosen", seat: number, for_seat: number, choice: StandIn }} StandInChosen
 */

/**
 * The vote on a seat that was left is decided.
 * @typedef {{ type: "stood_in", seat: number, choice: StandIn, level: number | null }} StoodIn
 */

/**
 * A seat makes an offer to the other players.
 * @typedef {{ type: "offered", seat: number, kind: OfferKind, lapses_at_ply: number, plies: number, level: number |
 *   string | null, player: Player | null }} Offered
 */

/**
 * A seat accepts an offer. When all have accepted, the offer takes effect.
 * @typedef {{ type: "offer_accepted", seat: number, kind: OfferKind, lapses_at_ply: number }} OfferAccepted
 */

/**
 * A seat declined an offer, or withdrew its own.
 * @typedef {{ type: "offer_declined", seat: number, kind: OfferKind }} OfferDeclined
 */

/**
 * The latest plies were undone, and the seat that asked is to move. No clock regains time.
 * @typedef {{ type: "taken_back", seat: number, plies: number, clocks_ms: number[] | null }} TakenBack
 */

/**
 * A seat gave other seats more time.
 * @typedef {{ type: "time_given", seat: number, seats: number[], given_ms: number, periods: number[] | null }}
 *   TimeGiven
 */

/**
 * All players agreed on a pause, or the creator of a match between bots paused it. The clocks stop until a player, the
 * creator, or `ends_at_ms`, ends it.
 * @typedef {{ type: "paused", clocks_ms: number[] | null, ends_at_ms: number }} Paused
 */

/**
 * A pause ended. The clock runs again after `grace_ms`.
 * @typedef {{ type: "pause_ended", seat: number | null, clocks_ms: number[] | null, grace_ms: number, limit_ms: number
 *   | null, plies: number | null }} PauseEnded
 */

/**
 * The match is over.
 * @typedef {{ type: "ended", ranks: number[] | null, reason: string, explanation: string, seat: number | null,
 *   clocks_ms: number[] | null }} Ended
 */

/**
 * How a rated match changed the ratings of its players.
 * @typedef {{ type: "rated", changes: (RatingChange | null)[], reason: Unrated | null, explanation: string }} Rated
 */

/**
 * Why a match created as rated does not count.
 * @typedef {"met_often" | "no_account" | "no_result" | "one_player" | "quick_wins" | "set_up" | "too_short"} Unrated
 */

/**
 * A moderator declared the result void. The rating changes are undone.
 * @typedef {{ type: "voided", explanation: string }} Voided
 */

/**
 * The server was restarted, could not store moves for a while, or bots go on after nobody watched them. The clocks
 * stood still, and run again after `grace_ms`.
 * @typedef {{ type: "resumed", clocks_ms: number[], grace_ms: number, limit_ms: number | null }} Resumed
 */

/**
 * A seat wants another match.
 * @typedef {{ type: "rematch_offered", seat: number }} RematchOffered
 */

/**
 * A seat takes no part in another match, or its player is gone and does not answer.
 * @typedef {{ type: "rematch_declined", seat: number }} RematchDeclined
 */

/**
 * All players agreed on another match, which has begun.
 * @typedef {{ type: "rematch_started", match: string }} RematchStarted
 */

/**
 * You are waiting for a quick pairing: sent as the answer, after `Hello`, and after each change.
 * @typedef {{ type: "searching", request: Required<PairingRequest>, takes_fewer: boolean, waiting: number, since_ms:
 *   number, bot_level: number | null, id: string | null }} Searching
 */

/**
 * Your match has begun; you have a seat in it.
 * @typedef {{ type: "paired", match: string, id: string | null }} Paired
 */

/**
 * Your search has ended without a match.
 * @typedef {{ type: "search_ended", id: string | null }} SearchEnded
 */

/**
 * Answers `PlayNow`: your match has begun.
 * @typedef {{ type: "now_playing", id: string, match: string, opponents: Player[] }} NowPlaying
 */

/**
 * Answers `GetFittingBot`.
 * @typedef {{ type: "fitting_bot", id: string, game: string, level: number }} FittingBot
 */

/**
 * The seeks that you can join, the newest first: sent with `LiveMatches`, and after each change.
 * @typedef {{ type: "seeks", seeks: Seek[], opponents: WaitingOpponent[] }} Seeks
 */

/**
 * A match that waits for players: an entry in the list of seeks, or a challenge.
 * @typedef {{ match: string, game: string, setup: string, by: Player, rating: number, players: string[], clock:
 *   Required<ClockSettings> | null, rated: boolean, ratings: RatingRange | null }} Seek
 */

/**
 * A player whom `PlayNow` would have you play at once.
 * @typedef {{ game: string, player: Player, clock: Required<ClockSettings> | null }} WaitingOpponent
 */

/**
 * The challenges that wait for your answer: after `Hello` if there are any, and after each change.
 * @typedef {{ type: "challenges", challenges: Seek[] }} Challenges
 */

/**
 * Your role and restrictions. Sent after `Welcome` if you have any, and whenever they change.
 * @typedef {{ type: "your_restrictions", role: Role | null, mute_text: string, muted_until_ms: number | null,
 *   name_removed: boolean }} YourRestrictions
 */

/**
 * What a player may do besides playing.
 * @typedef {"admin" | "moderator"} Role
 */

/**
 * Answers `WatchReports`, and is sent again whenever the open reports change.
 * @typedef {{ type: "open_reports", players: ReportedPlayer[] }} OpenReports
 */

/**
 * A player with the open reports about them.
 * @typedef {{ player: NamedPlayer, registered: boolean, upheld: number, muted: boolean, banned: boolean, taken_by:
 *   NamedPlayer | null, reports: OpenReport[], further: number }} ReportedPlayer
 */

/**
 * A player, with the name at that time.
 * @typedef {{ id: string, name: string }} NamedPlayer
 */

/**
 * A report that is not settled yet.
 * @typedef {{ id: string, by: NamedPlayer, upheld: number, dismissed: number, match: string | null, line: number |
 *   null, text: string, reason: ReportReason, note: string, at_ms: number }} OpenReport
 */

/**
 * Answers `GetChatContext`: the lines of both rooms, oldest first.
 * @typedef {{ type: "chat_context", id: string, match: string, lines: ChatLine[] }} ChatContext
 */

/**
 * A line of a chat.
 * @typedef {{ number: number, room: ChatRoom, player: Player, text: string, at_ms: number }} ChatLine
 */

/**
 * Answers `GetModerationRecord`.
 * @typedef {{ type: "moderation_record", id: string, player: NamedPlayer, role: Role | null, since_ms: number,
 *   mute_reason: string, muted_until_ms: number | null, ban_reason: string, upheld: number, dismissed: number, log:
 *   ModerationLogEntry[] }} ModerationRecord
 */

/**
 * A moderation action that was taken.
 * @typedef {{ number: number, at_ms: number, by: string, action: ModerationAction, player: NamedPlayer | null, match:
 *   string | null, line: number | null, until_ms: number | null, detail: string, reason: string }} ModerationLogEntry
 */

/**
 * Answers `GetModerationLog`.
 * @typedef {{ type: "moderation_log", id: string, entries: ModerationLogEntry[], has_more: boolean }} ModerationLog
 */

/**
 * Your inbox, the newest first: after `WatchNotifications`, and when notifications were read or withdrawn.
 * @typedef {{ type: "notifications", notifications: Notification[] }} Notifications
 */

/**
 * A notification; there is one of a kind about each subject.
 * @typedef {{ kind: NotificationKind, subject: string, at_ms: number, match: string | null, game: string | null,
 *   player: Player | null, explanation: string, read: boolean }} Notification
 */

/**
 * A new notification; it replaces the one of the same kind and subject.
 * @typedef {{ type: "notification_added", notification: Notification }} NotificationAdded
 */

/**
 * Answers `GetNotificationKinds`.
 * @typedef {{ type: "notification_kinds", id: string, kinds: NotificationKind[] }} NotificationKinds
 */

/**
 * Answers `ExploreOpening`.
 * @typedef {{ type: "opening_explored", id: string, to_move: number | null, opening: string, moves: OpeningMove[],
 *   matches: PastMatch[] }} OpeningExplored
 */

/**
 * A move that matches or the book have tried, from the view of the seat that plays it.
 * @typedef {{ move: string, alike: string[], clicks: string[], won: number, drawn: number, lost: number, latest: string
 *   | null, book_matches: number, book_score: number | null, expectation: number | null, opening: string }} OpeningMove
 */

/**
 * Answers `GetOpenings`.
 * @typedef {{ type: "openings", id: string, openings: Opening[] }} Openings
 */

/**
 * An opening that has a name.
 * @typedef {{ name: string, moves: string[], position: string, to_move: number }} Opening
 */

/**
 * Answers `GetProfile`.
 * @typedef {{ type: "profile", id: string, status: PlayerStatus, bio: string, followers: number, followed: boolean,
 *   scores: GameScore[], closed: boolean }} Profile
 */

/**
 * A player in a list: the country, whether the player is online, and what they are playing.
 * @typedef {{ player: Player, country: string | null, online: boolean, seen_ms: number | null, match: string | null,
 *   game: string | null }} PlayerStatus
 */

/**
 * Answers `GetPreferences`.
 * @typedef {{ type: "preferences", id: string, bio: string, country: string | null, online_visible: boolean, countries:
 *   string[] }} Preferences
 */

/**
 * Answers `GetPageSettings`.
 * @typedef {{ type: "your_page_settings", id: string, settings: Required<PageSettings> | null }} YourPageSettings
 */

/**
 * Answers `Block`, `Unblock` and `GetBlocked`: all players whom you block.
 * @typedef {{ type: "blocked", id: string, players: string[] }} Blocked
 */

/**
 * Answers `FindPlayers`, ordered by name.
 * @typedef {{ type: "found_players", id: string, players: PlayerStatus[] }} FoundPlayers
 */

/**
 * The players and bots that are online, ordered by name; only those with an account.
 * @typedef {{ type: "online_players", players: PlayerStatus[], bots: PlayerStatus[], count: number, guests: number }}
 *   OnlinePlayers
 */

/**
 * The players whom you follow: first those who are playing, then those who are online, each ordered by name.
 * @typedef {{ type: "followed_players", players: PlayerStatus[] }} FollowedPlayers
 */

/**
 * Answers `GetPuzzle`.
 * @typedef {{ type: "puzzle_posed", id: string, game: string, puzzle: string, mode: PuzzleMode, line: Required<Line>,
 *   seat: number, task: string, wording: Wording, moves: number, rating: number, tried: boolean, you: PuzzleStanding,
 *   day: string }} PuzzlePosed
 */

/**
 * A sentence for people as an English message and its values, for clients that translate it.
 * @typedef {{ message: string, values: { [key: string]: string | number } }} Wording
 */

/**
 * How well you solve the puzzles of a game.
 * @typedef {{ rating: number, deviation: number, provisional: boolean, attempts: number, solved: number, streak:
 *   number, best_streak: number }} PuzzleStanding
 */

/**
 * Answers `TryPuzzle` and `GiveUpPuzzle`.
 * @typedef {{ type: "puzzle_tried", id: string, puzzle: string, right: boolean, solved: boolean, reply: string,
 *   solution: string[], themes: PuzzleTheme[], counted: boolean, change: number, you: PuzzleStanding }} PuzzleTried
 */

/**
 * What puzzles are about.
 * @typedef {{ code: string, title: string, puzzles: number }} PuzzleTheme
 */

/**
 * Answers `GetPuzzleHistory`.
 * @typedef {{ type: "puzzle_history", id: string, game: string, you: PuzzleStanding, attempts: PuzzleAttempt[], themes:
 *   PuzzleTheme[] }} PuzzleHistory
 */

/**
 * The first attempt at a puzzle.
 * @typedef {{ puzzle: string, mode: PuzzleMode, solved: boolean, at_ms: number, rating: number }} PuzzleAttempt
 */

/**
 * Answers `GetLeaders`.
 * @typedef {{ type: "leaders", id: string, kind: RatingKind, leaders: Leader[], bots: Leader[], most_deviation: number,
 *   least_matches: number }} Leaders
 */

/**
 * A player in the list of leaders.
 * @typedef {{ player: Player, rating: number, deviation: number, matches: number }} Leader
 */

/**
 * Answers `GetPlayerRatings`.
 * @typedef {{ type: "player_ratings", id: string, player: Player, since_ms: number | null, ratings: KindRating[],
 *   matches: PastMatch[] }} PlayerRatings
 */

/**
 * A player's rating in one kind of match.
 * @typedef {{ kind: RatingKind, rating: number, deviation: number, provisional: boolean, matches: number, history:
 *   RatingPoint[] }} KindRating
 */

/**
 * A rating after a match.
 * @typedef {[at_ms: number, rating: number, deviation: number, match: string]} RatingPoint
 */

/**
 * Answers `Hello`.
 * @typedef {{ type: "welcome", version: number, player: Player, token: string, games: GameInfo[], now_ms: number }}
 *   Welcome
 */

/**
 * A game that this server offers.
 * @typedef {{ name: string, title: string, seats: number[], seat_names: string[], levels: number, starts: StartInfo[],
 *   has_match_limit: boolean, personalities: PersonalityInfo[], has_lesson: boolean, description: string, showcase:
 *   string, level_descriptions: string[], level_names: { [key: string]: number }, puzzles: number, editor: EditorInfo |
 *   null }} GameInfo
 */

/**
 * A start that a game offers by name, besides the standard one.
 * @typedef {{ title: string, setup: string, seats: number }} StartInfo
 */

/**
 * A bot with a style of its own.
 * @typedef {{ name: string, title: string, description: string, level: number }} PersonalityInfo
 */

/**
 * What can be set up by hand in positions of a game (`Compose`).
 * @typedef {{ largest_pile: number, largest_reserve: number }} EditorInfo
 */

/**
 * A command took effect, and the effect is stored as event `seq`. A repeated command gets the same answer.
 * @typedef {{ type: "accepted", id: string, match: string, seq: number }} Accepted
 */

/**
 * A message had no effect.
 * @typedef {{ type: "refused", code: Code, message: string, id: string | null, match: string | null, wording: Wording[]
 *   }} Refused
 */

/**
 * Why a command was refused or a connection closed: the closed list. `docs/protocol.md` shows the same texts.
 * @typedef {"account_needed" | "already_started" | "analysis_spent" | "bad_clock" | "bad_email" | "bad_move" |
 *   "bad_name" | "bad_password" | "bad_plan" | "bad_record" | "bad_seats" | "bad_setup" | "bad_text" | "bad_token" |
 *   "banned" | "being_played" | "bot_needed" | "guest_registered" | "has_played" | "hello_first" | "host_needed" |
 *   "host_stays" | "illegal_move" | "malformed" | "match_over" | "muted" | "name_taken" | "not_absent" | "not_allowed"
 *   | "not_for_bots" | "not_for_you" | "not_over" | "not_paused" | "not_searching" | "not_started" | "not_taken" |
 *   "not_your_seat" | "not_your_turn" | "nothing_to_choose" | "nothing_to_do" | "offer_lapsed" | "offer_not_possible" |
 *   "offer_open" | "offer_too_soon" | "paused" | "plan_outdated" | "plan_too_large" | "rate_limited" |
 *   "repetition_refused" | "reports_taken" | "scope_needed" | "seat_left" | "seat_taken" | "signed_in" | "signed_out" |
 *   "too_busy" | "too_early" | "too_fast" | "too_many" | "too_many_attempts" | "unavailable" | "unknown_country" |
 *   "unknown_game" | "unknown_line" | "unknown_match" | "unknown_player" | "unknown_ply" | "unknown_puzzle" |
 *   "unknown_study" | "unknown_token" | "unsupported_version" | "wrong_password"} Code
 */

/**
 * Answers `Watch`: the board to draw, and the number of the latest event. The events follow.
 * @typedef {{ type: "watching", match: string, seq: number, board: Board, your_seats: number[], now_ms: number }}
 *   Watching
 */

/**
 * An event of a match that you watch.
 * @typedef {{ type: "match_event", match: string, seq: number, at_ms: number, event: Event, to_move: number | null,
 *   view: View | null }} MatchEvent
 */

/**
 * Several events in order: what a client that resumes has missed.
 * @typedef {{ type: "match_events", match: string, events: MatchEvent[] }} MatchEvents
 */

/**
 * Sent to the player who is to move: the legal moves after event `seq`.
 * @typedef {{ type: "turn", match: string, seq: number, seat: number, moves: MoveTree, refused: MoveTree, highlights: {
 *   [key: string]: Highlight[] } }} Turn
 */

/**
 * Answers `Preview`.
 * @typedef {{ type: "previewed", id: string, seats: number, to_move: number | null, board: Board, view: View, position:
 *   string }} Previewed
 */

/**
 * Answers `Describe`.
 * @typedef {{ type: "described", id: string, match: string, ply: number, position: string, notations: { [key: string]:
 *   string } }} Described
 */

/**
 * Who is there: how many watch, and which seats are connected (bots always are).
 * @typedef {{ type: "audience_update", match: string, spectators: number, present: boolean[], claimable_at_ms: (number
 *   | null)[] }} AudienceUpdate
 */

/**
 * The live matches that are most worth watching; `WatchLive` lists all of them.
 * @typedef {{ type: "live_matches", matches: MatchSummary[] }} LiveMatches
 */

/**
 * An entry of the list of live matches.
 * @typedef {{ match: string, game: string, players: string[], plies: number, spectators: number, clock:
 *   Required<ClockSettings> | null, bots: number[], ratings: (SeatRating | null)[], speed: Speed, rated: boolean,
 *   exhibition: boolean }} MatchSummary
 */

/**
 * Answers `Ping`.
 * @typedef {{ type: "pong", nonce: number, now_ms: number }} Pong
 */

/**
 * Answers `SetPlan` and `GetPlan`.
 * @typedef {{ type: "plan", id: string, match: string, seat: number, ply: number, lines: string[][] }} Plan
 */

/**
 * The bots that accept challenges, ordered by name: sent with `LiveMatches`, and after each change.
 * @typedef {{ type: "online_bots", bots: OnlineBot[] }} OnlineBots
 */

/**
 * A bot in the list of bots.
 * @typedef {{ player: Player, rules: Required<ChallengeRules>, matches: number }} OnlineBot
 */

/**
 * A player of a match that you watch has a new name: a guest created an account, an account was deleted, or moderators
 * removed the name. From now on the events contain the new name as well.
 * @typedef {{ type: "renamed", match: string, seat: number, player: Player }} Renamed
 */

/**
 * A command that concerns no event of a match took effect.
 * @typedef {{ type: "done", id: string }} Done
 */

/**
 * Play stands still, because the server cannot store anything, or it continues. Sent to every player, and after
 * `Welcome` while it lasts.
 * @typedef {{ type: "interruption", is_over: boolean, explanation: string }} Interruption
 */

/**
 * The latest lines that you may read. Sent again whenever that changes, for example when the match ends.
 * @typedef {{ type: "chat", match: string, room: ChatRoom, lines: ChatLine[], muted: string[] }} Chat
 */

/**
 * A new line in a chat that you follow.
 * @typedef {{ type: "chat_line_added", match: string, line: ChatLine }} ChatLineAdded
 */

/**
 * Your matches in progress: first those where it is your turn, the one with the least time left first.
 * @typedef {{ type: "your_matches", matches: YourMatch[] }} YourMatches
 */

/**
 * A match in progress in which you have a seat.
 * @typedef {{ match: string, game: string, players: string[], your_seats: number[], is_your_turn: boolean, plies:
 *   number, clock: Required<ClockSettings> | null, due_at_ms: number | null, bots: number[] }} YourMatch
 */

/**
 * A page of the list of live matches: matches of rated people first, the best of them first.
 * @typedef {{ type: "live_page", game: string | null, page: number, pages: number, total: number, matches:
 *   MatchSummary[] }} LivePage
 */

/**
 * The featured match of a game, to be watched with `Watch`. It changes some seconds after its end, or when a much
 * better match is played.
 * @typedef {{ type: "featured", game: string, match: string | null }} Featured
 */

/**
 * Answers `GetLesson`.
 * @typedef {{ type: "lesson", id: string, game: string, rules: Rule[], steps: LessonStep[] }} Lesson
 */

/**
 * A paragraph of a game's rules in short.
 * @typedef {{ title: string, text: string }} Rule
 */

/**
 * A position in which the reader is to find a move; `Explore` has its board and legal moves.
 * @typedef {{ title: string, text: string, line: Required<Line>, accepted: string[], right: string, wrong: string,
 *   reply: string }} LessonStep
 */

/**
 * Answers `GetRemarks`.
 * @typedef {{ type: "remarks", id: string, match: string, ply: number, remarks: Remark[], taking: string,
 *   taking_message: string, names: { [key: string]: string }, is_newcomer: boolean }} Remarks
 */

/**
 * An explanation for a newcomer.
 * @typedef {{ code: string, text: string, message: string, values: { [key: string]: string | number } }} Remark
 */

/**
 * Answers `SaveStudy`.
 * @typedef {{ type: "study_saved", id: string, study: string }} StudySaved
 */

/**
 * Answers `GetStudy`.
 * @typedef {{ type: "study", id: string, study: string, title: string, is_own: boolean, game: string, setup: string,
 *   match: string | null, text: string, updated_ms: number }} Study
 */

/**
 * Answers `ListStudies`.
 * @typedef {{ type: "studies", id: string, studies: StudySummary[] }} Studies
 */

/**
 * A study, without its text.
 * @typedef {{ study: string, title: string, game: string, updated_ms: number }} StudySummary
 */

/**
 * Answers `GetPushKey`.
 * @typedef {{ type: "push_key", id: string, key: string }} PushKey
 */

/**
 * Answers `GetEmail`.
 * @typedef {{ type: "email", id: string, address: string, is_offered: boolean }} Email
 */
