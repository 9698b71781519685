"""Departures: how a match of three or four seats goes on when a player leaves it, by votes, and with which ranks.

Pure. `server.matches.match` folds events into departures, `server.matches.referee` decides the votes.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from millrace.protocol import StandIn

VOTE_MS = 60_000
"""How long after a departure players can vote; then the votes that have been cast decide."""

STAND_IN_LEVEL = 4
"""The level of the bot that plays on for a seat."""


@dataclass(frozen=True)
class Departure:
    """A seat whose player has left, and the votes on how it goes on."""

    seat: int
    reason: Literal["resignation", "time", "absence"]
    at_ms: int
    votes: Mapping[int, StandIn] = field(default_factory=dict)
    """By voting seat."""
    stand_in: StandIn | None = None
    """What was decided; None while the vote is open."""

    @property
    def due_at_ms(self) -> int:
        """When voting ends."""
        return self.at_ms + VOTE_MS

    def voted(self, seat: int, choice: StandIn) -> "Departure":
        """Return the departure with a seat's vote, which replaces its earlier one."""
        return replace(self, votes={**self.votes, seat: choice})

    def is_decided(self, voters: Set[int], now_ms: int) -> bool:
        """Return whether voting is over but the choice has not been made."""
        return self.stand_in is None and (voters <= self.votes.keys() or now_ms >= self.due_at_ms)

    def choice_of(self, voters: Set[int]) -> StandIn:
        """Return the choice of most of the seats that still play; a bot on a tie or without votes.

        >>> Departure(1, "time", 0, {0: "skip", 2: "skip", 3: "bot"}).choice_of({0, 2, 3})
        'skip'
        >>> Departure(1, "time", 0, {0: "skip", 3: "bot"}).choice_of({0, 2, 3})
        'bot'
        """
        choices = [choice for seat, choice in self.votes.items() if seat in voters]
        return "skip" if choices.count("skip") > choices.count("bot") else "bot"


def rank_behind(ranks: Sequence[int], departures: Sequence[Departure]) -> tuple[int, ...]:
    """Return the ranks with departed seats behind all others, the first to leave last.

    >>> rank_behind((1, 2, 3, 3), [Departure(0, "resignation", 0), Departure(3, "time", 9)])
    (4, 1, 2, 3)
    """
    departed = [departure.seat for departure in departures]
    stayed = [rank for seat, rank in enumerate(ranks) if seat not in departed]
    return tuple(
        len(ranks) - departed.index(seat) if seat in departed else 1 + sum(other < rank for other in stayed)
        for seat, rank in enumerate(ranks)
    )
