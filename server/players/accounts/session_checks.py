"""Checks open sessions again: hourly, since they expire, and when this node may have missed news from other nodes.

Such news are signing out, a new password, and a deletion. The bus carries the end of a session to other nodes. While it
is interrupted, and once more when it is restored, each node checks in the database that its sessions' credentials still
exist. Bans need no check here: every node follows the moderation log.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import NamedTuple

import structlog

from millrace.protocol import Code, Player

from ...callers.feature import Feature
from ...callers.presence import Credential, PlayerSession, Presence
from ...cluster.bus import Bus
from ...cluster.bus_events import BusInterrupted, BusRestored
from ...runtime.system_clock import NowMs
from ...storage.errors import StorageError
from .account_store import AccountStore

log = structlog.get_logger()

EXPIRY_SECONDS = 3_600.0
"""Time between two checks while nothing has happened."""
INTERVAL_SECONDS = 10.0
"""Time between two checks while the bus is interrupted."""
RETRY_SECONDS = 1.0
"""Time before the next check after the database failed."""
PAGE_SESSIONS = 500
"""Maximum number of sessions looked up at a time; in between, the event loop does other work."""
REGISTERING_SECONDS = 5.0
"""Time allowed for a guest session to become the new account's session."""

_ENDED = "Your session has ended; please sign in again."
_REGISTERED = "This guest has created an account; please sign in."


class _Looked(NamedTuple):
    """A session at the time when its page was looked up."""

    session: PlayerSession
    player: Player
    credential: Credential | None


class SessionChecks(Feature):
    """Ends the sessions on this node whose credential or account is gone."""

    def __init__(self, store: AccountStore, presence: Presence, bus: Bus, now_ms: NowMs) -> None:
        self._store = store
        self._presence = presence
        self._bus = bus
        self._now_ms = now_ms
        self._is_due = asyncio.Event()
        if not bus.is_alone:
            bus.subscribe(BusRestored, lambda _: self._is_due.set())
            bus.subscribe(BusInterrupted, lambda _: self._is_due.set())

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Run the checks when due."""
        return (self._run(),)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EXPIRY_SECONDS if self._bus.is_connected else INTERVAL_SECONDS):
                    await self._is_due.wait()
            self._is_due.clear()
            try:
                await self.check()
            except StorageError as error:
                log.warning("sessions not checked", error=str(error))
                self._is_due.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def check(self) -> None:
        """End this node's sessions that are over, and update the players of others. Raises: StorageError."""
        sessions = self._presence.sessions_here
        registered: list[PlayerSession] = []
        for start in range(0, len(sessions), PAGE_SESSIONS):
            page = [_Looked(each, each.player, each.credential) for each in sessions[start : start + PAGE_SESSIONS]]
            await self._check_signed_in([each for each in page if each.credential is not None])
            registered += await self._check_others([each for each in page if each.credential is None])
        if registered:
            await asyncio.sleep(REGISTERING_SECONDS)
            for session in registered:
                if not session.player.registered:
                    session.disconnect(Code.GUEST_REGISTERED, _REGISTERED)

    async def _check_signed_in(self, page: Sequence[_Looked]) -> None:
        """Check sessions authenticated by a credential. Raises: StorageError."""
        if not page:
            return
        credentials = {each.credential for each in page if each.credential is not None}
        players = await self._store.owners_of(tuple(credentials), self._now_ms())
        for each in page:
            if each.session.credential == each.credential:
                self._compare(each, players.get(each.credential) if each.credential is not None else None)

    async def _check_others(self, page: Sequence[_Looked]) -> Sequence[PlayerSession]:
        """Check sessions without a credential; return sessions of guests who have an account. Raises: StorageError.

        A browser that has just created its account has no credential either until it reconnects.
        """
        if not page:
            return ()
        players = await self._store.players_of(tuple({each.player.id for each in page}))
        for each in page:
            if each.player.registered:
                self._compare(each, players.get(each.player.id))
        return [each.session for each in page if not each.player.registered and each.player.id in players]

    def _compare(self, looked: _Looked, stored: Player | None) -> None:
        """End a session whose account is gone; update the player of a session whose account has changed."""
        if stored is None:
            looked.session.disconnect(Code.SIGNED_OUT, _ENDED)
        elif stored != looked.player == looked.session.player:
            self._presence.update_player_here(stored)
