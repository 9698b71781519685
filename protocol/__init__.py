"""Every message that crosses the socket, in both directions, and every event that the journal stores.

No behaviour. Pure. Each frame is one JSON object whose `type` names its class in snake case; unknown fields and types
are refused. `examples.jsonl` has an example of each.

Times ending in `_ms` are milliseconds: `at_ms` and `now_ms` since 1970 by the server's clock, `clocks_ms` the time that
each seat has left. Seats count from 0. A match's events are numbered `seq`, from 1 without gaps.

A feature's messages are in the module with its name. `commands` has the other messages from clients, and the union of
all; `replies` has those from the server. `events` has what the journal stores. `values`, `codes` and `fields` are their
parts. `tools.protocol` makes JavaScript types, JSON Schema, AsyncAPI and a reference from these types.
"""

import msgspec

from .accounts import (
    AccountCommand,
    AccountReply,
    BecomeBot,
    ChangePassword,
    ChooseName,
    CreateToken,
    DeleteAccount,
    ListTokens,
    Recover,
    RecoveryCodes,
    Register,
    Renamed,
    RenewRecoveryCodes,
    RevokeToken,
    Scope,
    SignedIn,
    SignIn,
    SignOut,
    TokenCreated,
    TokenInfo,
    Tokens,
)
from .analysis import (
    Analyse,
    AnalyseMatch,
    AnalysisAnswer,
    AnalysisCommand,
    Compose,
    Composed,
    EngineLine,
    Evaluated,
    Explore,
    Explored,
    GetEngineLine,
    GetLegalMoves,
    JudgedPly,
    Judgement,
    LegalMove,
    LegalMoves,
    Line,
    MatchAnalysed,
    MatchProgress,
    ProbeTablebase,
    Score,
    SolvedMove,
    SolvedPosition,
    StopAnalysis,
    TablebaseProbed,
    Variation,
)
from .archive import (
    ArchiveAnswer,
    ArchiveCommand,
    BotRecord,
    BotRecords,
    Crosstable,
    FoundMatches,
    GameScore,
    GetBotRecords,
    GetCrosstable,
    ImportedMatch,
    ImportMatches,
    MatchesImported,
    ResultFilter,
    SearchMatches,
)
from .bots import ChallengeRules, OnlineBot, OnlineBots, SetChallengeRules
from .chat import (
    Chat,
    ChatCommand,
    ChatLine,
    ChatLineAdded,
    ChatRoom,
    Mute,
    Say,
    WatchChat,
    chat_of_tournament,
)
from .codes import Code, Termination, Unrated
from .commands import (
    Abort,
    AcceptOffer,
    AfterHello,
    AskForSeat,
    Berserk,
    ChangePlayer,
    ChooseStandIn,
    Claim,
    ClientMessage,
    Create,
    Decline,
    DeclineOffer,
    DeclineRematch,
    Describe,
    EndPause,
    FillSeat,
    GiveTime,
    Hello,
    Join,
    LeaveSeat,
    MatchCommand,
    Offer,
    PauseBots,
    Ping,
    Play,
    Preview,
    Rematch,
    Resign,
    ResumeBots,
    Unwatch,
    Watch,
    WatchLobby,
)
from .email import ConfirmEmail, Email, EmailCommand, EmailReply, GetEmail, MailRecoveryCode, SetEmail
from .endings import (
    EndingAnswer,
    EndingCommand,
    EndingGoal,
    EndingPlayed,
    EndingPosed,
    EndingStanding,
    GetEnding,
    PlayEnding,
)
from .events import (
    Annotated,
    Berserked,
    Created,
    Ended,
    Event,
    Left,
    Moved,
    OfferAccepted,
    OfferDeclined,
    Offered,
    Paused,
    PauseEnded,
    Rated,
    RematchDeclined,
    RematchOffered,
    RematchStarted,
    Resumed,
    Seated,
    SeatFreed,
    StandInChosen,
    Started,
    StoodIn,
    TakenBack,
    TimeGiven,
    Voided,
)
from .faults import explain
from .fields import CommandId, IdentityId, MatchId, Message, MoveTree, OfferKind, Part, StandIn, TournamentId, Wording
from .ladders import (
    ChallengeOnLadder,
    GetLadders,
    JoinLadder,
    LadderChange,
    LadderChangeKind,
    LadderCommand,
    LadderMatch,
    LadderMessage,
    LadderPlace,
    Ladders,
    LadderSummary,
    LadderView,
    LeaveLadder,
    WatchLadder,
)
from .lobby import (
    Challenges,
    FindMatch,
    FittingBot,
    GetFittingBot,
    LobbyCommand,
    LobbyMessage,
    NowPlaying,
    Paired,
    PairingRequest,
    PlayBot,
    PlayNow,
    SearchEnded,
    Searching,
    Seek,
    Seeks,
    StopSearch,
    WaitingOpponent,
)
from .mistakes import (
    GetMistake,
    Mistake,
    MistakeAnswer,
    MistakeCommand,
    MistakePosed,
    MistakeTried,
    MistakeVerdict,
    TryMistake,
)
from .moderation import (
    Announcement,
    ChatContext,
    GetChatContext,
    GetModerationLog,
    GetModerationRecord,
    GetSiteControls,
    Moderate,
    ModerationAction,
    ModerationCommand,
    ModerationLog,
    ModerationLogEntry,
    ModerationRecord,
    ModerationReply,
    ModeratorCommand,
    NamedPlayer,
    OpenReport,
    OpenReports,
    Report,
    ReportedPlayer,
    ReportReason,
    Role,
    SettleReports,
    SiteControl,
    SiteControls,
    SwitchableFeature,
    TakeReports,
    WatchReports,
    YourRestrictions,
)
from .newer_fields import read_json
from .notifications import (
    GetNotificationKinds,
    MarkNotificationsRead,
    Notification,
    NotificationAdded,
    NotificationCommand,
    NotificationKind,
    NotificationKinds,
    Notifications,
    SetNotificationKinds,
    WatchNotifications,
)
from .old_events import upgraded
from .openings import (
    ExploreOpening,
    GetOpenings,
    Opening,
    OpeningAnswer,
    OpeningCommand,
    OpeningExplored,
    OpeningMove,
    Openings,
)
from .page_bots import BotTurn, PageBotCommand, PlayForBot, ThinkForBot
from .plans import GetPlan, Plan, PlanCommand, SetPlan
from .profiles import (
    Block,
    Blocked,
    FindPlayers,
    Follow,
    FollowedPlayers,
    FoundPlayers,
    GetBlocked,
    GetPageSettings,
    GetPreferences,
    GetProfile,
    GetVacation,
    OnlinePlayers,
    PageSettings,
    PlayerStatus,
    Preferences,
    Profile,
    ProfileAnswer,
    ProfileCommand,
    SetOnlineVisibility,
    SetPageSettings,
    SetProfile,
    SetVacation,
    Trophy,
    Unblock,
    Vacation,
    WatchPlayers,
    YourPageSettings,
)
from .push import GetPushKey, PushAnswer, PushCommand, PushKey, SubscribeToPush, UnsubscribeFromPush
from .puzzles import (
    GetPuzzle,
    GetPuzzleHistory,
    GiveUpPuzzle,
    PuzzleAnswer,
    PuzzleAttempt,
    PuzzleCommand,
    PuzzleHistory,
    PuzzleMode,
    PuzzlePosed,
    PuzzleStanding,
    PuzzleTheme,
    PuzzleTried,
    TryPuzzle,
)
from .races import (
    GetRaceRun,
    JoinRace,
    OpenRace,
    PlayRace,
    RaceCommand,
    RaceMessage,
    RaceOpened,
    RacePlayed,
    Racer,
    RaceRun,
    RaceView,
    StartRace,
    WatchRace,
)
from .ratings import (
    GetLeaders,
    GetPlayerRatings,
    KindRating,
    Leader,
    Leaders,
    PastMatch,
    PlayerRatings,
    RatingAnswer,
    RatingCommand,
    RatingPoint,
)
from .replies import (
    Accepted,
    AudienceUpdate,
    BotAvailability,
    Described,
    Done,
    Interruption,
    LiveMatches,
    MatchEvent,
    MatchEvents,
    Pong,
    Previewed,
    Refused,
    ServerMessage,
    Turn,
    Watching,
    Welcome,
)
from .spectating import Featured, LivePage, WatchFeatured, WatchingCommand, WatchLive
from .storms import (
    PlayStorm,
    StartStorm,
    StormAnswer,
    StormBegun,
    StormCommand,
    StormPlayed,
    StormPuzzle,
    StormStanding,
)
from .studies import (
    MAX_CHAPTERS,
    MAX_PART_LENGTH,
    ChangeStudy,
    DeleteChapter,
    DeleteStudy,
    GetStudy,
    ListStudies,
    SaveStudy,
    ShareStudy,
    Studies,
    Study,
    StudyAnswer,
    StudyChapter,
    StudyCommand,
    StudyEditor,
    StudyNews,
    StudySaved,
    StudySummary,
    WatchStudy,
)
from .teaching import GetLesson, GetRemarks, Lesson, LessonStep, Remark, Remarks, Rule, TeachingAnswer, TeachingCommand
from .tournaments import (
    AcceptPlayer,
    CreateTournament,
    DisqualifyPlayer,
    ForbidPairing,
    GetTournamentMatches,
    JoinTournament,
    LeaveTournament,
    Standing,
    StartSimul,
    TournamentCommand,
    TournamentCreated,
    TournamentKind,
    TournamentMatches,
    TournamentMessage,
    TournamentPlan,
    Tournaments,
    TournamentStatus,
    TournamentSummary,
    TournamentTable,
    TournamentUpdate,
    TournamentView,
    UnwatchTournament,
    WatchTournament,
    WatchTournaments,
    YourStanding,
    YourTournament,
)
from .values import (
    NOBODY,
    Board,
    Cell,
    Change,
    ClockSettings,
    EditorInfo,
    GameInfo,
    Highlight,
    MatchSummary,
    PersonalityInfo,
    Player,
    RatingChange,
    RatingKind,
    RatingRange,
    SeatPlan,
    SeatRating,
    Speed,
    StartInfo,
    Tally,
    View,
)
from .your_matches import WatchYourMatches, YourMatch, YourMatches

VERSION = 2
"""The version of the protocol. A client that names another one in `Hello` is refused."""

SOCKET_PATH = "/socket"
MAX_FRAME_BYTES = 8192
"""Maximum length of a message from a client; a longer one is refused."""
MOST_READ_BYTES = 4 * MAX_FRAME_BYTES
"""Maximum length of a message that a server reads to refuse it; a longer one closes the connection."""

_encoder = msgspec.json.Encoder()
_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class MalformedError(ValueError):
    """A frame that is not a message of this protocol; the text says why."""


def encode(message: Message) -> bytes:
    """Return the JSON of a message or event."""
    return _encoder.encode(message)


def parse_client_message(frame: bytes | str) -> ClientMessage:
    """Read a frame from a client. Raises: MalformedError."""
    try:
        return _client_decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(explain(error)) from None


def parse_server_message(frame: bytes | str) -> ServerMessage:
    """Read a frame from the server, ignoring fields added by a newer one. Raises: MalformedError."""
    try:
        return read_json(frame, _server_decoder)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(explain(error)) from None


def parse_event(body: bytes | str) -> Event:
    """Read a stored event, also in the form of older servers, ignoring fields added by a newer one.

    Raises: MalformedError.
    """
    try:
        return read_json(upgraded(body), _event_decoder)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(explain(error)) from None
