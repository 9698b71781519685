"""Recent pairings, so that players do not meet the same opponent again and again.

Pure except for its memory, which is bounded and lost when the server stops.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Mapping
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
