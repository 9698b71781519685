"""The list of somebody's own matches that are being played, with those that wait for a ply of theirs."""

from .fields import MatchId, Message, Part
from .values import ClockSettings


class WatchYourMatches(Message, frozen=True):
    """Follow the list of one's own matches, or no longer."""

    on: bool = True


class YourMatch(Part, frozen=True):
    """A match being played in which the reader holds a seat."""

    match: MatchId
    game: str
    players: tuple[str, ...]
    """Their names, by seat."""
    your_seats: tuple[int, ...]
    is_your_turn: bool
    plies: int
    clock: ClockSettings | None
    due_at_ms: int | None
    """By when the ply that is waited for must have come; None in an untimed match and while no clock runs."""
    bots: tuple[int, ...] = ()
    """The seats of bots' accounts."""


class YourMatches(Message, frozen=True):
    """One's own matches being played: first those that wait for one, of these the one with the least time left."""

    matches: tuple[YourMatch, ...]
