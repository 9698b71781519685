"""Who has met whom lately, so that nobody is paired with the same player over and over.

Pure but for its memory, which is bounded and is lost when the server stops.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import NamedTuple

from ..protocol import IdentityId

MEMORY_MS = 3_600_000
"""So long it counts that two have met."""
REMEMBERED_EACH = 12
"""Encounters of one player."""
REMEMBERED_PLAYERS = 100_000
"""Those who have not met anybody for longest are forgotten first."""


class _Encounter(NamedTuple):
    other: IdentityId
    at_ms: int


class RecentOpponents:
    """Remembers who has met whom."""

    def __init__(self) -> None:
        self._by_player: OrderedDict[IdentityId, deque[_Encounter]] = OrderedDict()

    def note(self, players: Iterable[IdentityId], at_ms: int) -> None:
        """Remember that all of these have met."""
        for player, other in permutations(players, 2):
            self._by_player.setdefault(player, deque(maxlen=REMEMBERED_EACH)).append(_Encounter(other, at_ms))
            self._by_player.move_to_end(player)
        while len(self._by_player) > REMEMBERED_PLAYERS:
            self._by_player.popitem(last=False)

    def of(self, player: IdentityId, now_ms: int) -> Mapping[IdentityId, int]:
        """Return how often somebody has met whom in the last `MEMORY_MS`."""
        encounters = self._by_player.get(player, ())
        return Counter(each.other for each in encounters if now_ms - each.at_ms < MEMORY_MS)
