"""The searches for a quick pairing: the stored ones, and the pools that mirror them.

Stored searches are valid on every node. The pools of a server alone always match them. Those of one node among several
may lack changes by others since the last reading, which precedes each wave.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from millrace.protocol import CommandId, IdentityId, MatchId, PairingRequest, Player

from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.membership import Membership
from ..journal.entries import Origin
from ..journal.unavailable import refusing_failures
from ..players.profiles.blocks import Blocks
from ..rooms.new_matches import NewMatches
from ..runtime.system_clock import NowMs
from ..storage.appends import Insertion
from ..storage.fences import Fence
from .pairing_wave import Seeker
from .pools import WAVE_SECONDS, Pools, Search
from .search_store import SearchDetails, SearchStore, StoredSearch, ending_insertions, pairing_insertions


class Disconnections:
    """When each waiting player was disconnected, as of the latest update: a page reload must not end a search."""

    def __init__(self, is_online: Callable[[IdentityId], bool]) -> None:
        self._is_online = is_online
        self._since_ms: dict[IdentityId, int] = {}

    def update(self, identities: Iterable[IdentityId], now_ms: int) -> frozenset[IdentityId]:
        """Check these players and forget all others; return those who are disconnected now."""
        disconnected = frozenset(identity for identity in identities if not self._is_online(identity))
        self._since_ms = {identity: self._since_ms.get(identity, now_ms) for identity in disconnected}
        return disconnected

    def lasting(self, least_ms: int, now_ms: int) -> frozenset[IdentityId]:
        """Return the players who had been disconnected for at least `least_ms` at the latest update."""
        return frozenset(identity for identity, since_ms in self._since_ms.items() if now_ms - since_ms >= least_ms)


@dataclass(eq=False)
class Searches:
    """All searches, stored before they enter the pools."""

    _store: SearchStore
    _presence: Presence
    _membership: Membership
    _blocks: Blocks
    _bus: Bus
    _now_ms: NowMs

    def __post_init__(self) -> None:
        self.pools = Pools()
        self._nodes: dict[IdentityId, str] = {}
        """The players' nodes at the last reading."""
        self._is_exact = False
        """Whether the pools matched the stored searches, except for later changes by other nodes."""
        self._changing: Counter[IdentityId] = Counter()
        """The players whose searches are being changed here."""
        self._changed: set[IdentityId] = set()
        """The players whose searches have changed here since the last reading started."""

    @property
    def _is_read(self) -> bool:
        return self._bus.is_alone and self._is_exact

    async def find(self, identity: IdentityId) -> Search | None:
        """Return a player's search, even if it is not in the pools yet. Raises: Refusal."""
        if self.pools.find(identity) is None and not self._is_read:
            with refusing_failures("search not read", "look this up"):
                stored = await self._store.find(identity)
            if stored is not None:
                self.pools.put_back(self._search_of(stored))
                self._changed.add(identity)
        return self.pools.find(identity)

    async def begin(self, search: Search) -> Search:
        """Store a search and add it to the pools, replacing another one of the player. Raises: Refusal."""
        with self.changing([search.player.id]), refusing_failures("search not stored", "begin your search"):
            merged = self.pools.merged(search)
            details = SearchDetails(merged.player, merged.request, merged.seeker.takes_fewer, merged.seeker.ratings)
            stored = StoredSearch(merged.player.id, merged.command, merged.since_ms, self._membership.node, details)
            await self._store.put(stored)
            return self.pools.join(search)

    async def end(self, identity: IdentityId, command: CommandId | None = None) -> bool:
        """End a player's search, if this command started it; return whether it was running. Raises: Refusal."""
        search = self.pools.find(identity)
        if search is None and self._is_read:
            return False
        with self.changing([identity]), refusing_failures("search not ended", "end your search"):
            has_ended = await self._store.remove(identity, command)
        self.leave(identity, command)
        return has_ended

    def leave(self, identity: IdentityId, command: CommandId | None = None) -> None:
        """Remove a search that is no longer stored from the pools."""
        search = self.pools.find(identity)
        if search is not None and command in (None, search.command):
            self.pools.leave(identity)
        self._changed.add(identity)

    async def put_back(self, search: Search) -> bool:
        """Put a search back into its pool, if it is still stored; return whether it is. Raises: Refusal.

        Until that is known, it is in the pool.
        """
        identity = search.player.id
        self.doubt(search)
        with refusing_failures("search not read", "look this up"):
            stored = await self._store.find(identity)
        if stored is not None and stored.command == search.command:
            return True
        self.leave(identity, search.command)
        return False

    def doubt(self, search: Search) -> None:
        """Put a search back into its pool, and find out before the next wave whether it is stored."""
        self._is_exact = False
        self.pools.put_back(search)

    @contextmanager
    def changing(self, identities: Iterable[IdentityId]) -> Iterator[None]:
        """Protect the searches of these players from concurrent readings."""
        changed = tuple(identities)
        self._changing.update(changed)
        try:
            yield
        except BaseException:
            self._is_exact = False
            raise
        finally:
            self._changing.subtract(changed)
            self._changing = +self._changing
            self._changed.update(changed)

    async def read(self) -> list[Search]:
        """Update the pools from the stored searches; return those that have ended elsewhere. Raises: StorageError."""
        if self._is_read:
            return []
        self._changed.clear()
        self._is_exact = True
        try:
            stored = {search.identity: search for search in await self._store.all()}
        except BaseException:
            self._is_exact = False
            raise
        ignored = self._changed | self._changing.keys()
        ended = [each for each in self.pools.searches if each.player.id not in stored.keys() | ignored]
        for search in ended:
            self.pools.leave(search.player.id)
        for identity in stored.keys() - ignored:
            search = self._search_of(stored[identity])
            before = self.pools.find(identity)
            if before is None or (before.command, before.request) != (search.command, search.request):
                self.pools.join(search)
        self._nodes = {identity: search.node for identity, search in stored.items()}
        return ended

    async def locate(self) -> None:
        """Store which players have come to this node or left it, in case nodes cannot inform each other.

        Raises: StorageError.
        """
        if self._bus.is_alone:
            return
        here = self._membership.node
        for identity, node in tuple(self._nodes.items()):
            is_here = bool(self._presence.sessions_of(identity))
            if is_here and node not in self._membership.members:
                self._nodes[identity] = here
            elif not is_here and node == here:
                self._nodes[identity] = ""
            else:
                continue
            await self._store.locate(identity, self._nodes[identity])

    def is_online(self, identity: IdentityId) -> bool:
        """Return whether a searching player is connected to any node."""
        if self._presence.is_online(identity):
            return True
        node = self._nodes.get(identity, "")
        return not self._bus.is_connected and node != self._membership.node and node in self._membership.members

    def _search_of(self, stored: StoredSearch) -> Search:
        details = stored.details
        missed = max(0, self._now_ms() - stored.since_ms) // round(1000 * WAVE_SECONDS)
        rating = details.ratings[details.request.seats]
        seeker = Seeker(stored.identity, rating, missed, takes_fewer=details.takes_fewer, ratings=details.ratings)
        blocked = self._blocks.of(stored.identity)
        return Search(seeker, details.player, details.request, stored.command, stored.since_ms, blocked)


class PairedMatches:
    """Creates the matches of paired players, each stored with the commands that led to it, and finds them."""

    def __init__(self, new_matches: NewMatches, store: SearchStore) -> None:
        self._new_matches = new_matches
        self._store = store

    async def open_paired(
        self,
        request: PairingRequest,
        players: Sequence[Player],
        paired: Sequence[Origin],
        searches: Sequence[Origin],
        fence: Fence | None,
    ) -> MatchId:
        """Create a match for paired players, listed by seat, who sent the commands `paired`.

        It ends the stored `searches`. Raises: Refusal, also if one of them has already ended.
        """

        def prepare(match: MatchId) -> list[Insertion]:
            return [*pairing_insertions(paired, match), *ending_insertions(searches)]

        return await self._new_matches.open_paired(request, players, prepare, fence)

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to. Raises: Refusal."""
        with refusing_failures("journal read failed", "look this up"):
            return await self._store.find_paired(asked)
