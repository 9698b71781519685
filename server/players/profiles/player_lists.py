"""The lists of online players and of followed players, sent at intervals to connections that watch them."""

import asyncio
from collections.abc import Iterable, Sequence

from millrace.protocol import FollowedPlayers, IdentityId, OnlinePlayers, Player, PlayerStatus
from millrace.protocol.frames import WireFrame, frame_of

from ...callers.presence import PlayerSession
from ...cluster.bus import Bus
from ...cluster.bus_events import BusRestored
from ...cluster.events import BlocksChanged, PlayingChanged, PresenceChanged
from ...journal.rereading import Rereading
from .directory import CountryChanged, PlayerDirectory, VisibilityChanged
from .follows import FollowsChanged
from .profile_store import PlayerWithProfile, ProfileStore

INTERVAL_SECONDS = 2.0
"""Minimum interval between two versions of the lists."""
SHOWN_PLAYERS = 200
SHOWN_BOTS = 100


class PlayerLists:
    """The connections that watch the lists, and the lists last sent to each."""

    def __init__(self, store: ProfileStore, directory: PlayerDirectory, bus: Bus) -> None:
        self._store = store
        self._directory = directory
        self._followed: dict[PlayerSession, Sequence[PlayerWithProfile]] = {}
        self._sent: dict[PlayerSession, tuple[WireFrame, ...]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._stale: Rereading[IdentityId] = Rereading(self.follows_changed)
        for kind in (PresenceChanged, PlayingChanged, CountryChanged, VisibilityChanged):
            bus.subscribe(kind, lambda _: self.changed())
        bus.subscribe(BlocksChanged, lambda event: self._stale.ask([event.identity, event.other]))
        bus.subscribe_elsewhere(FollowsChanged, lambda event: self._stale.ask([event.by]))
        bus.subscribe(BusRestored, lambda _: self._stale.ask([watcher.identity for watcher in self._sent]))

    async def run(self) -> None:
        """Send the followed players when they change other than by the player's own command here."""
        await self._stale.run()

    async def watch(self, watcher: PlayerSession) -> None:
        """Send a connection the lists, now and after each change. Raises: StorageError."""
        self._followed[watcher] = await self._store.followed(watcher.identity)
        frames = self._sent[watcher] = (self._online_frame(), self._followed_frame(watcher))
        watcher.deliver(frames)

    def unwatch(self, watcher: PlayerSession) -> None:
        """Stop sending the lists to a connection."""
        self._followed.pop(watcher, None)
        self._sent.pop(watcher, None)

    async def follows_changed(self, identity: IdentityId) -> None:
        """Send a watching player their followed players. Raises: StorageError."""
        watchers = [watcher for watcher in self._sent if watcher.identity == identity]
        followed = await self._store.followed(identity) if watchers else ()
        for watcher in watchers:
            if watcher in self._sent:
                self._followed[watcher] = followed
                self._send_to(watcher, (self._online_frame(), self._followed_frame(watcher)))

    def changed(self) -> None:
        """Send the lists soon, since a player's status has changed."""
        if self._sent and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._send)

    def close(self) -> None:
        """Stop sending."""
        self._sent.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _send(self) -> None:
        self._timer = None
        online = self._online_frame()
        for watcher in tuple(self._sent):
            self._send_to(watcher, (online, self._followed_frame(watcher)))

    def _send_to(self, watcher: PlayerSession, frames: tuple[WireFrame, ...]) -> None:
        """Send a connection the lists that have changed since the last time."""
        sent = self._sent[watcher]
        self._sent[watcher] = frames
        watcher.deliver([frame for frame in frames if frame not in sent])

    def _online_frame(self) -> WireFrame:
        online = tuple(self._directory.online())
        players = [player for player in online if player.registered and not player.bot]
        bots = [player for player in online if player.bot]
        guests = sum(not player.registered for player in online)
        shown = self._statuses(players, SHOWN_PLAYERS), self._statuses(bots, SHOWN_BOTS)
        return frame_of(OnlinePlayers(*shown, len(players), guests))

    def _statuses(self, players: Iterable[Player], most: int) -> tuple[PlayerStatus, ...]:
        by_name = sorted(players, key=lambda player: player.name.casefold())
        return tuple(self._directory.status_of(player) for player in by_name[:most])

    def _followed_frame(self, watcher: PlayerSession) -> WireFrame:
        statuses = (self._directory.status_with_last_seen(found) for found in self._followed[watcher])
        return frame_of(FollowedPlayers(in_order(statuses)))


def in_order(statuses: Iterable[PlayerStatus]) -> tuple[PlayerStatus, ...]:
    """Return players in list order: first those who are playing, then those who are online; otherwise unchanged."""
    return tuple(sorted(statuses, key=lambda status: (status.match is None, not status.online)))
