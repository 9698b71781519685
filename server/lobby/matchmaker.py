"""The matchmaker: quick pairings, asked for, waited for, made and told; and whom one would rather not meet.

Who is paired with whom is decided in `server.lobby.pools`; this holds the waves, sees who is still there, makes the
matches and tells people.
"""

import asyncio
import random
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import structlog

from millrace.engine.levels.opponents import LEVELS

from ..identity.presence import Presence
from ..matches.creation import check_pairing_request
from ..matches.match import bot_player
from ..matches.speed import speed_of
from ..profiles.blocks import Blocks
from ..protocol import (
    Block,
    Blocked,
    Code,
    CommandId,
    FindMatch,
    GetBlocked,
    IdentityId,
    LobbyCommand,
    MatchId,
    Message,
    Paired,
    PairingRequest,
    PlayBot,
    Player,
    SearchEnded,
    Searching,
    StopSearch,
    Unblock,
)
from ..protocol.frames import WireFrame, frame_of
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .disconnections import Disconnections
from .pairing import Seeker
from .pools import WAVE_SECONDS, Pairing, Pools, Search
from .rating_lookup import RatingLookup

log = structlog.get_logger()

VANISHED_MS = 15_000
"""Whoever has no connection for so long waits no longer; until then a reload or a tunnel costs nothing."""
ANSWERS_REMEMBERED = 10_000
"""Pairings that are told again to whom the news of them was lost on the way."""


class Matches(Protocol):
    """Where matches are made: `server.rooms.rooms.Rooms`."""

    async def open_paired(self, request: PairingRequest, players: Sequence[Player]) -> MatchId:
        """Make a match for those who were paired, by seat. Raises: Refusal."""


class Matchmaker:
    """Everyone who waits for a quick pairing, and what becomes of it."""

    def __init__(
        self,
        rooms: Matches,
        presence: Presence,
        blocks: Blocks,
        rating_lookup: RatingLookup,
        blocks_changed: Callable[[IdentityId], None],
        now_ms: NowMs,
        chance: random.Random,
    ) -> None:
        self._rooms = rooms
        self._presence = presence
        self._blocks = blocks
        self._rating_lookup = rating_lookup
        self._blocks_changed = blocks_changed
        self._now_ms = now_ms
        self._chance = chance
        self._pools = Pools()
        self._disconnections = Disconnections(presence)
        self._told: dict[IdentityId, Searching] = {}
        self._making: dict[IdentityId, asyncio.Future[None]] = {}
        self._paired: OrderedDict[tuple[IdentityId, CommandId], MatchId] = OrderedDict()

    async def handle(self, command: LobbyCommand, player: Player) -> Message:
        """Follow a command and return the answer to it. Raises: Refusal."""
        if player.id in self._making:
            await asyncio.wait([self._making[player.id]])
        match command:
            case FindMatch():
                return self._find(command, player)
            case StopSearch(id=id_):
                return self._stop(player.id, id_)
            case PlayBot(id=id_):
                return await self._play_bot(player.id, id_)
            case Block(id=id_, player=whom):
                await self._blocks.block(player.id, whom, self._now_ms())
                return self._after_block(player.id, whom, id_)
            case Unblock(id=id_, player=whom):
                await self._blocks.unblock(player.id, whom)
                return self._after_block(player.id, whom, id_)
            case GetBlocked(id=id_):
                return self._blocked_by(player.id, id_)

    def knows(self, identity: IdentityId, command: CommandId) -> bool:
        """Return whether a `FindMatch` of this id has come before."""
        search = self._pools.find(identity)
        return (identity, command) in self._paired or (search is not None and search.command == command)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the frames that somebody gets who has just come: what is being waited for."""
        search = self._pools.find(identity)
        return () if search is None else (frame_of(self._searching(search)),)

    async def keep(self) -> None:
        """Hold waves until cancelled."""
        while True:
            await asyncio.sleep(WAVE_SECONDS)
            try:
                await self.wave()
            except Exception:
                # The task's boundary: a wave that fails must not be the last.
                log.exception("a wave failed")

    async def wave(self) -> None:
        """Pair whom it is time to pair, and tell the others how it stands."""
        now_ms = self._now_ms()
        absent = self._look_who_is_gone(now_ms)
        pairings: list[Pairing] = []
        for request in self._pools.requests():
            order = list(self._pools.members(request))
            self._chance.shuffle(order)
            pairings += self._pools.wave(request, absent, order, now_ms)
        await asyncio.gather(*(self._make(pairing) for pairing in pairings))
        self._tell_changes()

    def _find(self, command: FindMatch, player: Player) -> Message:
        match = self._paired.get((player.id, command.id))
        if match is not None:
            return Paired(match, command.id)
        request = command.request
        check_pairing_request(request, player)
        rating = self._rating_lookup.rating_of(player.id, request.game, request.seats, speed_of(request.clock))
        seeker = Seeker(player.id, rating, takes_fewer=command.takes_fewer)
        search = Search(seeker, player, request, command.id, self._now_ms(), self._blocks.of(player.id))
        joined = self._pools.join(search)
        self._tell(joined)
        return self._searching(joined, command.id)

    def withdraw(self, identity: IdentityId) -> None:
        """Have somebody wait no longer."""
        if self._pools.leave(identity):
            self._told.pop(identity, None)
            self._presence.deliver(identity, [frame_of(SearchEnded())])

    def _stop(self, identity: IdentityId, command: CommandId) -> Message:
        self.withdraw(identity)
        return SearchEnded(command)

    async def _play_bot(self, identity: IdentityId, command: CommandId) -> Message:
        match = self._paired.get((identity, command))
        if match is None:
            search = self._pools.find(identity)
            level = self._pools.offered_bot(identity, self._bot_ratings)
            if search is None or level is None:
                raise Refusal(Code.NOT_SEARCHING, "No bot has been offered to you; ask for a quick pairing first.")
            self._pools.leave(identity)
            match = await self._make_with_bots(search, level, command)
        return Paired(match, command)

    async def _make_with_bots(self, search: Search, level: int, command: CommandId) -> MatchId:
        """Make a match of somebody and bots. Raises: Refusal, after which the search goes on."""
        players = [search.player, *[bot_player(level)] * (search.request.seats - 1)]
        self._chance.shuffle(players)
        made = self._begin_making([search])
        try:
            match = await self._rooms.open_paired(search.request, players)
        except Refusal:
            self._pools.put_back(search)
            raise
        finally:
            self._end_making([search], made)
        self._note_paired(search, match, command)
        return match

    async def _make(self, pairing: Pairing) -> None:
        """Make the match of those who were paired, and tell them; if that cannot be, they wait on."""
        made = self._begin_making(pairing.searches)
        try:
            match = await self._rooms.open_paired(pairing.request, [search.player for search in pairing.searches])
        except Refusal as refusal:
            log.warning("pairing put off", error=refusal.message)
            for search in pairing.searches:
                self._pools.put_back(search)
        else:
            for search in pairing.searches:
                self._note_paired(search, match, search.command)
        finally:
            self._end_making(pairing.searches, made)

    def _begin_making(self, searches: Iterable[Search]) -> asyncio.Future[None]:
        """Let further commands of these wait until it is known what became of their pairing."""
        made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for search in searches:
            self._making[search.player.id] = made
        return made

    def _end_making(self, searches: Iterable[Search], made: asyncio.Future[None]) -> None:
        for search in searches:
            del self._making[search.player.id]
        made.set_result(None)

    def _note_paired(self, search: Search, match: MatchId, command: CommandId) -> None:
        identity = search.player.id
        for id_ in {command, search.command}:
            self._paired[identity, id_] = match
        while len(self._paired) > ANSWERS_REMEMBERED:
            self._paired.popitem(last=False)
        self._told.pop(identity, None)
        self._presence.deliver(identity, [frame_of(Paired(match))])

    def _look_who_is_gone(self, now_ms: int) -> frozenset[IdentityId]:
        """Return who has no connection just now; those who have had none for long wait no longer."""
        gone = self._disconnections.look((search.player.id for search in self._pools.everyone), now_ms)
        for identity in self._disconnections.gone_for(VANISHED_MS, now_ms):
            self._pools.leave(identity)
            self._told.pop(identity, None)
        return gone

    def _after_block(self, by: IdentityId, whom: IdentityId, command: CommandId) -> Blocked:
        search = self._pools.find(by)
        if search is not None:
            self._pools.join(replace(search, blocked=self._blocks.of(by)))
        for identity in (by, whom):
            self._blocks_changed(identity)
        return self._blocked_by(by, command)

    def _blocked_by(self, by: IdentityId, command: CommandId) -> Blocked:
        return Blocked(command, tuple(sorted(self._blocks.of(by))))

    def _bot_ratings(self, request: PairingRequest) -> tuple[int, ...]:
        """Return what the bots are rated in a kind of match, by level."""
        speed = speed_of(request.clock)
        bots = (bot_player(level) for level in LEVELS)
        return tuple(self._rating_lookup.rating_of(bot.id, request.game, request.seats, speed) for bot in bots)

    def _searching(self, search: Search, command: CommandId | None = None) -> Searching:
        bot_level = self._pools.offered_bot(search.player.id, self._bot_ratings)
        waiting = self._pools.waiting(search.request)
        return Searching(search.request, search.seeker.takes_fewer, waiting, search.since_ms, bot_level, command)

    def _tell_changes(self) -> None:
        """Tell everyone for whom something of the waiting has changed; with each wave, not with each who comes."""
        for search in self._pools.everyone:
            self._tell(search)

    def _tell(self, search: Search) -> None:
        searching = self._searching(search)
        if self._told.get(search.player.id) != searching:
            self._told[search.player.id] = searching
            self._presence.deliver(search.player.id, [frame_of(searching)])
