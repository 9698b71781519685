"""What tells kinds of tournaments apart.

Pure. Scores are points in arenas, twelfths of a point in arenas of tables, and half points in rounds.
"""

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from millrace.protocol import ClockSettings, IdentityId

from ..events import Pair
from ..tournament import Entrant, Tournament

Seating = tuple[IdentityId, ...]
"""The players of a match by seat."""


class Wave(NamedTuple):
    """Who meets whom, and in rounds also who does not play."""

    seatings: Sequence[Seating] = ()
    byes: Sequence[IdentityId] = ()
    walkovers: Sequence[tuple[IdentityId, IdentityId]] = ()
    """The winner and the loser of each."""


class Question(NamedTuple):
    """Asks whom to pair."""

    answer: Callable[..., Wave | None]
    """A pure function; it returns None if nobody can be paired any more."""
    arguments: tuple[object, ...]
    is_long: bool = False
    """Whether the answer takes more than a few milliseconds."""


class Ranked(NamedTuple):
    """A player in the standings."""

    entrant: Entrant
    score: int
    points: tuple[int, ...]
    """Of each match, or of each round."""
    performance: int | None
    buchholz: int | None = None
    sonneborn_berger: int | None = None
    """In quarter points."""
    is_out: bool = False
    """Whether the player has been eliminated."""
    difference: Fraction | None = None
    """In arenas of tables: cells above the mean of all who had the same seats on the same pastures."""
    first_places: int = 0
    """At tables."""

    @property
    def has_played(self) -> bool:
        """Whether any match of the player counts."""
        return bool(self.entrant.games) or (self.difference is not None and bool(self.points))


class Table(NamedTuple):
    """A table of a round, or an encounter of a knockout."""

    round: int
    number: int
    players: tuple[IdentityId | None, ...]
    pair: Pair | None = None
    """The latest."""
    points: tuple[int, ...] | None = None
    is_forfeit: bool = False
    is_losers: bool = False


class Kind(NamedTuple):
    """A kind of tournament."""

    most_players: int
    question: Callable[[Tournament, Collection[IdentityId], int], Question | None]
    """Given who is online and the time, whom to pair now in one that is not finished; None if nothing is due."""
    is_finished: Callable[[Tournament, int], bool]
    """Whether nothing is left to play in a tournament that has begun."""
    standings: Callable[[Tournament], tuple[Ranked, ...]]
    """The players in order; disqualified ones are last."""
    admits: Callable[[Tournament], bool]
    """Whether new players may join one that has begun."""
    rounds: Callable[[Tournament], int]
    """How many rounds there are; 0 without a fixed number."""
    tables: Callable[[Tournament], tuple[Table, ...]]
    clock_of: Callable[[Tournament, Pair], ClockSettings]
    """The clock of a match that is being played."""
