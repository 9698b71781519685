"""The handler of vacations: going on vacation and coming back, and the clocks that stand still meanwhile.

Every node reads who is on vacation and looks after the matches that it owns, at once after a change and every few
seconds, so that nothing stays undone after a crash.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress

import structlog

from millrace.protocol import Code, CommandId, GetVacation, IdentityId, Scope, SetVacation, Vacation
from millrace.protocol.refusal import Refusal

from ...callers.answers import Answers, Memory, require_first
from ...callers.caller import Caller, account_of
from ...callers.feature import Feature, Route
from ...callers.limit import DAY_MS, Limit
from ...callers.limits import Limits
from ...cluster.bus import Bus
from ...cluster.events import SharedEvent
from ...journal.unavailable import refusing_failures
from ...matches.match import Match
from ...matches.referee import Decision
from ...matches.vacations import vacation_event
from ...rooms.automation import apply
from ...rooms.rooms import Rooms
from ...runtime.slices import in_slices
from ...runtime.system_clock import NowMs
from ...storage.errors import StorageError
from .vacation_rules import Vacation as Taken
from .vacation_rules import left_days, take, until_ms_of
from .vacation_store import VacationStore

log = structlog.get_logger()

VACATIONS_SET = Limit(
    name="vacations_set",
    counts="vacations begun, changed or ended",
    refusal="You have changed your vacation often today.",
    code=Code.RATE_LIMITED,
    window_ms=DAY_MS,
    account=20,
    address=400,
)
LOOK_SECONDS = 5.0
"""Maximum time between two looks at the matches: less than the grace period after a restart, so that no flag falls in a
vacation."""


class VacationTaken(SharedEvent, frozen=True):
    """A player has gone on vacation, or come back."""

    identity: IdentityId


class VacationHandler(Feature):
    """Answers players about their vacations, and keeps the clocks of those on vacation from running."""

    def __init__(
        self, store: VacationStore, rooms: Rooms, answers: Answers, limits: Limits, bus: Bus, now_ms: NowMs
    ) -> None:
        self._store = store
        self._limits = limits
        self._rooms = rooms
        self._bus = bus
        self._now_ms = now_ms
        self._until_ms: dict[IdentityId, int] = {}
        """When the vacations end of those who are away."""
        self._is_due = asyncio.Event()
        bus.subscribe_elsewhere(VacationTaken, lambda _: self._is_due.set())
        self.routes = (
            Route(GetVacation, self.get, Scope.READ),
            Route(SetVacation, answers.once(self.set), Scope.PLAY),
        )

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return what looks after the matches."""
        return (self._look_after_matches(),)

    async def get(self, command: GetVacation, caller: Caller) -> Vacation:
        """Answer with the caller's vacation. Raises: Refusal."""
        identity, now_ms = account_of(caller).id, self._now_ms()
        with refusing_failures("vacations not read", "look this up"):
            taken = await self._store.of(identity)
        return _answer(command.id, taken, now_ms)

    async def set(self, command: SetVacation, caller: Caller, memory: Memory) -> Vacation:
        """Let the caller go on vacation, or come back. Raises: Refusal."""
        identity, now_ms = account_of(caller).id, self._now_ms()
        self._limits.use(VACATIONS_SET, caller)
        with refusing_failures("vacation not stored"):
            before = await self._store.of(identity)
            vacation = take(before, command.days, now_ms)
            answer = _answer(command.id, (*before, vacation), now_ms)
            require_first(await self._store.add(identity, len(before) + 1, vacation, memory.step(answer)))
        self._bus.publish(VacationTaken(identity))
        self._is_due.set()
        return answer

    async def _look_after_matches(self) -> None:
        """Let the clocks of those on vacation stand still, and those of who is back run again, until cancelled."""
        read = None
        while True:
            self._is_due.clear()
            try:
                await self._rooms.wait_until_loaded()
                change = self._store.last_change()
                if change is None or change != read:
                    # The latest of each player counts.
                    rows = await self._store.ending_after(self._now_ms())
                    self._until_ms = {each.identity: each.until_ms for each in rows}
                    read = change
                await self._look()
            except StorageError as error:
                log.warning("vacations not read", error=str(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._is_due.wait()

    async def _look(self) -> None:
        async for room in in_slices(tuple(self._rooms.loaded.values())):
            if room.is_owned and self._decide(room.match, self._now_ms()).events:
                try:
                    await apply(room, self._decide)
                except (Refusal, StorageError) as error:
                    log.warning("clock not stopped for a vacation yet", match=room.id, error=str(error))

    def _decide(self, match: Match, now_ms: int) -> Decision:
        event = vacation_event(match, lambda identity: self._until_ms.get(identity, 0), now_ms)
        return Decision([] if event is None else [event])


def _answer(command: CommandId, taken: Sequence[Taken], now_ms: int) -> Vacation:
    until_ms = until_ms_of(taken, now_ms)
    current = -(min(0, now_ms - until_ms) // DAY_MS)
    return Vacation(command, until_ms or None, max(0, left_days(taken, now_ms) - current))
