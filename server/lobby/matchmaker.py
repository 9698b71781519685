"""The matchmaker: holds a pairing wave every two seconds, creates the matches, and keeps searching players informed.

`server.lobby.pools` decides who is paired; this module checks who is connected, creates matches, and sends the news.
"""

import asyncio
import random
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import structlog

from millrace.engine.levels.opponents import LEVELS

from ..bus.bus import Bus
from ..bus.events import BlocksChanged, SeeksChanged
from ..identity.presence import Presence
from ..journal.store import Origin
from ..matches.built_in_bots import bot_player
from ..matches.creation import check_pairing_request
from ..matches.speed import speed_of
from ..profiles.blocks import Blocks
from ..protocol import (
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
from ..protocol.frames import WireFrame, frame_of
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .disconnections import Disconnections
from .pairing_groups import Seeker
from .pools import WAVE_SECONDS, Pairing, Pools, Search
from .rating_lookup import RatingLookup

log = structlog.get_logger()

DISCONNECTED_MS = 15_000
"""Time without a connection after which a search ends; a shorter disconnection costs nothing."""
ANSWERS_REMEMBERED = 10_000
"""Maximum pairings that are repeated without asking the journal."""


class PairedMatches(Protocol):
    """Matches of players who were paired: an interface of `server.rooms.rooms.Rooms`."""

    async def open_paired(
        self, request: PairingRequest, players: Sequence[Player], paired: Sequence[Origin]
    ) -> MatchId:
        """Create a match for paired players, listed by seat, who asked by the commands `paired`. Raises: Refusal."""

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to. Raises: Refusal."""


class Matchmaker:
    """All searches for a quick pairing."""

    def __init__(
        self,
        matches: PairedMatches,
        presence: Presence,
        blocks: Blocks,
        rating_lookup: RatingLookup,
        bus: Bus,
        now_ms: NowMs,
        chance: random.Random,
    ) -> None:
        self._matches = matches
        self._presence = presence
        self._blocks = blocks
        self._rating_lookup = rating_lookup
        self._now_ms = now_ms
        self._chance = chance
        self._pools = Pools()
        self._disconnections = Disconnections(presence)
        self._sent: dict[IdentityId, Searching] = {}
        self._creating: dict[IdentityId, asyncio.Future[None]] = {}
        self._paired: OrderedDict[Origin, MatchId] = OrderedDict()
        self._bus = bus
        self._shown: frozenset[Origin] = frozenset()
        """The searches of which the lobby's lists know."""
        bus.subscribe(BlocksChanged, self._blocks_changed)

    async def find_answer(self, command: FindMatch, identity: IdentityId) -> Searching | Paired | None:
        """Return how the search stands that the same command began earlier; None if it began none. Raises: Refusal."""
        match = await self.find_paired(Origin(identity, command.id))
        if match is not None:
            return Paired(match, command.id)
        search = self._pools.find(identity)
        return self._searching(search, command.id) if search is not None and search.command == command.id else None

    def search(self, command: FindMatch, player: Player) -> Searching:
        """Begin a search, if `find_answer` has just found none. Raises: Refusal."""
        request = command.request
        check_pairing_request(request, player)
        joined = self._pools.join(self._search_of(player, request, command.id, takes_fewer=command.takes_fewer))
        self._send_if_changed(joined)
        self._note_searches()
        return self._searching(joined, command.id)

    def find_partner(self, game: str, player: Player) -> Search | None:
        """Return the search of a player who would be paired with this one at once, for a casual match of two."""
        found = self._find_partner(game, player, CommandId(""))
        return None if found is None else found[0]

    async def pair_at_once(self, game: str, player: Player, command: CommandId) -> MatchId | None:
        """Create a casual match of two with a player who waits for a quick pairing; None if nobody does who fits."""
        found = self._find_partner(game, player, command)
        if found is None:
            return None
        self._sent.pop(player.id, None)
        await self._create(self._pools.pair(*found, self._now_ms()))
        match = self._paired.get(Origin(player.id, command))
        if match is None:
            self._pools.leave(player.id)
        return match

    async def stop_search(self, command: StopSearch, identity: IdentityId) -> SearchEnded:
        """End a player's search."""
        await self._wait_for_creation(identity)
        self.withdraw(identity)
        return SearchEnded(command.id)

    async def play_bot(self, command: PlayBot, identity: IdentityId) -> Paired:
        """Create a match with the bot that was offered, or find that of the same command. Raises: Refusal."""
        match = await self.find_paired(Origin(identity, command.id))
        if match is None:
            search = self._pools.find(identity)
            level = self._pools.offered_bot(identity, self._bot_ratings)
            if search is None or level is None:
                raise Refusal(Code.NOT_SEARCHING, "No bot has been offered to you; ask for a quick pairing first.")
            self._pools.leave(identity)
            match = await self._create_with_bots(search, level, command.id)
        return Paired(match, command.id)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the state of a player's search, for a new connection."""
        search = self._pools.find(identity)
        return () if search is None else (frame_of(self._searching(search)),)

    def withdraw(self, identity: IdentityId) -> None:
        """End a player's search and notify them."""
        if self._pools.leave(identity):
            self._sent.pop(identity, None)
            self._presence.deliver(identity, [frame_of(SearchEnded())])
            self._note_searches()

    async def run(self) -> None:
        """Hold waves until cancelled."""
        while True:
            await asyncio.sleep(WAVE_SECONDS)
            try:
                await self.hold_wave()
            except Exception:
                # The task's boundary: the waves must go on after one that failed.
                log.exception("pairing wave failed")

    async def hold_wave(self) -> None:
        """Pair players in every pool, and send the others what has changed."""
        now_ms = self._now_ms()
        absent = self._find_disconnected(now_ms)
        pairings: list[Pairing] = []
        for request in self._pools.requests():
            order = list(self._pools.members(request))
            self._chance.shuffle(order)
            pairings += self._pools.hold_wave(request, absent, order, now_ms)
        await asyncio.gather(*(self._create(pairing) for pairing in pairings))
        for search in self._pools.searches:
            self._send_if_changed(search)
        self._note_searches()

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a command led to, also before a restart. Raises: Refusal."""
        await self._wait_for_creation(IdentityId(asked.by))
        if asked not in self._paired and (match := await self._matches.find_paired(asked)) is not None:
            return match
        # While the journal was read, the same command may have come again and led to a match.
        await self._wait_for_creation(IdentityId(asked.by))
        return self._paired.get(asked)

    async def _wait_for_creation(self, identity: IdentityId) -> None:
        """Wait while a match of the player is being created."""
        if identity in self._creating:
            await asyncio.wait([self._creating[identity]])

    async def _create_with_bots(self, search: Search, level: int, command: CommandId) -> MatchId:
        """Create a match of a player against bots. Raises: Refusal, after which the search goes on."""
        players = [search.player, *[bot_player(level)] * (search.request.seats - 1)]
        self._chance.shuffle(players)
        asked = [Origin(search.player.id, id_) for id_ in sorted({command, search.command})]
        created = self._begin_creation([search])
        try:
            match = await self._matches.open_paired(search.request, players, asked)
        except Refusal:
            self._put_back(search)
            raise
        finally:
            self._end_creation([search], created)
        self._report_paired(search.player.id, match, asked)
        return match

    async def _create(self, pairing: Pairing) -> None:
        """Create the match of paired players and notify them; if that fails, their searches go on."""
        players = [search.player for search in pairing.searches]
        asked = [Origin(search.player.id, search.command) for search in pairing.searches]
        created = self._begin_creation(pairing.searches)
        try:
            match = await self._matches.open_paired(pairing.request, players, asked)
        except Refusal as refusal:
            log.warning("paired match not created", error=refusal.message)
            for search in pairing.searches:
                self._put_back(search)
        else:
            for player, command in zip(players, asked, strict=True):
                self._report_paired(player.id, match, [command])
        finally:
            self._end_creation(pairing.searches, created)

    def _find_partner(self, game: str, player: Player, command: CommandId) -> tuple[Search, Search] | None:
        searches = self._pools.searches
        absent = {each.player.id for each in searches if not self._presence.is_online(each.player.id)}
        return self._pools.find_partner(
            game,
            lambda request: self._search_of(player, request, command),
            absent | self._creating.keys(),
            self._now_ms(),
        )

    def _search_of(
        self, player: Player, request: PairingRequest, command: CommandId, *, takes_fewer: bool = False
    ) -> Search:
        """Return a search of a player that begins now, with the ratings for as many seats and for fewer."""
        speed, rate = speed_of(request.clock), self._rating_lookup.rating_of
        ratings = {seats: rate(player.id, request.game, seats, speed) for seats in range(2, request.seats + 1)}
        seeker = Seeker(player.id, ratings[request.seats], takes_fewer=takes_fewer, ratings=ratings)
        return Search(seeker, player, request, command, self._now_ms(), self._blocks.of(player.id))

    def _note_searches(self) -> None:
        """Tell the lobby's lists if players have begun or ended a search."""
        shown = frozenset(Origin(search.player.id, search.command) for search in self._pools.searches)
        if shown != self._shown:
            self._shown = shown
            self._bus.publish(SeeksChanged())

    def _begin_creation(self, searches: Iterable[Search]) -> asyncio.Future[None]:
        """Make further commands of these players wait until their match is created or has failed."""
        created: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for search in searches:
            self._creating[search.player.id] = created
        return created

    def _end_creation(self, searches: Iterable[Search], created: asyncio.Future[None]) -> None:
        for search in searches:
            del self._creating[search.player.id]
        created.set_result(None)

    def _put_back(self, search: Search) -> None:
        self._pools.put_back(replace(search, blocked=self._blocks.of(search.player.id)))

    def _report_paired(self, identity: IdentityId, match: MatchId, asked: Iterable[Origin]) -> None:
        self._paired.update(dict.fromkeys(asked, match))
        while len(self._paired) > ANSWERS_REMEMBERED:
            self._paired.popitem(last=False)
        self._sent.pop(identity, None)
        self._presence.deliver(identity, [frame_of(Paired(match))])

    def _find_disconnected(self, now_ms: int) -> frozenset[IdentityId]:
        """Return the players who are disconnected now; end the searches of those who have been for long."""
        disconnected = self._disconnections.update((search.player.id for search in self._pools.searches), now_ms)
        for identity in self._disconnections.lasting(DISCONNECTED_MS, now_ms):
            self._pools.leave(identity)
            self._sent.pop(identity, None)
        return disconnected

    def _blocks_changed(self, event: BlocksChanged) -> None:
        search = self._pools.find(event.identity)
        if search is not None:
            self._pools.join(replace(search, blocked=self._blocks.of(event.identity)))

    def _bot_ratings(self, request: PairingRequest) -> tuple[int, ...]:
        """Return the ratings of the bots in a kind of match, by level."""
        speed = speed_of(request.clock)
        bots = (bot_player(level) for level in LEVELS)
        return tuple(self._rating_lookup.rating_of(bot.id, request.game, request.seats, speed) for bot in bots)

    def _searching(self, search: Search, command: CommandId | None = None) -> Searching:
        bot_level = self._pools.offered_bot(search.player.id, self._bot_ratings)
        waiting = self._pools.waiting(search.request)
        return Searching(search.request, search.seeker.takes_fewer, waiting, search.since_ms, bot_level, command)

    def _send_if_changed(self, search: Search) -> None:
        searching = self._searching(search)
        if self._sent.get(search.player.id) != searching:
            self._sent[search.player.id] = searching
            self._presence.deliver(search.player.id, [frame_of(searching)])
