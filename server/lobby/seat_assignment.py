"""Seat assignment: paired players get each seat of a game equally often.

Pure except for its memory, which is bounded and lost when the server stops.
"""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import permutations

from millrace.protocol import IdentityId

REMEMBERED = 100_000
"""Maximum number of entries, one per player, game and number of seats; the least recently used are forgotten first."""


class SeatAssignment:
    """Assigns the seats of matches, and remembers how often each player had which seat."""

    def __init__(self) -> None:
        self._counts: OrderedDict[tuple[IdentityId, str, int], tuple[int, ...]] = OrderedDict()

    def assign(self, game: str, players: Sequence[IdentityId]) -> tuple[IdentityId, ...]:
        """Return the players by seat, so that each gets a seat that they have had least often.

        The order of `players`, which the caller shuffles, breaks ties.
        """
        counts = {player: self._counts_of(player, game, len(players)) for player in players}
        assigned = min(permutations(players), key=lambda order: _unfairness(order, counts))
        self.note(game, assigned)
        return assigned

    def note(self, game: str, assigned: Sequence[IdentityId]) -> None:
        """Remember the seats that players got, by seat."""
        for seat, player in enumerate(assigned):
            had = self._counts_of(player, game, len(assigned))
            self._remember((player, game, len(assigned)), (*had[:seat], had[seat] + 1, *had[seat + 1 :]))

    def _counts_of(self, player: IdentityId, game: str, seats: int) -> tuple[int, ...]:
        return self._counts.get((player, game, seats), (0,) * seats)

    def _remember(self, key: tuple[IdentityId, str, int], counts: tuple[int, ...]) -> None:
        least = min(counts)
        self._counts[key] = tuple(count - least for count in counts)
        self._counts.move_to_end(key)
        while len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)


def _unfairness(order: Sequence[IdentityId], counts: dict[IdentityId, tuple[int, ...]]) -> int:
    """Return the sum of squares of how often each player has had their seat in this order."""
    return sum(counts[player][seat] ** 2 for seat, player in enumerate(order))
