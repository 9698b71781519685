"""The pairing of an arena: who plays whom among the waiting players, and who has which seat.

Pure. In the first wave neighbours by rating meet. Later a matching of least total cost is found, exactly within groups
of neighbours in the standings: a pair costs the difference of ranks, which weighs more at the top, and that of ratings.
Players who have just met are paired again only if there is no other way.
"""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.protocol import IdentityId

from ..pairing.matching import match_all
from .kind import Seating

GROUP = 100
"""Maximum size of a group in which the matching is exact."""
TOP_WEIGHT, BOTTOM_WEIGHT = 2_000, 300
"""Of a difference of one rank, for the first and the last of the standings; a rating point weighs 1."""
JUST_MET = 10_000_000
"""Of two who met in the latest match of either."""
MET_BEFORE = 20_000
"""Of two who met in the match before that of either."""


class Waiting(NamedTuple):
    """A player who can be paired."""

    identity: IdentityId
    rank: int
    """In the standings, from 1."""
    rating: int
    waits_since_ms: int
    opponents: tuple[IdentityId, ...] = ()
    """The latest last."""
    seats: tuple[int, ...] = ()
    """The seat in each match, the latest last."""


def pair_wave(waiting: Sequence[Waiting], players: int, *, is_first: bool) -> list[Seating]:
    """Return the pairs of a wave, best ranks first. If the number is odd, the player who came last is left out.

    `players` is the number of players in the standings.
    """
    taking = list(waiting)
    if len(taking) % 2:
        taking.remove(max(taking, key=lambda each: (each.waits_since_ms, each.rank)))
    pairs = _neighbours(taking) if is_first else _cheapest(taking, players)
    return [_seated(one, other) for one, other in sorted(pairs, key=lambda pair: min(each.rank for each in pair))]


def pair_cost(one: Waiting, other: Waiting, players: int) -> int:
    """Return the cost of a pair.

    >>> first, second = (Waiting(IdentityId(str(rank)), rank, 1500, 0) for rank in (1, 2))
    >>> pair_cost(first, second, players=2)
    2000
    """
    best = min(one.rank, other.rank)
    weight = TOP_WEIGHT - (TOP_WEIGHT - BOTTOM_WEIGHT) * (best - 1) // max(1, players - 1)
    return weight * abs(one.rank - other.rank) + abs(one.rating - other.rating) + _aversion(one, other)


def _aversion(one: Waiting, other: Waiting) -> int:
    for past, cost in ((1, JUST_MET), (2, MET_BEFORE)):
        if _was_opponent(one, other, past) or _was_opponent(other, one, past):
            return cost
    return 0


def _was_opponent(one: Waiting, other: Waiting, past: int) -> bool:
    return len(one.opponents) >= past and one.opponents[-past] == other.identity


def _neighbours(waiting: Sequence[Waiting]) -> list[tuple[Waiting, Waiting]]:
    by_rating = sorted(waiting, key=lambda each: (-each.rating, each.rank))
    return list(zip(by_rating[::2], by_rating[1::2], strict=True))


def _cheapest(waiting: Sequence[Waiting], players: int) -> list[tuple[Waiting, Waiting]]:
    by_rank = sorted(waiting, key=lambda each: each.rank)
    pairs = []
    for start in range(0, len(by_rank), GROUP):
        group = by_rank[start : start + GROUP]
        costs = [[pair_cost(one, other, players) for other in group] for one in group]
        pairs += [(group[one], group[other]) for one, other in match_all(costs)]
    return pairs


def _seated(one: Waiting, other: Waiting) -> Seating:
    """Return two players in the order of their seats. The player who has had the first seat less often gets it; if that
    is equal, the player who had the other seat last; then the player with the lower rank."""
    first, second = sorted((one, other), key=_claim_to_first)
    return first.identity, second.identity


def _claim_to_first(player: Waiting) -> tuple[int, int, int]:
    firsts, seconds = player.seats.count(0), player.seats.count(1)
    return firsts - seconds, -(player.seats[-1] if player.seats else 0), -player.rank
