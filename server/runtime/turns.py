"""Turns: one holder at a time, in the order of request, for callbacks and for `async with`.

Like `asyncio.Lock`, but also for callbacks, which need no task to wait.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVarTuple

Arguments = TypeVarTuple("Arguments")


class Turn:
    """Held by one holder at a time."""

    __slots__ = ("_is_passing_on", "_is_taken", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._is_taken = False
        self._is_passing_on = False

    @property
    def is_taken(self) -> bool:
        """Whether anyone has the turn or waits for it."""
        return self._is_taken or bool(self._waiting)

    def take(self, begin: Callable[[*Arguments], None], *arguments: *Arguments) -> None:
        """Call `begin` at the caller's turn, perhaps at once. It must lead to a `release`."""
        if self._is_taken or self._waiting:
            self._waiting.append((begin, arguments))
        else:
            self._is_taken = True
            begin(*arguments)

    def release(self) -> None:
        """End a turn, and start the next one."""
        self._is_taken = False
        if self._is_passing_on:
            return  # The loop below starts it: a long queue must not become a deep recursion.
        self._is_passing_on = True
        try:
            while self._waiting and not self._is_taken:
                self._is_taken = True
                begin, arguments = self._waiting.popleft()
                begin(*arguments)
        finally:
            self._is_passing_on = False

    async def __aenter__(self) -> None:
        """Wait for a turn."""
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def begin() -> None:
            if granted.cancelled():
                self.release()
            else:
                granted.set_result(None)

        self.take(begin)
        try:
            await granted
        except asyncio.CancelledError:
            if not granted.cancelled():
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        """End the turn."""
        self.release()
