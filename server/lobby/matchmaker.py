"""The matchmaker: answers searching players, and runs a pairing wave every two seconds.

`server.lobby.pairing_wave` decides who is paired; this module checks who is connected.
`server.lobby.pairing_creation` creates the matches, and `server.lobby.search_news` informs the players.

Of several nodes, the holder of the lease pairs. A request to play at once, or to take a bot, is handled by the player's
own node.
"""

import asyncio
import random
from collections.abc import Collection
from dataclasses import replace

import structlog

from millrace.protocol import (
    Code,
    CommandId,
    FindMatch,
    IdentityId,
    MatchId,
    Paired,
    PairingRequest,
    PlayBot,
    Player,
    SearchEnded,
    Searching,
    StopSearch,
)
from millrace.protocol.frames import WireFrame, frame_of
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.events import BlocksChanged
from ..cluster.membership import Membership
from ..journal.entries import Origin
from ..matches.built_in_bots import bot_player
from ..matches.creation import check_pairing_request
from ..matches.speed import speed_of
from ..players.profiles.blocks import Blocks
from ..ratings.ratings import Ratings
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from ..storage.fences import Fence
from .pairing_creation import PairingCreation
from .pairing_wave import Seeker
from .pools import WAVE_SECONDS, Pairing, Search
from .search_news import SearchNews
from .search_store import SearchStore
from .searches import Disconnections, PairedMatches, Searches

log = structlog.get_logger()

DISCONNECTED_MS = 15_000
"""Time without a connection after which a search ends; a shorter disconnection has no effect."""
ATTEMPTS = 3
"""Maximum attempts to pair a player at once, each with another partner, after the previous partner was taken."""
LEASE = "pairing"
"""The name of the lease for pairing."""


class Matchmaker:
    """All searches for a quick pairing."""

    def __init__(
        self,
        matches: PairedMatches,
        store: SearchStore,
        membership: Membership,
        presence: Presence,
        blocks: Blocks,
        rating_lookup: Ratings,
        bots: Bots,
        bus: Bus,
        now_ms: NowMs,
        chance: random.Random,
    ) -> None:
        self._blocks = blocks
        self._rating_lookup = rating_lookup
        self._now_ms = now_ms
        self._chance = chance
        self._lease = membership.lease(LEASE)
        self._searches = Searches(store, presence, membership, blocks, bus, now_ms)
        self._pools = self._searches.pools
        self._disconnections = Disconnections(self._searches.is_online)
        self._news = SearchNews(matches, self._searches, presence, rating_lookup, bots, bus, now_ms)
        self._creation = PairingCreation(matches, self._searches, self._news, blocks, bus, now_ms)
        bus.subscribe(BlocksChanged, self._blocks_changed)

    async def find_answer(self, command: FindMatch, identity: IdentityId) -> Searching | Paired | None:
        """Return the state of the search that the same command started earlier, if any. Raises: Refusal."""
        # In this order: a search that is not stored and has no match has never been paired.
        await self._searches.find(identity)
        match = await self._creation.find(Origin(identity, command.id))
        if match is not None:
            return Paired(match, command.id)
        search = self._pools.find(identity)
        return self._news.searching(search, command.id) if search is not None and search.command == command.id else None

    async def search(self, command: FindMatch, player: Player) -> Searching:
        """Start a search, if `find_answer` has just found none. Raises: Refusal."""
        request = command.request
        check_pairing_request(request, player)
        search = self._search_of(player, request, command.id, takes_fewer=command.takes_fewer)
        joined = await self._searches.begin(search)
        self._news.tell_search(joined)
        self._news.note_searches()
        return self._news.searching(joined, command.id)

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to, also before a restart. Raises: Refusal."""
        return await self._creation.find(asked)

    def find_partner(self, game: str, player: Player) -> Search | None:
        """Return the search of a player who would be paired with this one at once, for a casual match of two."""
        found = self._find_partner(game, player, CommandId(""))
        return None if found is None else found[0]

    async def pair_at_once(self, game: str, player: Player, command: CommandId) -> MatchId | None:
        """Create a casual match of two with a player waiting for a quick pairing; None if nobody suits.

        The player's own search ends.
        """
        for _ in range(ATTEMPTS):
            found = self._find_partner(game, player, command)
            if found is None:
                break
            partner, _ = found
            own = self._pools.find(player.id)
            pairing = self._pools.pair(*found, self._now_ms())
            match = await self._creation.create(pairing, [partner] if own is None else [partner, own], None)
            if match is not None:
                return match
        return None

    async def stop_search(self, command: StopSearch, identity: IdentityId) -> SearchEnded:
        """End a player's search. Raises: Refusal."""
        await self._creation.wait_for(identity)
        await self.withdraw(identity)
        return SearchEnded(command.id)

    async def play_bot(self, command: PlayBot, identity: IdentityId) -> Paired:
        """Create a match with the offered bot, or find the one created by the same command. Raises: Refusal."""
        asked = Origin(identity, command.id)
        match = await self._creation.find(asked)
        if match is None:
            try:
                match = await self._take_bot(asked)
            except Refusal:
                # The same command may have led to a match meanwhile, on another node.
                match = await self._creation.find(asked)
                if match is None:
                    raise
        return Paired(match, command.id)

    async def _take_bot(self, asked: Origin) -> MatchId:
        """Create a match with the offered bot. Raises: Refusal."""
        identity = IdentityId(asked.by)
        search = await self._searches.find(identity)
        level = self._news.offered_bot(identity)
        if search is None or level is None:
            raise Refusal(Code.NOT_SEARCHING, "No bot has been offered to you; ask for a quick pairing first.")
        self._pools.leave(identity)
        return await self._create_with_bots(search, level, asked.command_id)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the state of a player's search, for a new connection."""
        search = self._pools.find(identity)
        return () if search is None else (frame_of(self._news.searching(search)),)

    async def withdraw(self, identity: IdentityId) -> None:
        """End a player's search and notify them. Raises: Refusal."""
        search = self._pools.find(identity)
        if await self._searches.end(identity):
            self._news.tell_ended(identity)
        elif search is not None:
            await self._news.tell_outcome(search)

    async def run(self) -> None:
        """Run waves until cancelled."""
        while True:
            try:
                await self.hold_wave()
            except Exception:
                # The task's boundary: waves must continue after one fails.
                log.exception("pairing wave failed")
            await asyncio.sleep(WAVE_SECONDS)

    async def hold_wave(self) -> None:
        """Pair players in every pool, if this node holds the lease, and send changes to the players on this node."""
        try:
            ended = await self._searches.read()
            await self._searches.locate()
        except StorageError as error:
            log.warning("searches not read", error=str(error))
            return
        await asyncio.gather(*(self._news.tell_outcome(search) for search in ended))
        now_ms, fence = self._now_ms(), self._lease.fence
        absent = self._disconnections.update((search.player.id for search in self._pools.searches), now_ms)
        if fence is None:
            self._pools.miss_wave(absent)
        else:
            await self._pair(absent, now_ms, fence)
        self._news.tell_searches()

    async def _pair(self, absent: Collection[IdentityId], now_ms: int, fence: Fence) -> None:
        """End the searches of players who have been away for long, and pair the others."""
        for identity in self._disconnections.lasting(DISCONNECTED_MS, now_ms):
            try:
                await self._searches.end(identity)
            except Refusal:
                continue  # logged, and retried at the next wave
            self._news.forget(identity)
        pairings: list[Pairing] = []
        for request in self._pools.requests():
            order = list(self._pools.members(request))
            self._chance.shuffle(order)
            pairings += self._pools.hold_wave(request, frozenset(absent), order, now_ms)
        await asyncio.gather(*(self._creation.create(pairing, pairing.searches, fence) for pairing in pairings))

    async def _create_with_bots(self, search: Search, level: int, command: CommandId) -> MatchId:
        """Create a match of a player against bots. Raises: Refusal; then the search continues."""
        players = [search.player, *[bot_player(level)] * (search.request.seats - 1)]
        self._chance.shuffle(players)
        asked = [Origin(search.player.id, id_) for id_ in sorted({command, search.command})]
        pairing = Pairing(search.request, (search,))
        return await self._creation.open(pairing, players, asked, [search])

    def _find_partner(self, game: str, player: Player, command: CommandId) -> tuple[Search, Search] | None:
        searches = self._pools.searches
        absent = {each.player.id for each in searches if not self._searches.is_online(each.player.id)}
        return self._pools.find_partner(
            game,
            lambda request: self._search_of(player, request, command),
            absent | self._creation.paired,
            self._now_ms(),
        )

    def _search_of(
        self, player: Player, request: PairingRequest, command: CommandId, *, takes_fewer: bool = False
    ) -> Search:
        """Return a new search of a player, with the ratings for as many seats and for fewer."""
        speed, rate = speed_of(request.clock), self._rating_lookup.rating_of
        ratings = {seats: rate(player.id, request.game, seats, speed) for seats in range(2, request.seats + 1)}
        seeker = Seeker(player.id, ratings[request.seats], takes_fewer=takes_fewer, ratings=ratings)
        return Search(seeker, player, request, command, self._now_ms(), self._blocks.of(player.id))

    def _blocks_changed(self, event: BlocksChanged) -> None:
        search = self._pools.find(event.identity)
        if search is not None:
            self._pools.join(replace(search, blocked=self._blocks.of(event.identity)))
