"""What quick pairing remembers: recent opponents, who do not meet again and again, and who had which seat.

Pure except for its memory, which is bounded and lost when the server stops.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from millrace.protocol import IdentityId

MEMORY_MS = 3_600_000
"""Time for which a pairing counts."""
REMEMBERED_EACH = 12
"""Maximum number of remembered pairings per player."""
REMEMBERED_PLAYERS = 100_000
"""Maximum number of remembered players; the longest unpaired are forgotten first."""


class _Opponent(NamedTuple):
    identity: IdentityId
    at_ms: int


class RecentOpponents:
    """Remembers the recent opponents of each player."""

    def __init__(self) -> None:
        self._by_player: OrderedDict[IdentityId, deque[_Opponent]] = OrderedDict()

    def add(self, players: Iterable[IdentityId], at_ms: int) -> None:
        """Remember that all of these players were paired with each other."""
        for player, other in permutations(players, 2):
            self._by_player.setdefault(player, deque(maxlen=REMEMBERED_EACH)).append(_Opponent(other, at_ms))
            self._by_player.move_to_end(player)
        while len(self._by_player) > REMEMBERED_PLAYERS:
            self._by_player.popitem(last=False)

    def of(self, player: IdentityId, now_ms: int) -> Mapping[IdentityId, int]:
        """Return a player's opponents during the last `MEMORY_MS`, with the number of pairings."""
        opponents = self._by_player.get(player, ())
        return Counter(each.identity for each in opponents if now_ms - each.at_ms < MEMORY_MS)


REMEMBERED_SEATS = 100_000
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
        assigned = min(
            permutations(players), key=lambda order: sum(counts[each][seat] ** 2 for seat, each in enumerate(order))
        )
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
        while len(self._counts) > REMEMBERED_SEATS:
            self._counts.popitem(last=False)
