"""The rematch of one match: it begins when all who take part have asked for it, and nobody waits for one who has gone.

What an answer to the offer means is in `server.matches.rematch`.
"""

import asyncio
from collections.abc import Awaitable, Callable

from ..matches.match import Match
from ..matches.rematch import is_rematch_agreed, rematch_waits_for
from ..protocol import MatchId, RematchDeclined, RematchStarted
from .background_tasks import Errands, Happen
from .presence import Attendance

ABSENCE_SECONDS = 15
"""Who has gone away and does not answer the offer of a rematch for so long takes no part in it."""

OpenRematch = Callable[[Match], Awaitable[MatchId]]
"""Make the match that follows, once; asked again it answers the same."""


class Rematches:
    """Sees to the rematch of one match."""

    def __init__(
        self,
        match: Callable[[], Match],
        attendance: Attendance,
        errands: Errands,
        happen: Happen,
        open_rematch: OpenRematch,
    ) -> None:
        self._match = match
        self._attendance = attendance
        self._errands = errands
        self._happen = happen
        self._open_rematch = open_rematch
        self._timer: asyncio.TimerHandle | None = None

    def see_to(self) -> None:
        """Begin the rematch if it is agreed; else see to it that nobody waits for the answer of one who has gone."""
        match = self._match()
        if not match.rematch_offers:
            return
        if is_rematch_agreed(match):
            self._errands.begin(self._start)
        elif self._timer is None and self._absent_takers():
            self._timer = self._errands.begin_later(ABSENCE_SECONDS, self._sit_absent_out)

    def close(self) -> None:
        """Wait for nobody any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _absent_takers(self) -> list[int]:
        """Return the seats whose answer is waited for though their players are not here."""
        players = self._match().players
        waited_for = sorted(rematch_waits_for(self._match()))
        is_there = self._attendance.is_there
        return [seat for seat in waited_for if (player := players[seat]) is not None and not is_there(player.id)]

    async def _sit_absent_out(self) -> None:
        self._timer = None
        await self._happen(lambda _match, _now_ms: [RematchDeclined(seat) for seat in self._absent_takers()])
        self.see_to()

    async def _start(self) -> None:
        successor = await self._open_rematch(self._match())
        await self._happen(lambda match, _: [RematchStarted(successor)] if is_rematch_agreed(match) else [])
