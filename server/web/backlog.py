"""The backlog: answers to requests, and what addresses that send much have sent, for at most half of the loop's time.

Beyond that, addresses take turns. However many they are, the event loop passes within milliseconds, and the messages of
others are handled at once.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import NamedTuple

from ..runtime.slices import SLICE_SECONDS

STEP_SECONDS = SLICE_SECONDS / 2
"""What a step of an answer is expected to take."""


class Backlog:
    """The backlog of one server."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()
        """Of each address, what is to be called; the address whose turn is next comes first."""
        self._is_scheduled = False
        self._rests_until = 0.0
        """When it may take time of the event loop again, by `perf_counter`."""
        self._granted_seconds = 0.0
        """What the steps that were allowed in the present slice are expected to take."""

    @property
    def is_resting(self) -> bool:
        """Whether it has used its share of the event loop's time for now."""
        return self._rests_until > perf_counter()

    def add(self, address: str, handle: Callable[[], None]) -> None:
        """Have a short function called, when it is the address's turn."""
        self._waiting.setdefault(address, deque()).append(handle)
        self._schedule()

    def charge(self, seconds: float) -> None:
        """Count further time that the event loop has spent for these addresses."""
        self._rests_until = max(self._rests_until, perf_counter()) + seconds

    async def turn(self, address: str) -> None:
        """Return when a step may run for an address."""
        if self.is_resting:
            granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.add(address, partial(self._grant, granted))
            await granted

    def _grant(self, granted: asyncio.Future[None]) -> None:
        if not granted.done():
            granted.set_result(None)
            self._granted_seconds += STEP_SECONDS

    def _schedule(self) -> None:
        if not self._is_scheduled and self._waiting:
            self._is_scheduled = True
            wait_seconds = max(0.0, self._rests_until - perf_counter())
            asyncio.get_running_loop().call_later(wait_seconds, self._handle_some)

    def _handle_some(self) -> None:
        self._is_scheduled = False
        began, self._granted_seconds = perf_counter(), 0.0
        try:
            # It may be resting again, since the steps of answers took time after this was scheduled.
            while self._waiting and not self.is_resting and not self._is_over(began):
                self._next()()
        finally:
            self.charge(perf_counter() - began)
            self._schedule()

    def _is_over(self, began: float) -> bool:
        """Return whether a slice that began at some time is used up."""
        return perf_counter() - began + self._granted_seconds >= SLICE_SECONDS

    def _next(self) -> Callable[[], None]:
        address, calls = self._waiting.popitem(last=False)
        call = calls.popleft()
        if calls:
            self._waiting[address] = calls  # behind the others
        return call


class Share(NamedTuple):
    """The time that the steps of one answer may take, with the others of its address."""

    backlog: Backlog
    address: str

    async def turn(self) -> None:
        """Return when the next step may run: at once, unless too much time was used."""
        await self.backlog.turn(self.address)

    def charge(self, seconds: float) -> None:
        """Count the time of a step."""
        self.backlog.charge(seconds)
