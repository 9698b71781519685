"""The pools of quick pairing: the players waiting for each kind of match, wave by wave.

Pure: time, disconnected players and a random order are arguments. `server.lobby.pairing_wave` decides who is paired
in one wave.
"""

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from millrace.protocol import CommandId, IdentityId, PairingRequest, Player

from ..journal.entries import Origin
from .pairing_memory import RecentOpponents, SeatAssignment
from .pairing_wave import BARRED, Aversions, Seeker, make_groups, pair_weight

WAVE_SECONDS = 2.0
"""Interval between two waves."""
RECENT_AVERSION = 120
"""Rating points that each recent pairing of two players adds to their gap."""
MOST_RECENT_PAIRINGS = 4
"""Number of recent pairings after which two players are not paired again."""
OFFER_AFTER_WAVES = 5
"""Missed waves after which a bot is offered."""
OFFER_ALONE_AFTER_WAVES = 2
"""The same for a player who waits alone; the first wave may come right after the search started."""


@dataclass(frozen=True, slots=True)
class Search:
    """A player's search for a quick pairing."""

    seeker: Seeker
    player: Player
    request: PairingRequest
    command: CommandId
    """The id of the `FindMatch` that started it."""
    since_ms: int
    blocked: frozenset[IdentityId] = frozenset()

    @property
    def origin(self) -> Origin:
        """The command that started it, with its player."""
        return Origin(self.player.id, self.command)


MOST_CANDIDATES = 8
"""Maximum number of partners considered, in the pools of one game: those who have waited longest."""


class Pairing(NamedTuple):
    """A match to create, with its players."""

    request: PairingRequest
    """The kind of match requested; the match may have fewer seats."""
    searches: tuple[Search, ...]
    """By seat."""


@dataclass
class Pools:
    """All searches: a pool for each kind of match, with each player in at most one pool."""

    _pools: dict[PairingRequest, dict[IdentityId, Search]] = field(default_factory=dict)
    _requests: dict[IdentityId, PairingRequest] = field(default_factory=dict)
    _recent_opponents: RecentOpponents = field(default_factory=RecentOpponents)
    _seat_assignment: SeatAssignment = field(default_factory=SeatAssignment)

    def join(self, search: Search) -> Search:
        """Add a search and return it; it replaces another one, but keeps the waiting time of one for the same pool."""
        search = self.merged(search)
        identity = search.seeker.identity
        if self._requests.get(identity) != search.request:
            self.leave(identity)
        self._requests[identity] = search.request
        self._pools.setdefault(search.request, {})[identity] = search
        return search

    def merged(self, search: Search) -> Search:
        """Return a search as `join` would add it."""
        before = self.find(search.seeker.identity)
        if before is None or before.request != search.request:
            return search
        seeker = replace(before.seeker, takes_fewer=search.seeker.takes_fewer)
        return replace(before, seeker=seeker, command=search.command, blocked=search.blocked)

    def put_back(self, search: Search) -> None:
        """Resume a search whose match could not be created, unless the player has started another one."""
        if search.seeker.identity not in self._requests:
            self.join(search)

    def leave(self, identity: IdentityId) -> bool:
        """End a player's search; return whether there was one."""
        request = self._requests.pop(identity, None)
        if request is None:
            return False
        del self._pools[request][identity]
        if not self._pools[request]:
            del self._pools[request]
        return True

    def find(self, identity: IdentityId) -> Search | None:
        """Return a player's search."""
        request = self._requests.get(identity)
        return None if request is None else self._pools[request][identity]

    def waiting(self, request: PairingRequest) -> int:
        """Return the number of players in a pool."""
        return len(self._pools.get(request, ()))

    @property
    def searches(self) -> tuple[Search, ...]:
        """All searches."""
        return tuple(search for pool in self._pools.values() for search in pool.values())

    def requests(self) -> tuple[PairingRequest, ...]:
        """Return the kinds of match whose pools are not empty."""
        return tuple(self._pools)

    def members(self, request: PairingRequest) -> tuple[IdentityId, ...]:
        """Return the players in a pool."""
        return tuple(self._pools.get(request, ()))

    def hold_wave(
        self, request: PairingRequest, absent: Set[IdentityId], order: Sequence[IdentityId], now_ms: int
    ) -> list[Pairing]:
        """Take the players who can be paired out of a pool, and return their matches.

        Players in `absent` keep waiting without taking part; everyone else who is not paired has missed a wave. `order`
        is a random order of the pool that decides ties.
        """
        pool = self._pools.get(request, {})
        present = [pool[identity] for identity in order if identity in pool and identity not in absent]
        aversions = self.aversions(present, now_ms)
        groups, left = make_groups([search.seeker for search in present], request.seats, aversions)
        if left:
            self._count_missed(request, [seeker.identity for seeker in left])
        ranks = {identity: rank for rank, identity in enumerate(order)}
        shuffled = [sorted((seeker.identity for seeker in group), key=ranks.__getitem__) for group in groups]
        return [self._take(request, identities, now_ms) for identities in shuffled]

    def miss_wave(self, absent: Set[IdentityId]) -> None:
        """Count a wave held elsewhere as missed by all remaining players except `absent`."""
        for request, pool in self._pools.items():
            self._count_missed(request, pool.keys() - absent)

    def note_pairing(self, request: PairingRequest, seated: Sequence[IdentityId], now_ms: int) -> None:
        """Remember a pairing made elsewhere, by seat."""
        self._recent_opponents.add(seated, now_ms)
        self._seat_assignment.note(request.game, seated)

    def offered_bot(self, identity: IdentityId, bot_ratings: Callable[[PairingRequest], Sequence[int]]) -> int | None:
        """Return the level of the bot to offer a player who has waited for a while, or None.

        A rated table for three or four waits for people: bots fill several seats in casual matches only. `bot_ratings`
        returns the ratings of the bots in a kind of match, by level.
        """
        search = self.find(identity)
        if search is None or (search.request.rated and search.request.seats > 2):
            return None
        patience = OFFER_ALONE_AFTER_WAVES if self.waiting(search.request) == 1 else OFFER_AFTER_WAVES
        if search.seeker.missed < patience:
            return None
        return level_near(search.seeker.rating, bot_ratings(search.request))

    def find_partner(
        self, game: str, search_for: Callable[[PairingRequest], Search], absent: Set[IdentityId], now_ms: int
    ) -> tuple[Search, Search] | None:
        """Return the search of a player who would be paired at once with a newcomer for a casual match of two, and the
        newcomer's own; None if nobody suits.

        `search_for` returns the newcomer's search for a kind of match.
        """
        is_offered = {request for request in self._pools if _is_casual_for_two(request, game)}
        waiting = [search for search in self.searches if search.request in is_offered]
        waiting.sort(key=lambda search: search.since_ms)
        for search in waiting[:MOST_CANDIDATES]:
            own = search_for(search.request)
            identity = search.seeker.identity
            if identity == own.seeker.identity or identity in absent:
                continue
            if pair_weight(search.seeker, own.seeker, self.aversions([search, own], now_ms)) >= 0:
                return search, own
        return None

    def pair(self, search: Search, newcomer: Search, now_ms: int) -> Pairing:
        """Take a waiting player out of a pool for a match with a newcomer, whose other search ends."""
        self.join(newcomer)
        return self._take(search.request, [search.seeker.identity, newcomer.seeker.identity], now_ms)

    def aversions(self, searches: Iterable[Search], now_ms: int) -> Aversions:
        """Return the aversions between players that result from blocks and recent pairings."""
        present = {search.seeker.identity: search for search in searches}
        aversions: dict[IdentityId, dict[IdentityId, int]] = {}
        for identity, search in present.items():
            points = dict.fromkeys(search.blocked, BARRED)
            for other, count in self._recent_opponents.of(identity, now_ms).items():
                aversion = BARRED if count >= MOST_RECENT_PAIRINGS else RECENT_AVERSION * count
                points[other] = max(points.get(other, 0), aversion)
            for other in points.keys() & present.keys():
                mutual = max(points[other], aversions.get(other, {}).get(identity, 0))
                aversions.setdefault(identity, {})[other] = aversions.setdefault(other, {})[identity] = mutual
        return aversions

    def _count_missed(self, request: PairingRequest, identities: Iterable[IdentityId]) -> None:
        pool = self._pools[request]
        for identity in identities:
            seeker = pool[identity].seeker
            pool[identity] = replace(pool[identity], seeker=replace(seeker, missed=seeker.missed + 1))

    def _take(self, request: PairingRequest, identities: Sequence[IdentityId], now_ms: int) -> Pairing:
        searches = {identity: self._pools[request][identity] for identity in identities}
        for identity in identities:
            self.leave(identity)
        self._recent_opponents.add(identities, now_ms)
        seated = self._seat_assignment.assign(request.game, identities)
        return Pairing(request, tuple(searches[identity] for identity in seated))


def _is_casual_for_two(request: PairingRequest, game: str) -> bool:
    is_by_correspondence = request.clock is not None and request.clock.renews
    return request.game == game and request.seats == 2 and not request.rated and not is_by_correspondence


def level_near(rating: int, bot_ratings: Sequence[int]) -> int:
    """Return the level of the highest-rated bot not above a rating, or else of the lowest-rated bot.

    >>> [level_near(rating, (900, 1400, 1300)) for rating in (100, 1350, 1400, 3000)]
    [1, 3, 2, 2]
    """
    levels = range(1, len(bot_ratings) + 1)
    below = [level for level in levels if bot_ratings[level - 1] <= rating]
    if below:
        return max(below, key=lambda level: bot_ratings[level - 1])
    return min(levels, key=lambda level: bot_ratings[level - 1])
