"""Events: facts about a match, stored unchanged.

Stored events are read forever: a new field needs a default, and a renamed one an entry in `protocol.old_events`.
"""

from typing import Literal, TypeAlias

from .codes import Unrated
from .fields import IdentityId, MatchId, Message, OfferKind, StandIn, TournamentId
from .values import ClockSettings, Player, RatingChange, RatingRange, SeatPlan, SeatRating


class Created(Message, frozen=True):
    """A match was created. This is always the first event."""

    game: str
    setup: str
    seats: tuple[SeatPlan, ...]
    """The plans in the order of the seats; `me` is the creator's seat."""
    clock: ClockSettings | None
    rematch_of: MatchId | None = None
    rated: bool = False
    """Whether the result counts for the ratings."""
    listed: bool = False
    """Whether the match is listed among the seeks while a seat is open."""
    ratings: RatingRange | None = None
    """The ratings of players who may take an open seat."""
    invited: IdentityId | None = None
    """The challenged player, for whom the open seat is reserved."""
    imported: bool = False
    """Whether the match was imported from text instead of being played here."""
    exhibition: bool = False
    """Whether the server's bots play it for spectators; it continues only while there are any."""
    delay_plies: int = 0
    """How many plies late spectators see the match, until it is over."""
    by: IdentityId | None = None
    """For a casual match without open seats: the player who created it. They may change its players, and pause it while
    only bots play."""
    tournament: TournamentId | None = None
    """The tournament that the match belongs to. Its players can neither call it off nor take back moves, give time,
    pause, or play again; a player who does not make the first ply in time loses."""
    berserk: bool = False
    """Whether its players may halve their time before their first ply."""
    private: bool = False
    """Whether only its players find it in lists: a casual match by link, or on one device. Its link is for everyone."""
    host: int | None = None
    """In a simul, the seat of the host, who goes from board to board: the clock runs from the start, and the host is
    never absent.
    """


class Seated(Message, frozen=True):
    """A player took a seat."""

    seat: int
    player: Player
    rating: SeatRating | None = None
    """The player's rating in matches of this kind; None for guests, who have no ratings."""


class SeatFreed(Message, frozen=True):
    """A player left their seat before the match started, so it is open again. In a match in progress, a seat changes
    between a person and a bot; the next event seats the new player.
    """

    seat: int
    player: Player


class Started(Message, frozen=True):
    """Every seat has its player, and play begins."""

    first_ply_ms: int | None = None
    """The time for each seat's first ply, after which the match is called off; no clock runs until every seat has made
    one. None if the clock, if any, runs from the start."""


class Moved(Message, frozen=True):
    """A seat made a ply."""

    seat: int
    move: str
    clocks_ms: tuple[int, ...] | None
    """The time that each seat has left after the ply, including the increment and all periods that are left; None in an
    untimed match."""
    forced: bool = False
    """Whether the server passed for the seat, because it had no other ply or is skipped."""
    planned: bool = False
    """Whether the server made it for the player, who had planned it as a reply (`SetPlan`)."""


class Annotated(Message, frozen=True):
    """The imported record comments on the latest ply, or on the start."""

    comment: str = ""
    glyphs: tuple[int, ...] = ()
    """Judgements of the ply, as numbers in PGN: 1 is a good move, 2 a mistake."""
    variations: tuple[str, ...] = ()
    """Other lines instead of the ply, as text: moves, comments and glyphs."""


class Left(Message, frozen=True):
    """A player left a match of three or four seats, which continues. The clock of the seat stops."""

    seat: int
    reason: Literal["resignation", "time", "absence"]


class StandInChosen(Message, frozen=True):
    """A player voted on how an abandoned seat continues."""

    seat: int
    for_seat: int
    choice: StandIn


class StoodIn(Message, frozen=True):
    """The vote on an abandoned seat is decided."""

    seat: int
    choice: StandIn
    level: int | None
    """The level of the bot; None if the seat is skipped."""


class Offered(Message, frozen=True):
    """A seat makes an offer to the other players."""

    seat: int
    kind: OfferKind
    lapses_at_ply: int
    """The offer is open while fewer plies than this have been made."""
    plies: int = 0
    """The number of plies that a takeback would undo, the first of them the seat's own; 0 for other offers."""
    level: int | str | None = None
    """For `hand_over`: the level of the bot that would take over the seat."""
    player: Player | None = None
    """For `take_over`: the spectator who would take over from the bot."""


class OfferAccepted(Message, frozen=True):
    """A seat accepts an offer. When all have accepted, the offer takes effect."""

    seat: int
    kind: OfferKind
    lapses_at_ply: int
    """Replaces the earlier value: players who have agreed may make their plies without ending the offer."""


class OfferDeclined(Message, frozen=True):
    """A seat declined an offer, or withdrew its own."""

    seat: int
    kind: OfferKind


class TakenBack(Message, frozen=True):
    """The latest plies were undone; the seat that asked is to move. No clock regains time."""

    seat: int
    plies: int
    clocks_ms: tuple[int, ...] | None


class TimeGiven(Message, frozen=True):
    """A seat gave other seats more time, or the host of a simul begins with more."""

    seat: int
    seats: tuple[int, ...]
    """The seats that gained time."""
    given_ms: int
    periods: tuple[int, ...] | None = None
    """The periods that each seat has left at this moment; None on a clock without periods."""


class Berserked(Message, frozen=True):
    """A seat halved its time before its first ply, and gets no increment, for more points in a tournament."""

    seat: int
    clocks_ms: tuple[int, ...]


class Paused(Message, frozen=True):
    """All players agreed on a pause, or the creator of a match between bots paused it. The clocks stop until a player
    or the creator ends the pause, or until `ends_at_ms`.
    """

    clocks_ms: tuple[int, ...] | None
    ends_at_ms: int
    """The latest time when play continues."""


class PauseEnded(Message, frozen=True):
    """A pause ended. The clock runs again after `grace_ms`."""

    seat: int | None
    """The seat that ended the pause; None if its time was over."""
    clocks_ms: tuple[int, ...] | None
    grace_ms: int
    limit_ms: int | None = None
    """The time that is left of the match's limit; None if it has none."""
    plies: int | None = None
    """In a match between bots: after how many plies play pauses again; None if it does not."""


class Ended(Message, frozen=True):
    """The match is over."""

    ranks: tuple[int, ...] | None
    """The place of each seat: 1 is the best, and equal ranks share a place. None if there is no result."""
    reason: str
    """A `Termination`, or an ending that the rules of the game define."""
    explanation: str
    """The reason as text, such as "White resigned"."""
    seat: int | None = None
    """The seat that resigned, called the match off, ran out of time, was absent or did not make its first ply."""
    clocks_ms: tuple[int, ...] | None = None


class Rated(Message, frozen=True):
    """How a rated match changed the ratings of its players. It follows `ended`, at once or later."""

    changes: tuple[RatingChange | None, ...]
    """By seat; None where the rating did not change."""
    reason: Unrated | None = None
    """Why the match does not count; None if it does."""
    explanation: str = ""
    """The reason as text."""


class Voided(Message, frozen=True):
    """A moderator declared the result void. The rating changes are undone."""

    explanation: str
    """The reason as text."""


class Resumed(Message, frozen=True):
    """The server restarted, could not store moves for a while, or bots continue after nobody watched them; or by
    correspondence, a player is on vacation or has come back early. The clocks were stopped, and run again after
    `grace_ms`.
    """

    clocks_ms: tuple[int, ...]
    grace_ms: int
    limit_ms: int | None = None
    """The time that is left of the match's limit; None if it has none."""
    vacation: int | None = None
    """The seat whose player is on vacation until the clocks run again."""


class RematchOffered(Message, frozen=True):
    """A seat wants another match."""

    seat: int


class RematchDeclined(Message, frozen=True):
    """A seat declines another match, or its player is gone and does not answer."""

    seat: int


class RematchStarted(Message, frozen=True):
    """All players agreed on another match, which has begun."""

    match: MatchId


Event: TypeAlias = (
    Created
    | Seated
    | SeatFreed
    | Started
    | Moved
    | Annotated
    | Left
    | StandInChosen
    | StoodIn
    | Offered
    | OfferAccepted
    | OfferDeclined
    | TakenBack
    | TimeGiven
    | Berserked
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
