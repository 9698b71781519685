"""A player's own matches in progress, and whose turn it is in each."""

from .fields import MatchId, Message, Part, TournamentId
from .values import ClockSettings


class WatchYourMatches(Message, frozen=True):
    """Get the list of your matches in progress, now and after each change; or stop."""

    on: bool = True


class YourMatch(Part, frozen=True):
    """A match in progress in which you have a seat."""

    match: MatchId
    game: str
    players: tuple[str, ...]
    """Names by seat."""
    your_seats: tuple[int, ...]
    is_your_turn: bool
    plies: int
    clock: ClockSettings | None
    due_at_ms: int | None
    """The time by which the next ply must arrive; None in an untimed match and while no clock runs."""
    bots: tuple[int, ...] = ()
    """The seats of bot accounts."""
    tournament: TournamentId | None = None
    """The tournament or ladder that it belongs to."""


class YourMatches(Message, frozen=True):
    """Your matches in progress: first those where it is your turn, the one with the least time left first."""

    matches: tuple[YourMatch, ...]
