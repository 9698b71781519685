"""The desk for meeting people: what a session asks of the matchmaker and of the seeks goes through here."""

import random
from collections.abc import Coroutine
from typing import get_args

from ..accounts.rate_limits import SlidingWindow
from ..bus.bus import Bus
from ..identity.caller import Caller
from ..identity.find_player import FindPlayer
from ..identity.presence import Presence, PlayerSession
from ..matches.clock import DAY_MS
from ..profiles.blocks import Blocks
from ..protocol import (
    Accepted,
    Code,
    Create,
    Done,
    FindMatch,
    IdentityId,
    Join,
    LobbyCommand,
    OnlineBot,
    Player,
    Seek,
    SetChallengeRules,
)
from ..protocol.frames import WireFrame
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .matchmaker import Matchmaker
from .online_bots import OnlineBotList
from .rating_lookup import RatingLookup
from .seeks import SeekList


class LobbyHandler:
    """Quick pairings, seeks, challenges, bots that take them, and blocks."""

    commands = (*get_args(LobbyCommand), SetChallengeRules)

    def __init__(
        self,
        rooms: Rooms,
        presence: Presence,
        blocks: Blocks,
        rating_lookup: RatingLookup,
        find_player: FindPlayer,
        bus: Bus,
        now_ms: NowMs,
        guest_joins: int,
    ) -> None:
        self._now_ms = now_ms
        self._joins = SlidingWindow(guest_joins, DAY_MS)
        self._blocks = blocks
        self._bots = OnlineBotList(rooms, bus)
        self._seeks = SeekList(rooms, presence, self._blocks, rating_lookup, self._bots, find_player, bus, now_ms)
        chance = random.SystemRandom()
        self._matchmaker = Matchmaker(rooms, presence, self._blocks, rating_lookup, self._seeks.retell, now_ms, chance)

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        await self._blocks.load()

    def keepers(self) -> tuple[Coroutine[None, None, None], ...]:
        """Return what is to run beside as long as the server does."""
        return self._matchmaker.keep(), self._seeks.keep()

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the frames that somebody gets who has just come."""
        return (*self._matchmaker.greet(identity), *self._seeks.greet(identity))

    def seeks_for(self, reader: Player) -> tuple[Seek, ...]:
        """Return the seeks that somebody may see."""
        return self._seeks.seeks_for(reader)

    def online_bots(self) -> tuple[OnlineBot, ...]:
        """Return the bots that take challenges."""
        return self._bots.online()

    def leave(self, caller: PlayerSession) -> None:
        """Note that a connection is over."""
        self._bots.leave(caller)

    async def open(self, command: Create, player: Player) -> Accepted:
        """Make a match, within what one may have of them. Raises: Refusal."""
        return await self._seeks.open(command, player)

    def admit(self, command: Join, player: Player, address: str) -> None:
        """Refuse a seat to whom it is not open, and a guest who has joined too often. Raises: Refusal."""
        self._seeks.admit(command.match, player)
        self._count_join(player, address)

    async def withdraw(self, player: Player) -> None:
        """Have somebody look for nobody any more, and decline what waits for an answer. Raises: Refusal."""
        self._matchmaker.withdraw(player.id)
        await self._seeks.decline_all(player)

    async def forget(self, identity: IdentityId, _nobody: Player) -> None:
        """Forget what is kept of somebody whose account is deleted. Raises: Refusal."""
        await self._blocks.forget(identity)

    async def handle(self, command: LobbyCommand | SetChallengeRules, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        player = caller.authentication.player
        if isinstance(command, SetChallengeRules):
            self._bots.declare(caller, player, command.rules)
            caller.send(Done(command.id))
            return
        if isinstance(command, FindMatch) and player.bot:
            raise Refusal(Code.NOT_FOR_BOTS, "Quick pairing is for people; a bot waits to be challenged.")
        if isinstance(command, FindMatch) and not self._matchmaker.knows(player.id, command.id):
            self._count_join(player, caller.connection_info.address)
        caller.send(await self._matchmaker.handle(command, player))

    def _count_join(self, player: Player, address: str) -> None:
        if player.registered:
            return
        now_ms = self._now_ms()
        if not self._joins.has_room(address, now_ms):
            words = "Guests at your address have joined too many matches today; with an account you can go on."
            raise Refusal(Code.TOO_MANY, words)
        self._joins.add(address, now_ms)
