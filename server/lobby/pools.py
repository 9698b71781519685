"""Who waits for a quick pairing, wave by wave: the pools, with what they remember of those who have met.

Pure: told the time, who is there and in which order chance has put them; no sockets, no tasks. Who is paired with whom
in one wave is `server.lobby.pairing`.
"""

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..protocol import CommandId, IdentityId, PairingRequest, Player
from .pairing import BARRED, Aversions, Seeker, make_groups
from .recent_opponents import RecentOpponents
from .seat_assignment import SeatAssignment

WAVE_SECONDS = 2.0
"""A wave is held so often."""

ENCOUNTER_AVERSION = 120
"""By so many rating points two seem further apart for each time that they have met lately."""
MOST_ENCOUNTERS = 4
"""Two who have met so often lately are not paired."""
OFFER_AFTER_WAVES = 5
OFFER_ALONE_AFTER_WAVES = 2
"""A bot is offered after so many missed waves; the second to who waits alone. The first wave may come at once."""


@dataclass(frozen=True, slots=True)
class Search:
    """Somebody's waiting."""

    seeker: Seeker
    player: Player
    request: PairingRequest
    command: CommandId
    """The id of the `FindMatch` that began it."""
    since_ms: int
    blocked: frozenset[IdentityId] = frozenset()


class Pairing(NamedTuple):
    """A match that is to be made, and those who are to play it."""

    request: PairingRequest
    """What they waited for; the match may have fewer seats."""
    searches: tuple[Search, ...]
    """By seat."""


@dataclass
class Pools:
    """Everyone who waits, each for one kind of match."""

    _pools: dict[PairingRequest, dict[IdentityId, Search]] = field(default_factory=dict)
    _requests: dict[IdentityId, PairingRequest] = field(default_factory=dict)
    _recent_opponents: RecentOpponents = field(default_factory=RecentOpponents)
    _seat_assignment: SeatAssignment = field(default_factory=SeatAssignment)

    def join(self, search: Search) -> Search:
        """Let somebody wait, and return how; one who waits for the same already keeps the place, else gives it up."""
        identity = search.seeker.identity
        before = self.find(identity)
        if before is not None and before.request == search.request:
            seeker = replace(before.seeker, takes_fewer=search.seeker.takes_fewer)
            search = replace(before, seeker=seeker, command=search.command, blocked=search.blocked)
        else:
            self.leave(identity)
        self._requests[identity] = search.request
        self._pools.setdefault(search.request, {})[identity] = search
        return search

    def put_back(self, search: Search) -> None:
        """Let somebody wait on whose match could not be made, unless another search has begun since."""
        if search.seeker.identity not in self._requests:
            self.join(search)

    def leave(self, identity: IdentityId) -> bool:
        """Let somebody wait no longer; return whether anything was waited for."""
        request = self._requests.pop(identity, None)
        if request is None:
            return False
        del self._pools[request][identity]
        if not self._pools[request]:
            del self._pools[request]
        return True

    def find(self, identity: IdentityId) -> Search | None:
        """Return what somebody waits for."""
        request = self._requests.get(identity)
        return None if request is None else self._pools[request][identity]

    def waiting(self, request: PairingRequest) -> int:
        """Return how many wait for a kind of match."""
        return len(self._pools.get(request, ()))

    @property
    def everyone(self) -> tuple[Search, ...]:
        """All who wait."""
        return tuple(search for pool in self._pools.values() for search in pool.values())

    def wave(
        self, request: PairingRequest, absent: Set[IdentityId], order: Sequence[IdentityId], now_ms: int
    ) -> list[Pairing]:
        """Take out of a pool those who can play each other, and return their matches.

        `absent` wait on without taking part. `order` is everyone of the pool as chance has shuffled them: it decides
        where nothing else does. Whoever takes part without success has missed a wave.
        """
        pool = self._pools.get(request, {})
        present = [pool[identity] for identity in order if identity in pool and identity not in absent]
        aversions = self.aversions(present, now_ms)
        groups, left = make_groups([search.seeker for search in present], request.seats, aversions)
        for seeker in left:
            pool[seeker.identity] = replace(pool[seeker.identity], seeker=replace(seeker, missed=seeker.missed + 1))
        ranks = {identity: rank for rank, identity in enumerate(order)}
        by_chance = [sorted((seeker.identity for seeker in group), key=ranks.__getitem__) for group in groups]
        return [self._take(request, identities, now_ms) for identities in by_chance]

    def requests(self) -> tuple[PairingRequest, ...]:
        """Return the kinds of match that somebody waits for."""
        return tuple(self._pools)

    def members(self, request: PairingRequest) -> tuple[IdentityId, ...]:
        """Return who waits for a kind of match."""
        return tuple(self._pools.get(request, ()))

    def offered_bot(self, identity: IdentityId, bot_ratings: Callable[[PairingRequest], Sequence[int]]) -> int | None:
        """Return the level of the bot that is offered to somebody who waits in vain, or None.

        `bot_ratings` gives what the bots are rated in a kind of match, by level.
        """
        search = self.find(identity)
        if search is None:
            return None
        patience = OFFER_ALONE_AFTER_WAVES if self.waiting(search.request) == 1 else OFFER_AFTER_WAVES
        if search.seeker.missed < patience:
            return None
        return level_near(search.seeker.rating, bot_ratings(search.request))

    def _take(self, request: PairingRequest, identities: Sequence[IdentityId], now_ms: int) -> Pairing:
        searches = {identity: self._pools[request][identity] for identity in identities}
        for identity in identities:
            self.leave(identity)
        self._recent_opponents.note(identities, now_ms)
        return Pairing(
            request, tuple(searches[identity] for identity in self._seat_assignment.assign(request.game, identities))
        )

    def aversions(self, searches: Iterable[Search], now_ms: int) -> Aversions:
        """Return how far from each other blocks and past encounters put those who wait."""
        present = {search.seeker.identity: search for search in searches}
        aversions: dict[IdentityId, dict[IdentityId, int]] = {}
        for identity, search in present.items():
            points = dict.fromkeys(search.blocked, BARRED)
            for other, count in self._recent_opponents.of(identity, now_ms).items():
                aversion = BARRED if count >= MOST_ENCOUNTERS else ENCOUNTER_AVERSION * count
                points[other] = max(points.get(other, 0), aversion)
            for other in points.keys() & present.keys():
                mutual = max(points[other], aversions.get(other, {}).get(identity, 0))
                aversions.setdefault(identity, {})[other] = aversions.setdefault(other, {})[identity] = mutual
        return aversions


def level_near(rating: int, bot_ratings: Sequence[int]) -> int:
    """Return the level of the bot that is rated nearest below, or of the lowest rated.

    >>> [level_near(rating, (900, 1400, 1300)) for rating in (100, 1350, 1400, 3000)]
    [1, 3, 2, 2]
    """
    levels = range(1, len(bot_ratings) + 1)
    below = [level for level in levels if bot_ratings[level - 1] <= rating]
    if below:
        return max(below, key=lambda level: bot_ratings[level - 1])
    return min(levels, key=lambda level: bot_ratings[level - 1])
