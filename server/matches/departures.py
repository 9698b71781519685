"""How a match of three or four seats goes on when a player leaves it: the votes, what they settle, and the ranks.

Pure, and no events: `server.matches.match` folds them into departures, `server.matches.referee` decides them.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from ..protocol import StandIn

VOTE_MS = 60_000
"""So long after a seat was left the votes that have been cast decide."""

STAND_IN_LEVEL = 4
"""Of the bot that plays on for a seat."""


@dataclass(frozen=True)
class Departure:
    """A seat that its player has left, and how it is to go on."""

    seat: int
    reason: Literal["resignation", "time", "absence"]
    at_ms: int
    votes: Mapping[int, StandIn] = field(default_factory=dict)
    """By the seat that votes."""
    stand_in: StandIn | None = None
    """What is settled; None while the choice is open."""

    @property
    def due_at_ms(self) -> int:
        """When the votes that have been cast decide."""
        return self.at_ms + VOTE_MS

    def voted(self, seat: int, choice: StandIn) -> "Departure":
        """Return the departure with a seat's vote, in place of an earlier one."""
        return replace(self, votes={**self.votes, seat: choice})

    def is_decided(self, voters: Set[int], now_ms: int) -> bool:
        """Return whether nothing more is waited for, so that `choice_of` counts."""
        return self.stand_in is None and (voters <= self.votes.keys() or now_ms >= self.due_at_ms)

    def choice_of(self, voters: Set[int]) -> StandIn:
        """Return what the votes of those who still play come to; a bot if they are level or there are none.

        >>> Departure(1, "time", 0, {0: "skip", 2: "skip", 3: "bot"}).choice_of({0, 2, 3})
        'skip'
        >>> Departure(1, "time", 0, {0: "skip", 3: "bot"}).choice_of({0, 2, 3})
        'bot'
        """
        choices = [choice for seat, choice in self.votes.items() if seat in voters]
        return "skip" if choices.count("skip") > choices.count("bot") else "bot"


def rank_behind(ranks: Sequence[int], departures: Sequence[Departure]) -> tuple[int, ...]:
    """Return the ranks with those who left behind all who stayed, the first to leave last.

    >>> rank_behind((1, 2, 3, 3), [Departure(0, "resignation", 0), Departure(3, "time", 9)])
    (4, 1, 2, 3)
    """
    left = [departure.seat for departure in departures]
    stayed = [rank for seat, rank in enumerate(ranks) if seat not in left]
    return tuple(
        len(ranks) - left.index(seat) if seat in left else 1 + sum(other < rank for other in stayed)
        for seat, rank in enumerate(ranks)
    )
