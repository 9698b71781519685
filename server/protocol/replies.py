"""What the server sends: answers, events as watchers hear of them, and lists."""

from typing import TypeAlias

import msgspec

from .accounts import AccountAnswer, Renamed
from .analysis import AnalysisAnswer
from .archive import ArchiveAnswer
from .bots import OnlineBots
from .chat import Chat, Said
from .codes import Code
from .events import Event
from .fields import CommandId, MatchId, Message, MoveTree
from .lobby import LobbyMessage
from .moderation import OrderAnswer
from .notifications import NotificationMessage
from .profiles import ProfileMessage
from .ratings import RatingAnswer
from .spectating import Featured, LivePage
from .values import Board, GameInfo, MatchSummary, Player, View
from .your_matches import YourMatches


class Welcome(Message, frozen=True):
    """Answers `Hello`."""

    version: int
    player: Player
    """Who you are to others."""
    token: str
    """Your secret: say it in the next `Hello` to be the same player and to hold the same seats. Empty for a browser
    that has signed in: its cookie is the secret."""
    games: tuple[GameInfo, ...]
    now_ms: int


class Accepted(Message, frozen=True):
    """A command has had its effect, which is stored: event `seq` of the match. A repeated command is answered alike."""

    id: CommandId
    match: MatchId
    seq: int


class Done(Message, frozen=True):
    """A command that concerns no match has had its effect."""

    id: CommandId


class Refused(Message, frozen=True):
    """A frame had no effect."""

    code: Code
    message: str
    """For people."""
    id: CommandId | None = None
    match: MatchId | None = None


class Watching(Message, frozen=True):
    """Answers `Watch`: what to draw, and where the match stands. The events follow."""

    match: MatchId
    seq: int
    """Of the latest event."""
    board: Board
    """As it is after event `since`; the events that follow say if it becomes another."""
    your_seats: tuple[int, ...]
    now_ms: int


class MatchEvent(Message, frozen=True):
    """An event of a match that you watch."""

    match: MatchId
    seq: int
    at_ms: int
    event: Event
    to_move: int | None
    """The seat to move after the event, if the match is being played."""
    view: View | None = None
    """With `Created`, `Moved` and `TakenBack`, and with an `Ended` for which territory was counted."""


class MatchEvents(Message, frozen=True):
    """Several events at once, in order: what a client that resumes has missed."""

    match: MatchId
    events: tuple[MatchEvent, ...]


class Turn(Message, frozen=True):
    """To whom a seat belongs that is to move: its legal moves after event `seq`."""

    match: MatchId
    seq: int
    seat: int
    moves: MoveTree
    refused: MoveTree = msgspec.field(default_factory=dict)
    """The moves that nothing forbids but the ban on repetition: to explain to the player why they are not there."""


class Previewed(Message, frozen=True):
    """Answers `Preview`."""

    id: CommandId
    seats: int
    to_move: int | None
    """The seat to move; None if play is over in that position, so that no match can be made from it."""
    board: Board
    view: View
    position: str
    """The text in its usual form."""


class Described(Message, frozen=True):
    """Answers `Describe`."""

    id: CommandId
    match: MatchId
    ply: int
    position: str
    """Text that `Create` takes as a set-up."""


class AudienceUpdate(Message, frozen=True):
    """Who is there: how many watch, and which seats are connected (bots always are)."""

    match: MatchId
    spectators: int
    present: tuple[bool, ...]
    claimable_at_ms: tuple[int | None, ...] = ()
    """For each seat whose player is away, from when the others may `Claim`; None where nobody is, or nothing can be
    claimed."""


class LiveMatches(Message, frozen=True):
    """The matches being played that are most worth watching; `WatchLive` leads to all of them."""

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
    | Previewed
    | Described
    | AudienceUpdate
    | LiveMatches
    | Pong
    | LobbyMessage
    | OnlineBots
    | Renamed
    | AccountAnswer
    | Done
    | Chat
    | Said
    | YourMatches
    | LivePage
    | Featured
    | RatingAnswer
    | ArchiveAnswer
    | AnalysisAnswer
    | ProfileMessage
    | OrderAnswer
    | NotificationMessage
)
