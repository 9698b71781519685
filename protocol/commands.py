"""Messages from clients: commands in matches, and requests."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .accounts import AccountCommand
from .analysis import AnalysisCommand
from .archive import ArchiveCommand, ImportMatches
from .bots import SetChallengeRules
from .chat import ChatCommand
from .email import EmailCommand
from .endings import EndingCommand
from .fields import (
    CommandIdField,
    CountField,
    GameNameField,
    LevelField,
    MatchIdField,
    Message,
    MoveTextField,
    OfferKind,
    PlayerNameField,
    SeatField,
    SetupTextField,
    StandIn,
)
from .ladders import LadderCommand
from .lobby import LobbyCommand
from .mistakes import MistakeCommand
from .moderation import ModerationCommand
from .notifications import NotificationCommand
from .openings import OpeningCommand
from .page_bots import PageBotCommand
from .plans import PlanCommand
from .profiles import ProfileCommand
from .push import PushCommand
from .puzzles import PuzzleCommand
from .races import RaceCommand, WatchRace
from .ratings import RatingCommand
from .spectating import WatchingCommand
from .storms import StormCommand
from .studies import StudyCommand, WatchStudy
from .teaching import TeachingCommand
from .tournaments import TournamentCommand
from .values import ClockSettings, RatingRange, SeatPlan
from .your_matches import WatchYourMatches


class Hello(Message, frozen=True):
    """The first message of a connection. Without a token, the server creates a guest and returns a token."""

    version: int
    token: Annotated[str, msgspec.Meta(max_length=128)] = ""
    client: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The name of the program, for the server's log."""
    anonymous: bool = False
    """Whether to be a new guest even if the browser sends a cookie, for boards on other sites."""


class Create(Message, frozen=True):
    """Create a match. Sending it again with the same id leads to the same match."""

    id: CommandIdField
    game: GameNameField
    seats: Annotated[tuple[SeatPlan, ...], msgspec.Meta(min_length=1, max_length=4)]
    setup: SetupTextField = ""
    clock: ClockSettings | None = None
    """None for an untimed match."""
    shuffle: bool = False
    """Whether to assign the planned occupants to the seats at random."""
    rated: bool = False
    """Whether the result counts for the ratings. Every player then needs an account and has one seat, a person plays,
    and the match begins from a start that the game offers."""
    listed: bool = False
    """Whether the match is listed among the seeks while a seat is open."""
    ratings: RatingRange | None = None
    """The ratings of players who may take an open seat."""
    invited: PlayerNameField | None = None
    """The name of the account to challenge. Only its owner may take the open seat."""
    delay_plies: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """How many plies late spectators see the match, so that nobody can advise a player."""


class Join(Message, frozen=True):
    """Take an open seat, by default the first."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField | None = None


class Decline(Message, frozen=True):
    """Decline a challenge. The match ends."""

    id: CommandIdField
    match: MatchIdField


class FillSeat(Message, frozen=True):
    """Put a bot into an open seat. Only for players of the match."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    level: LevelField


class LeaveSeat(Message, frozen=True):
    """Give up a seat that you joined, before the match starts. The seat is open again."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Play(Message, frozen=True):
    """Make a ply."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    move: MoveTextField
    """The text of the move, or its clicks separated by single spaces."""


class Resign(Message, frozen=True):
    """Resign the match. With three or four seats it continues without this player."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class ChooseStandIn(Message, frozen=True):
    """Vote on a seat whose player has left: a bot plays on for it, or it is skipped."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    """The voter's own seat."""
    for_seat: SeatField
    choice: StandIn


class Claim(Message, frozen=True):
    """Claim a win, a draw or a stand-in because a player is absent, from `AudienceUpdate.claimable_at_ms` on."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    """The claimant's own seat."""
    for_seat: SeatField
    outcome: Literal["win", "draw", "stand_in"]
    """With two seats `win` or `draw`. With more, `stand_in`: the others continue and choose a stand-in."""


class Abort(Message, frozen=True):
    """Call the match off without a result. Possible until every seat has made a ply; before the match starts, only for
    the player who created it."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Rematch(Message, frozen=True):
    """Offer another match in which each player moves on by one seat, or accept that offer."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class DeclineRematch(Message, frozen=True):
    """Take no part in another match. This withdraws the player's own offer."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Offer(Message, frozen=True):
    """Offer a draw, a takeback, a pause or, in a casual match, that a bot takes over the seat. If the same is already
    offered to the player, accept it. For `take_over`, send `AskForSeat`."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    kind: OfferKind
    ply: CountField | None = None
    """The number of plies that the sender has seen. If there are more, nothing is offered. None for no check."""
    level: LevelField | None = None
    """For `hand_over`: the level of the bot."""


class AcceptOffer(Message, frozen=True):
    """Accept the offer of another seat."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    kind: OfferKind


class DeclineOffer(Message, frozen=True):
    """Decline the offer of another seat, or withdraw the player's own."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    kind: OfferKind


class GiveTime(Message, frozen=True):
    """Give every other player 15 seconds more."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Berserk(Message, frozen=True):
    """Halve your time and give up your increment, for one more point if you win. Only in a tournament match that allows
    it, before your first ply."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class EndPause(Message, frozen=True):
    """End a pause."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class AskForSeat(Message, frozen=True):
    """Ask the players of a casual match to let you take over from one of the server's bots. Each person with a seat
    must agree.
    """

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    """The seat of the bot."""


class ChangePlayer(Message, frozen=True):
    """Change the player of a seat in a casual match in which no other person plays: you, or one of the server's bots.

    If you leave every seat to bots, you can still change the players of a match that began without open seats.
    """

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    level: LevelField | None = None
    """The level of the bot; None for you."""


class PauseBots(Message, frozen=True):
    """Pause a match between bots that you created."""

    id: CommandIdField
    match: MatchIdField


class ResumeBots(Message, frozen=True):
    """End the pause of a match between bots that you created."""

    id: CommandIdField
    match: MatchIdField
    plies: Annotated[int, msgspec.Meta(ge=1, le=1_000)] | None = None
    """After how many plies play pauses again; None for no further pause."""


class Watch(Message, frozen=True):
    """Follow a match. Answered by `Watching`, then by every event after `since`."""

    match: MatchIdField
    since: CountField = 0
    glance: bool = False
    """Whether not to count as a spectator, as for the small boards of the start page."""
    reserves: bool = False
    """Whether to keep an open seat for you while you follow, for at most 10 minutes, as during the lesson."""


class Unwatch(Message, frozen=True):
    """Stop following a match."""

    match: MatchIdField


class WatchLobby(Message, frozen=True):
    """Follow the lists of live matches, bots and seeks, or stop."""

    on: bool = True


class Preview(Message, frozen=True):
    """Ask how a match from a set-up text would begin, without creating it. Answered by `Previewed`."""

    id: CommandIdField
    game: GameNameField
    setup: SetupTextField = ""


class Describe(Message, frozen=True):
    """Ask for a position of a match as text. Answered by `Described`."""

    id: CommandIdField
    match: MatchIdField
    ply: CountField
    """The number of plies from the start of the match."""


class Ping(Message, frozen=True):
    """Ask for a `Pong`."""

    nonce: CountField = 0


MatchCommand: TypeAlias = (
    Join
    | Decline
    | FillSeat
    | LeaveSeat
    | Play
    | Resign
    | ChooseStandIn
    | Claim
    | Abort
    | Rematch
    | DeclineRematch
    | Offer
    | AcceptOffer
    | DeclineOffer
    | GiveTime
    | Berserk
    | EndPause
    | AskForSeat
    | ChangePlayer
    | PauseBots
    | ResumeBots
)
AfterHello: TypeAlias = (
    Create
    | MatchCommand
    | PlanCommand
    | LobbyCommand
    | SetChallengeRules
    | ChatCommand
    | ModerationCommand
    | Watch
    | Unwatch
    | PageBotCommand
    | WatchLobby
    | WatchYourMatches
    | WatchingCommand
    | RatingCommand
    | ArchiveCommand
    | ImportMatches
    | AnalysisCommand
    | OpeningCommand
    | TeachingCommand
    | PuzzleCommand
    | EndingCommand
    | StormCommand
    | RaceCommand
    | WatchRace
    | MistakeCommand
    | StudyCommand
    | WatchStudy
    | ProfileCommand
    | NotificationCommand
    | PushCommand
    | EmailCommand
    | TournamentCommand
    | LadderCommand
    | Preview
    | Describe
    | Ping
)
"""The messages that a client may send after `Welcome`."""

ClientMessage: TypeAlias = Hello | AfterHello | AccountCommand
