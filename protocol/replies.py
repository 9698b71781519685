"""Messages from the server: replies, events as spectators receive them, and lists."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from .accounts import AccountReply, Renamed
from .analysis import AnalysisAnswer
from .archive import ArchiveAnswer
from .bots import OnlineBots
from .chat import Chat, ChatLineAdded
from .codes import Code
from .email import EmailReply
from .endings import EndingAnswer
from .events import Event
from .fields import CommandId, MatchId, Message, MoveTree, Wording
from .ladders import LadderMessage
from .lobby import LobbyMessage
from .mistakes import MistakeAnswer
from .moderation import ModerationReply
from .notifications import NotificationMessage
from .openings import OpeningAnswer
from .page_bots import BotTurn
from .plans import Plan
from .profiles import ProfileMessage
from .push import PushAnswer
from .puzzles import PuzzleAnswer
from .races import RaceMessage
from .ratings import RatingAnswer
from .spectating import Featured, LivePage
from .storms import StormAnswer
from .studies import StudyAnswer
from .teaching import TeachingAnswer
from .tournaments import TournamentMessage
from .values import Board, GameInfo, Highlight, MatchSummary, Player, View
from .your_matches import YourMatches


class Welcome(Message, frozen=True):
    """Answers `Hello`."""

    version: int
    player: Player
    """You, as other players see you."""
    token: str
    """Your secret. Send it in the next `Hello` to be the same player with the same seats. Empty for a signed-in
    browser, which has a cookie instead."""
    games: tuple[GameInfo, ...]
    now_ms: int


class Accepted(Message, frozen=True):
    """A command took effect and is stored as event `seq`. A repeated command gets the same answer."""

    id: CommandId
    match: MatchId
    seq: int


class Done(Message, frozen=True):
    """A command that is not an event of a match took effect."""

    id: CommandId


class Interruption(Message, frozen=True):
    """Play pauses, because the server cannot store anything, or continues. Sent to every player, and after `Welcome`
    during an interruption.
    """

    is_over: bool
    explanation: str
    """What happened, as text."""


class BotAvailability(Message, frozen=True):
    """The games in which bots cannot move yet. Sent to every player when that changes, and after `Welcome` unless bots
    play every game.
    """

    waiting: tuple[str, ...]
    """The games in which bots cannot move yet. Matches with bots wait."""
    is_starting: bool
    """Whether they are about to play. Otherwise something keeps them from starting, and new matches with them are
    refused with `bots_unavailable`."""
    explanation: str
    """What happened, as text; empty if no bots wait for the server."""
    faulty: tuple[str, ...] = ()
    """Those of the waiting games whose own code is faulty: they have no bots, and new matches with them are refused."""
    faulty_explanation: str = ""
    """What that means, as text; empty if `faulty` is."""


class Refused(Message, frozen=True):
    """A message had no effect."""

    code: Code
    message: str
    """The reason as text."""
    id: CommandId | None = None
    match: MatchId | None = None
    wording: tuple[Wording, ...] = ()
    """The sentences of the reason with their values; empty if `message` is one sentence without values."""


class Watching(Message, frozen=True):
    """Answers `Watch`: the board to draw, and the number of the latest event. The events follow."""

    match: MatchId
    seq: int
    """The number of the latest event."""
    board: Board
    """The board after event `since`. Later events say when it changes."""
    your_seats: tuple[int, ...]
    now_ms: int
    reserved: bool = False
    """Whether an open seat is kept for you, because you asked for it (`Watch.reserves`)."""


class MatchEvent(Message, frozen=True):
    """An event of a match that you watch."""

    match: MatchId
    seq: int
    at_ms: int
    event: Event
    to_move: int | None
    """The seat to move after the event, if the match is being played."""
    view: View | None = None
    """Sent with `Created`, `Moved` and `TakenBack`, and with an `Ended` for which territory was counted."""


class MatchEvents(Message, frozen=True):
    """Several events in order: those that a resuming client has missed."""

    match: MatchId
    events: tuple[MatchEvent, ...]


class Turn(Message, frozen=True):
    """Sent to the player who is to move: the legal moves after event `seq`."""

    match: MatchId
    seq: int
    seat: int
    moves: MoveTree
    refused: MoveTree = msgspec.field(default_factory=dict)
    """The moves forbidden only by the ban on repetition, so that a client can explain why they are missing."""
    highlights: dict[str, tuple[Highlight, ...]] = msgspec.field(default_factory=dict)
    """What a move in progress has achieved, by its clicks without the last, separated by spaces."""


class Previewed(Message, frozen=True):
    """Answers `Preview`."""

    id: CommandId
    seats: int
    to_move: int | None
    """The seat to move; None if play is over in that position, so no match can begin there."""
    board: Board
    view: View
    position: str
    """The text in its standard form."""


class Described(Message, frozen=True):
    """Answers `Describe`."""

    id: CommandId
    match: MatchId
    ply: int
    position: str
    """A text that `Create` accepts as a set-up."""
    notations: Mapping[str, str] = {}
    """The position in the notations of other programs that can express it, by title; `Create` accepts them too."""


class AudienceUpdate(Message, frozen=True):
    """The number of spectators, and which seats are connected (bots always are). Sent at most twice a second."""

    match: MatchId
    spectators: int
    present: tuple[bool, ...]
    claimable_at_ms: tuple[int | None, ...] = ()
    """For each seat whose player is absent, the time from which the others may `Claim`; None for other seats, and while
    nothing can be claimed.
    """


class LiveMatches(Message, frozen=True):
    """The live matches most worth watching; `WatchLive` lists all of them."""

    matches: tuple[MatchSummary, ...]


class Pong(Message, frozen=True):
    """Answers `Ping`."""

    nonce: int
    now_ms: int


ServerMessage: TypeAlias = (
    Welcome
    | Accepted
    | Refused
    | Watching
    | MatchEvent
    | MatchEvents
    | Turn
    | BotTurn
    | Previewed
    | Described
    | AudienceUpdate
    | LiveMatches
    | Pong
    | Plan
    | LobbyMessage
    | OnlineBots
    | Renamed
    | AccountReply
    | Done
    | Interruption
    | BotAvailability
    | Chat
    | ChatLineAdded
    | YourMatches
    | LivePage
    | Featured
    | RatingAnswer
    | ArchiveAnswer
    | AnalysisAnswer
    | OpeningAnswer
    | TeachingAnswer
    | PuzzleAnswer
    | EndingAnswer
    | StormAnswer
    | RaceMessage
    | MistakeAnswer
    | StudyAnswer
    | ProfileMessage
    | ModerationReply
    | NotificationMessage
    | PushAnswer
    | EmailReply
    | TournamentMessage
    | LadderMessage
)
