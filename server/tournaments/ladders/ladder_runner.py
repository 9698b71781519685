"""What happens by itself on ladders: results count, and players without an account leave.

The node that owns a match counts its result. The node with the lease counts the results that were missed. Each change
is numbered, so of two nodes that count a result only one does.
"""

import asyncio
from collections.abc import Callable

import structlog

from millrace.protocol import IdentityId, TournamentId
from millrace.protocol.refusal import Refusal

from ...callers.restrictions import Restrictions
from ...cluster.bus import Bus
from ...cluster.events import MatchChanged
from ...cluster.membership import Membership
from ...matches.match import Match, Phase
from ...rooms.rooms import Rooms
from ...storage.errors import StorageError
from ..tournament_store import TournamentStore
from .ladder import Ladder, decide_departures, decide_settlement
from .ladders import Ladders

log = structlog.get_logger()

LOOK_SECONDS = 15.0
"""Time between two looks for results that were not noticed, and for accounts that are banned or deleted."""
LEASE = "ladders"


class LadderRunner:
    """Counts results on the ladders of the server."""

    def __init__(
        self,
        ladders: Ladders,
        store: TournamentStore,
        rooms: Rooms,
        restrictions: Restrictions,
        bus: Bus,
        membership: Membership,
    ) -> None:
        """`store` is asked which matches have ended."""
        self._ladders, self._store, self._rooms = ladders, store, rooms
        self._restrictions, self._membership = restrictions, membership
        self._lease = membership.lease(LEASE)
        self._counting: set[asyncio.Task[None]] = set()
        bus.subscribe(MatchChanged, self._match_changed)

    async def run(self) -> None:
        """Look after the ladders, while this node holds the lease, until cancelled."""
        while True:
            if self._lease.fence is not None:
                for ladder in self._ladders.loaded:
                    try:
                        await self._look_after(await self._ladders.read(ladder))
                    except (Refusal, StorageError) as error:
                        log.warning("ladder not looked after", ladder=ladder, error=str(error))
            await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Finish counting results."""
        await asyncio.gather(*self._counting, return_exceptions=True)

    async def _look_after(self, ladder: Ladder) -> None:
        """Raises: Refusal, StorageError."""
        ends = await self._store.ends_of(tuple(ladder.challenges))
        for match, ended_ms in ends.items():
            if ended_ms is not None:
                await self._count((await self._rooms.find(match)).match, ladder.id)
        if any(map(self._has_left(ladder), ladder.places)):
            await self._ladders.change(ladder.id, lambda now, _: decide_departures(now, self._has_left(now)))

    def _has_left(self, ladder: Ladder) -> Callable[[IdentityId], bool]:
        has_account, ban_of = self._ladders.has_account, self._restrictions.ban_of
        return lambda each: ban_of(each) is not None or not has_account(each, bot=ladder.bots)

    def _match_changed(self, event: MatchChanged) -> None:
        """Count the result of a match that has ended, if this node owns it."""
        match = self._rooms.peek(event.match)
        if match is None or match.phase is not Phase.OVER or match.created.tournament is None:
            return
        ladder = self._ladders.loaded.get(match.created.tournament)
        if ladder is not None and match.id in ladder.challenges and self._membership.owns(match.id):
            task = asyncio.create_task(self._count_ended(match, ladder.id))
            self._counting.add(task)
            task.add_done_callback(self._counting.discard)

    async def _count_ended(self, match: Match, ladder: TournamentId) -> None:
        try:
            await self._count(match, ladder)
        except Refusal as refusal:
            log.warning("result not counted yet", match=match.id, error=refusal.message)

    async def _count(self, match: Match, ladder: TournamentId) -> None:
        """Count the result of a match that has ended, unless that has been done. Raises: Refusal."""
        await self._ladders.change(ladder, lambda now, _: decide_settlement(now, match))
