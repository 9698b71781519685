"""Creates the matches of paired players, each together with the end of their searches.

A search ends only once: if another node has paired the player, or the player has stopped, nothing is stored.
"""

import asyncio
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

import structlog

from millrace.protocol import IdentityId, MatchId, Player
from millrace.protocol.refusal import Refusal

from ..cluster.bus import Bus
from ..journal.entries import Origin
from ..players.profiles.blocks import Blocks
from ..runtime import metrics, tracing
from ..runtime.system_clock import NowMs
from ..storage.fences import Fence
from .pools import Pairing, Search
from .search_news import PlayersPaired, SearchNews
from .searches import PairedMatches, Searches

log = structlog.get_logger()


class PairingCreation:
    """Creates the matches of paired players, and finds those created earlier."""

    def __init__(
        self,
        matches: PairedMatches,
        searches: Searches,
        news: SearchNews,
        blocks: Blocks,
        bus: Bus,
        now_ms: NowMs,
    ) -> None:
        self._matches = matches
        self._searches = searches
        self._news = news
        self._blocks = blocks
        self._bus = bus
        self._now_ms = now_ms
        self._creating: dict[IdentityId, asyncio.Future[None]] = {}

    @property
    def paired(self) -> Set[IdentityId]:
        """The players whose match is being created."""
        return self._creating.keys()

    async def wait_for(self, identity: IdentityId) -> None:
        """Wait while a match of the player is being created."""
        if identity in self._creating:
            await asyncio.wait([self._creating[identity]])

    async def find(self, asked: Origin) -> MatchId | None:
        """Return the match that a command led to, also before a restart. Raises: Refusal."""
        identity = IdentityId(asked.by)
        await self.wait_for(identity)
        if self._news.match_of(asked) is None and (match := await self._matches.find_paired(asked)) is not None:
            return match
        # While the journal was read, the same command may have been repeated and led to a match.
        await self.wait_for(identity)
        return self._news.match_of(asked)

    async def create(self, pairing: Pairing, searches: Sequence[Search], fence: Fence | None) -> MatchId | None:
        """Create the match of paired players, ending their stored searches, and notify them; None if that fails."""
        players = [search.player for search in pairing.searches]
        asked = dict.fromkeys(search.origin for search in (*pairing.searches, *searches))
        try:
            return await self.open(pairing, players, tuple(asked), searches, fence)
        except Refusal as refusal:
            for each in asked:
                log.warning("paired match not created", request=each.command_id, player=each.by, error=refusal.message)
            return None

    async def open(
        self,
        pairing: Pairing,
        players: Sequence[Player],
        asked: Sequence[Origin],
        searches: Sequence[Search],
        fence: Fence | None = None,
    ) -> MatchId:
        """Create a match of these players, by seat, and notify the paired ones.

        Raises: Refusal; then the searches that are still stored continue.
        """
        identities = tuple(search.player.id for search in pairing.searches)
        created = self._begin(identities)
        ended = [search.origin for search in searches]
        try:
            with self._searches.changing(identities):
                match = await self._matches.open_paired(pairing.request, players, asked, ended, fence)
            commands = tuple((IdentityId(each.by), each.command_id) for each in asked)
            self._bus.publish(PlayersPaired(match, pairing.request, commands, identities))
            for search in pairing.searches:
                self._note_time(search, match)
        except Refusal:
            for search in searches:
                await self._put_back(search)
            raise
        finally:
            self._end(identities, created)
        return match

    def _note_time(self, search: Search, match: MatchId) -> None:
        """Record how long a player has waited for a match."""
        seconds = (self._now_ms() - search.since_ms) / 1000
        metrics.PAIRING_SECONDS.observe(seconds)
        if tracing.tracer is not None:
            ids = {"request": search.command, "player": search.player.id, "match": match}
            tracing.tracer.report("pairing", seconds, ids)

    async def _put_back(self, search: Search) -> None:
        """Let a search continue, unless it has ended."""
        try:
            if not await self._searches.put_back(replace(search, blocked=self._blocks.of(search.player.id))):
                await self._news.tell_outcome(search)
            elif await self._matches.find_paired(search.origin) is not None:
                # The same command came through two nodes, and was stored again after it had led to a match.
                await self._searches.end(search.player.id, search.command)
        except Refusal:
            self._searches.doubt(search)  # logged, and resolved before the next wave

    def _begin(self, identities: Iterable[IdentityId]) -> asyncio.Future[None]:
        """Make further commands of these players wait until their match is created or has failed."""
        created: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._creating.update(dict.fromkeys(identities, created))
        return created

    def _end(self, identities: Iterable[IdentityId], created: asyncio.Future[None]) -> None:
        for identity in identities:
            del self._creating[identity]
        created.set_result(None)
