"""What a client sends: about matches, and to look around."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .accounts import AccountCommand
from .analysis import AnalysisCommand
from .archive import ArchiveCommand, ImportMatches
from .bots import SetChallengeRules
from .chat import ChatCommand
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
from .lobby import LobbyCommand
from .moderation import ModerationCommand
from .notifications import NotificationCommand
from .profiles import ProfileCommand
from .ratings import RatingCommand
from .spectating import WatchingCommand
from .values import ClockSettings, RatingRange, SeatPlan
from .your_matches import WatchYourMatches


class Hello(Message, frozen=True):
    """The first frame of a connection. Without a token the server makes a guest and tells the token once."""

    version: int
    token: Annotated[str, msgspec.Meta(max_length=128)] = ""
    client: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The program's name, for the server's log."""
    anonymous: bool = False
    """Whether to be a new guest, whatever cookie the browser sends: for boards in pages of other sites."""


class Create(Message, frozen=True):
    """Make a match. Sent again with the same id it leads to the same match."""

    id: CommandIdField
    game: GameNameField
    seats: Annotated[tuple[SeatPlan, ...], msgspec.Meta(min_length=1, max_length=4)]
    setup: SetupTextField = ""
    clock: ClockSettings | None = None
    """None is an untimed match."""
    shuffle: bool = False
    """Deal the planned occupants out to the seats at random."""
    rated: bool = False
    """Whether the result counts; everyone in it needs an account then."""
    listed: bool = False
    """Whether the match stands among the seeks while a seat is open."""
    ratings: RatingRange | None = None
    """Whose ratings the open seats are for."""
    invited: PlayerNameField | None = None
    """The name of the account that is challenged: the open seat is for its owner alone."""
    delay_plies: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """So many plies later those who watch are told what happens, so that nobody can tell a player what to do."""


class Join(Message, frozen=True):
    """Take an open seat, by default the first."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField | None = None


class Decline(Message, frozen=True):
    """Turn a challenge to oneself down; the match is over."""

    id: CommandIdField
    match: MatchIdField


class FillSeat(Message, frozen=True):
    """Put a bot into an open seat; for those who hold a seat."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    level: LevelField


class Play(Message, frozen=True):
    """Make a ply."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    move: MoveTextField
    """The move's text, or its clicks divided by single spaces."""


class Resign(Message, frozen=True):
    """Give the match up; with three or four seats it goes on without this player."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class ChooseStandIn(Message, frozen=True):
    """Vote on a seat whose player has left: a bot is to play on for it, or it is to be skipped."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    """One's own."""
    for_seat: SeatField
    choice: StandIn


class Claim(Message, frozen=True):
    """Claim a win, a draw or a stand-in because a player is absent, from `AudienceUpdate.claimable_at_ms` on."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    """One's own."""
    for_seat: SeatField
    outcome: Literal["win", "draw", "stand_in"]
    """With two seats the win, or a draw; with more the others go on without the player, and choose a stand-in."""


class Abort(Message, frozen=True):
    """Call the match off without a result; possible until every seat has made a ply."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Rematch(Message, frozen=True):
    """Offer another match with the seats moved on by one, or accept that offer by making it too."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class DeclineRematch(Message, frozen=True):
    """Take no part in another match; an offer of one's own is withdrawn by it."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Offer(Message, frozen=True):
    """Offer a draw, ask for one's last ply back, or ask for a pause; the same offer to oneself is accepted by it."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    kind: OfferKind
    ply: CountField | None = None
    """How many plies the sender had seen: if there are more by now, nothing is offered. None: offer in any case."""


class AcceptOffer(Message, frozen=True):
    """Agree to what another seat offers."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    kind: OfferKind


class DeclineOffer(Message, frozen=True):
    """Disagree with what another seat offers, or withdraw what one has offered."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField
    kind: OfferKind


class GiveTime(Message, frozen=True):
    """Give everyone else who plays a quarter of a minute more."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class EndPause(Message, frozen=True):
    """Play on after a pause."""

    id: CommandIdField
    match: MatchIdField
    seat: SeatField


class Watch(Message, frozen=True):
    """Follow a match, one's own or another's: answered by `Watching`, then by every event after `since`."""

    match: MatchIdField
    since: CountField = 0
    glance: bool = False
    """A look in passing, as at a small board of the start page: one who takes it does not count as watching."""


class Unwatch(Message, frozen=True):
    """Follow a match no longer."""

    match: MatchIdField


class WatchLobby(Message, frozen=True):
    """Follow the list of live matches, or no longer."""

    on: bool = True


class Preview(Message, frozen=True):
    """Ask what a match from a set-up text would begin with, without making it; answered by `Previewed`."""

    id: CommandIdField
    game: GameNameField
    setup: SetupTextField = ""


class Describe(Message, frozen=True):
    """Ask for a position of a match as text; answered by `Described`."""

    id: CommandIdField
    match: MatchIdField
    ply: CountField
    """So many plies after the match's start."""


class Ping(Message, frozen=True):
    """Ask for a `Pong`."""

    nonce: CountField = 0


BoardCommand: TypeAlias = Offer | AcceptOffer | DeclineOffer | GiveTime | EndPause
"""What players settle among themselves while they play."""

MatchCommand: TypeAlias = (
    Join | Decline | FillSeat | Play | Resign | ChooseStandIn | Claim | Abort | Rematch | DeclineRematch | BoardCommand
)
AfterHello: TypeAlias = (
    Create
    | MatchCommand
    | LobbyCommand
    | SetChallengeRules
    | ChatCommand
    | ModerationCommand
    | Watch
    | Unwatch
    | WatchLobby
    | WatchYourMatches
    | WatchingCommand
    | RatingCommand
    | ArchiveCommand
    | ImportMatches
    | AnalysisCommand
    | ProfileCommand
    | NotificationCommand
    | Preview
    | Describe
    | Ping
)
"""What anybody may say who has been welcomed."""

ClientMessage: TypeAlias = Hello | AfterHello | AccountCommand
