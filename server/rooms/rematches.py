"""The rematch of one match: starts when all who take part have agreed, and does not wait long for absent players.

What an answer to the offer means is decided in `server.matches.rematch`.
"""

import asyncio
from collections.abc import Awaitable, Callable

from millrace.protocol import MatchId, RematchDeclined, RematchStarted

from ..matches.match import Match
from ..matches.referee import Decision
from ..matches.rematch import is_rematch_agreed, rematch_waits_for
from .background_tasks import ApplyDecision, BackgroundTasks
from .event_log import EventLog
from .match_presence import MatchPresence

ABSENCE_SECONDS = 15
"""How long to wait for the answer of an absent player, who then sits out."""

OpenRematch = Callable[[Match], Awaitable[MatchId]]
"""Creates the next match once; repeated calls return the same match."""


class Rematches:
    """The rematch of one match."""

    def __init__(
        self,
        log: EventLog,
        presence: MatchPresence,
        tasks: BackgroundTasks,
        apply: ApplyDecision,
        open_rematch: OpenRematch,
    ) -> None:
        self._log = log
        self._presence = presence
        self._tasks = tasks
        self._apply = apply
        self._open_rematch = open_rematch
        self._timer: asyncio.TimerHandle | None = None

    def update(self) -> None:
        """Start the rematch if it is agreed; otherwise wait at most some seconds for absent players to answer."""
        match = self._log.match
        if not match.rematch_offers:
            return
        if is_rematch_agreed(match):
            self._tasks.begin(self._start)
        elif self._timer is None and self._absent_seats():
            self._timer = self._tasks.begin_later(ABSENCE_SECONDS, self._sit_absent_out)

    def close(self) -> None:
        """Stop waiting."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _absent_seats(self) -> list[int]:
        """Return the seats that have not answered and whose players are absent."""
        match, is_present = self._log.match, self._presence.is_present
        return [seat for seat in sorted(rematch_waits_for(match)) if not is_present(match.holder_of(seat))]

    async def _sit_absent_out(self) -> None:
        self._timer = None
        await self._apply(lambda _match, _now_ms: Decision([RematchDeclined(seat) for seat in self._absent_seats()]))
        self.update()

    async def _start(self) -> None:
        successor = await self._open_rematch(self._log.match)
        await self._apply(
            lambda match, _now_ms: Decision([RematchStarted(successor)] if is_rematch_agreed(match) else [])
        )
