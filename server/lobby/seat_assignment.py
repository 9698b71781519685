"""Who gets which seat: players who meet by pairing have every seat of a game equally often.

Pure but for its memory, which is bounded and is lost when the server stops.
"""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import permutations

from ..protocol import IdentityId

REMEMBERED = 100_000
"""Players with a game and a number of seats; those who have not played for longest are forgotten first."""


class SeatAssignment:
    """Deals the seats of matches out, and remembers who had which."""

    def __init__(self) -> None:
        self._counts: OrderedDict[tuple[IdentityId, str, int], tuple[int, ...]] = OrderedDict()

    def assign(self, game: str, players: Sequence[IdentityId]) -> tuple[IdentityId, ...]:
        """Return the players by seat, so that each has had the seat as seldom as can be.

        Where that leaves a choice the order in which they are given decides, which the caller shuffles.
        """
        counts = {player: self._counts_of(player, game, len(players)) for player in players}
        dealt = min(permutations(players), key=lambda order: _unfairness(order, counts))
        for seat, player in enumerate(dealt):
            had = counts[player]
            self._remember((player, game, len(players)), (*had[:seat], had[seat] + 1, *had[seat + 1 :]))
        return dealt

    def _counts_of(self, player: IdentityId, game: str, seats: int) -> tuple[int, ...]:
        return self._counts.get((player, game, seats), (0,) * seats)

    def _remember(self, key: tuple[IdentityId, str, int], counts: tuple[int, ...]) -> None:
        least = min(counts)
        self._counts[key] = tuple(count - least for count in counts)
        self._counts.move_to_end(key)
        while len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)


def _unfairness(order: Sequence[IdentityId], counts: dict[IdentityId, tuple[int, ...]]) -> int:
    """Return how often those players have had those seats already, repetitions weighing more than their number."""
    return sum(counts[player][seat] ** 2 for seat, player in enumerate(order))
