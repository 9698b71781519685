"""Events: facts about a match, stored as they stand.

Stored events are read forever: a new field needs a default, and a renamed one an entry in `server.protocol.old_events`.
"""

from typing import Literal, TypeAlias

from .codes import Unrated
from .fields import IdentityId, MatchId, Message, OfferKind, StandIn
from .values import ClockSettings, Player, RatingChange, RatingRange, SeatPlan, SeatRating


class Created(Message, frozen=True):
    """Always seq 1."""

    game: str
    setup: str
    seats: tuple[SeatPlan, ...]
    """As dealt: `me` is the creator's seat."""
    clock: ClockSettings | None
    rematch_of: MatchId | None = None
    rated: bool = False
    """Whether the result counts for the ratings."""
    listed: bool = False
    """Whether it stands among the seeks while a seat is open."""
    ratings: RatingRange | None = None
    """Whose ratings the open seats are for."""
    invited: IdentityId | None = None
    """For whom the open seat is kept."""
    imported: bool = False
    """Whether the match was not played here: somebody has brought it along as text, with its players' names."""
    exhibition: bool = False
    """Whether the house's bots play it for those who watch; it goes on only as long as somebody does."""
    delay_plies: int = 0
    """So many plies later those who hold no seat are told what happens, until the match is over."""


class Seated(Message, frozen=True):
    """A seat has got its player."""

    seat: int
    player: Player
    rating: SeatRating | None = None
    """Of the player in matches of this kind; None for guests, who have none."""


class Started(Message, frozen=True):
    """Every seat has its player, and play begins."""

    first_ply_ms: int | None = None
    """So long each seat has for its first ply, or the match is called off; until all have made it no clock runs. None:
    the clock, if there is one, runs from the start."""


class Moved(Message, frozen=True):
    """A seat has made a ply."""

    seat: int
    move: str
    clocks_ms: tuple[int, ...] | None
    """What each seat has left after the ply, increment included; None in an untimed match."""
    forced: bool = False
    """Whether the server made it: a pass for a seat that has no other ply, or that is skipped."""


class Left(Message, frozen=True):
    """A player has left a match of three or four seats, which goes on; the seat's clock stands from now on."""

    seat: int
    reason: Literal["resignation", "time", "absence"]


class StandInChosen(Message, frozen=True):
    """A player has voted on how a seat that was left goes on."""

    seat: int
    for_seat: int
    choice: StandIn


class StoodIn(Message, frozen=True):
    """It is settled how a seat that was left goes on."""

    seat: int
    choice: StandIn
    level: int | None
    """The bot's level; None where the seat is skipped."""


class Offered(Message, frozen=True):
    """A seat offers something to all the others who play."""

    seat: int
    kind: OfferKind
    lapses_at_ply: int
    """The offer is open as long as fewer plies than this have been made."""
    plies: int = 0
    """Of a takeback: how many plies would be taken back, the last of them the seat's own."""


class OfferAccepted(Message, frozen=True):
    """A seat agrees to what is offered; when all have, that follows."""

    seat: int
    kind: OfferKind
    lapses_at_ply: int
    """From now on: those who have agreed may make their plies, and the offer stays open."""


class OfferDeclined(Message, frozen=True):
    """A seat disagrees with what is offered, or withdraws its own offer: it is open no longer."""

    seat: int
    kind: OfferKind


class TakenBack(Message, frozen=True):
    """The latest plies count as not made, and it is the turn of the seat that asked; no clock gets time back."""

    seat: int
    plies: int
    clocks_ms: tuple[int, ...] | None


class TimeGiven(Message, frozen=True):
    """A seat has given others more time."""

    seat: int
    seats: tuple[int, ...]
    """Those that got it."""
    given_ms: int


class Paused(Message, frozen=True):
    """All have agreed to a pause: the clocks stand, and nobody plays until one of them, or the time, ends it."""

    clocks_ms: tuple[int, ...] | None
    ends_at_ms: int
    """The latest moment at which play goes on."""


class PauseEnded(Message, frozen=True):
    """Play goes on; the clock runs again when the grace is over."""

    seat: int | None
    """Who ended the pause; None if its time was over."""
    clocks_ms: tuple[int, ...] | None
    grace_ms: int
    limit_ms: int | None = None
    """What is left of the match's time limit, if it has one."""


class Ended(Message, frozen=True):
    """The match is over."""

    ranks: tuple[int, ...] | None
    """For each seat, 1 best, equal ranks share; None for a match without result."""
    reason: str
    """A `Termination` or a code of the game's own endings."""
    explanation: str
    """The reason as text, such as "White resigned"."""
    seat: int | None = None
    """Who resigned, aborted, ran out of time, was away or did not come."""
    clocks_ms: tuple[int, ...] | None = None


class Rated(Message, frozen=True):
    """What a match that was to be rated, and is over, has done to the ratings of its players."""

    changes: tuple[RatingChange | None, ...]
    """By seat; None where nothing has changed."""
    reason: Unrated | None = None
    """Why the match does not count, if it does not."""
    explanation: str = ""
    """That reason as text."""


class Voided(Message, frozen=True):
    """A moderator has declared that the result of the match, which is over, does not count; what it had done to the
    ratings is taken back."""

    explanation: str
    """Why, as text."""


class Resumed(Message, frozen=True):
    """The server was away; clocks stood still, and run again when the grace is over."""

    clocks_ms: tuple[int, ...]
    grace_ms: int
    limit_ms: int | None = None
    """What is left of the match's time limit, if it has one."""


class RematchOffered(Message, frozen=True):
    """A seat would like another match."""

    seat: int


class RematchDeclined(Message, frozen=True):
    """A seat takes no part in another match, or its player has gone away and does not answer."""

    seat: int


class RematchStarted(Message, frozen=True):
    """Every person has offered: the next match."""

    match: MatchId


Event: TypeAlias = (
    Created
    | Seated
    | Started
    | Moved
    | Left
    | StandInChosen
    | StoodIn
    | Offered
    | OfferAccepted
    | OfferDeclined
    | TakenBack
    | TimeGiven
    | Paused
    | PauseEnded
    | Ended
    | Rated
    | Voided
    | Resumed
    | RematchOffered
    | RematchDeclined
    | RematchStarted
)
