"""The backlog: what addresses that send much have sent, handled in turn, for at most half of the event loop's time.

However many they are, the loop passes within milliseconds, and what others send is handled at once.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from time import perf_counter

from ..runtime.slices import SLICE_SECONDS


class Backlog:
    """The backlog of one server."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()
        """Of each address, what is to be called; the address whose turn is next comes first."""
        self._is_scheduled = False
        self._rests_until = 0.0
        """When it may take time of the event loop again, by `perf_counter`."""

    def add(self, address: str, handle: Callable[[], None]) -> None:
        """Have a short function called, when it is the address's turn."""
        self._waiting.setdefault(address, deque()).append(handle)
        self._schedule()

    def charge(self, seconds: float) -> None:
        """Count further time that the event loop has spent for these addresses."""
        self._rests_until = max(self._rests_until, perf_counter()) + seconds

    def _schedule(self) -> None:
        if not self._is_scheduled and self._waiting:
            self._is_scheduled = True
            wait_seconds = max(0.0, self._rests_until - perf_counter())
            asyncio.get_running_loop().call_later(wait_seconds, self._handle_some)

    def _handle_some(self) -> None:
        began = perf_counter()
        try:
            while self._waiting and perf_counter() - began < SLICE_SECONDS:
                self._next()()
        finally:
            self.charge(perf_counter() - began)
            self._is_scheduled = False
            self._schedule()

    def _next(self) -> Callable[[], None]:
        address, calls = self._waiting.popitem(last=False)
        call = calls.popleft()
        if calls:
            self._waiting[address] = calls  # behind the others
        return call
