"""The lists of who is online and of those whom somebody follows, told to whoever reads them, thinned."""

import asyncio
from collections.abc import Iterable, Sequence

from ..identity.presence import PlayerSession
from ..protocol import FollowedPlayers, IdentityId, OnlinePlayers, PlayerStatus
from ..protocol.frames import WireFrame, frame_of
from .directory import PlayerDirectory
from .store import PlayerWithProfile, ProfileStore

INTERVAL_SECONDS = 2.0
"""The lists are told at most so often."""
SHOWN_PEOPLE = 200
SHOWN_BOTS = 100


class PlayerLists:
    """Who reads the lists."""

    def __init__(self, store: ProfileStore, directory: PlayerDirectory) -> None:
        self._store = store
        self._directory = directory
        self._followed: dict[PlayerSession, Sequence[PlayerWithProfile]] = {}
        """Whom each reader follows."""
        self._told: dict[PlayerSession, tuple[WireFrame, ...]] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def watch(self, reader: PlayerSession) -> None:
        """Tell a reader the lists, now and whenever they change. Raises: StorageError."""
        self._followed[reader] = await self._store.followed(reader.identity)
        frames = self._told[reader] = (self._online_frame(), self._followed_frame(reader))
        reader.deliver(frames)

    def unwatch(self, reader: PlayerSession) -> None:
        """Tell a reader the lists no longer."""
        self._followed.pop(reader, None)
        self._told.pop(reader, None)

    async def follows_changed(self, identity: IdentityId) -> None:
        """Tell somebody, who reads them, the lists by whom they follow now. Raises: StorageError."""
        readers = [reader for reader in self._told if reader.identity == identity]
        followed = await self._store.followed(identity) if readers else ()
        for reader in readers:
            if reader in self._told:
                self._followed[reader] = followed
                self._tell_one(reader, (self._online_frame(), self._followed_frame(reader)))

    def changed(self) -> None:
        """Take note that somebody has come or gone, or begun or ended a match."""
        if self._told and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._tell)

    def close(self) -> None:
        """Tell nobody anything more."""
        self._told.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _tell(self) -> None:
        self._timer = None
        online = self._online_frame()
        for reader in tuple(self._told):
            self._tell_one(reader, (online, self._followed_frame(reader)))

    def _tell_one(self, reader: PlayerSession, frames: tuple[WireFrame, ...]) -> None:
        """Tell a reader those of the lists that are other than they were."""
        told = self._told[reader]
        self._told[reader] = frames
        reader.deliver([frame for frame in frames if frame not in told])

    def _online_frame(self) -> WireFrame:
        online = tuple(self._directory.online())
        people = [player for player in online if player.registered and not player.bot]
        bots = [player for player in online if player.bot]
        guests = sum(not player.registered for player in online)
        lines = [
            tuple(
                self._directory.of(player) for player in sorted(players, key=lambda each: each.name.casefold())[:most]
            )
            for players, most in ((people, SHOWN_PEOPLE), (bots, SHOWN_BOTS))
        ]
        return frame_of(OnlinePlayers(lines[0], lines[1], len(people), guests))

    def _followed_frame(self, reader: PlayerSession) -> WireFrame:
        statuses = (self._directory.of_known(known) for known in self._followed[reader])
        return frame_of(FollowedPlayers(in_order(statuses)))


def in_order(statuses: Iterable[PlayerStatus]) -> tuple[PlayerStatus, ...]:
    """Return people as they are listed: who plays first, then who is online, else as they were."""
    return tuple(sorted(statuses, key=lambda status: (status.match is None, not status.online)))
