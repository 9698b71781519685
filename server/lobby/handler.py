"""The desk for meeting people: what a session asks of the matchmaker and of the seeks goes through here."""

import random
from collections.abc import Coroutine
from typing import get_args

from ..accounts.rate_limits import SlidingWindow
from ..bus.bus import Bus
from ..identity.caller import Caller
from ..identity.find_player import FindPlayer
from ..identity.presence import PlayerSession, Presence
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
    MeetingCommand,
    OnlineBot,
    Player,
    Seek,
    TakeChallenges,
)
from ..protocol.frames import WireFrame
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .matchmaker import Matchmaker
from .online_bots import Roster
from .rating_lookup import Strengths
from .seeks import SeekBoard


class MeetingDesk:
    """Quick pairings, seeks, challenges, bots that take them, and blocks."""

    commands = (*get_args(MeetingCommand), TakeChallenges)

    def __init__(
        self,
        rooms: Rooms,
        presence: Presence,
        blocks: Blocks,
        strengths: Strengths,
        find_player: FindPlayer,
        bus: Bus,
        now_ms: NowMs,
        guest_joins: int,
    ) -> None:
        self._now_ms = now_ms
        self._joins = SlidingWindow(guest_joins, DAY_MS)
        self._blocks = blocks
        self._roster = Roster(rooms, bus)
        self._board = SeekBoard(rooms, presence, self._blocks, strengths, self._roster, find_player, bus, now_ms)
        chance = random.SystemRandom()
        self._matchmaker = Matchmaker(rooms, presence, self._blocks, strengths, self._board.retell, now_ms, chance)

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        await self._blocks.load()

    def keepers(self) -> tuple[Coroutine[None, None, None], ...]:
        """Return what is to run beside as long as the server does."""
        return self._matchmaker.keep(), self._board.keep()

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the frames that somebody gets who has just come."""
        return (*self._matchmaker.greet(identity), *self._board.greet(identity))

    def seeks_for(self, reader: Player) -> tuple[Seek, ...]:
        """Return the seeks that somebody may see."""
        return self._board.seeks_for(reader)

    def online_bots(self) -> tuple[OnlineBot, ...]:
        """Return the bots that take challenges."""
        return self._roster.online()

    def leave(self, caller: PlayerSession) -> None:
        """Note that a connection is over."""
        self._roster.leave(caller)

    async def open(self, command: Create, player: Player) -> Accepted:
        """Make a match, within what one may have of them. Raises: Refusal."""
        return await self._board.open(command, player)

    def admit(self, command: Join, player: Player, address: str) -> None:
        """Refuse a seat to whom it is not open, and a guest who has joined too often. Raises: Refusal."""
        self._board.admit(command.match, player)
        self._count_join(player, address)

    async def withdraw(self, player: Player) -> None:
        """Have somebody look for nobody any more, and decline what waits for an answer. Raises: Refusal."""
        self._matchmaker.withdraw(player.id)
        await self._board.decline_all(player)

    async def forget(self, identity: IdentityId, _nobody: Player) -> None:
        """Forget what is kept of somebody whose account is deleted. Raises: Refusal."""
        await self._blocks.forget(identity)

    async def handle(self, command: MeetingCommand | TakeChallenges, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        player = caller.authentication.player
        if isinstance(command, TakeChallenges):
            self._roster.declare(caller, player, command.rules)
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
        if not self._joins.try_add(address, now_ms):
            words = "Guests at your address have joined too many matches today; with an account you can go on."
            raise Refusal(Code.TOO_MANY, words)
