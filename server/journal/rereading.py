"""Reading stored truth again in the background, where news of a change may have been missed."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Generic, TypeVar

import structlog

from ..storage.errors import StorageError

log = structlog.get_logger()

K = TypeVar("K", bound=Hashable)

RETRY_SECONDS = 1.0
"""Time before the next attempt after the database failed."""


class Rereading(Generic[K]):
    """Reads what is asked for, by keys such as a player, one after another and each until it has been read."""

    def __init__(self, read: Callable[[K], Awaitable[None]], pause_seconds: float = 0.0) -> None:
        """`read` may raise StorageError. What is asked for in a pause is read once after it."""
        self._read = read
        self._pause_seconds = pause_seconds
        self._keys: dict[K, None] = {}
        self._is_asked = asyncio.Event()

    def ask(self, keys: Iterable[K]) -> None:
        """Read some keys soon, without waiting. One that is being read already is read once more."""
        self._keys.update(dict.fromkeys(keys))
        if self._keys:
            self._is_asked.set()

    async def run(self) -> None:
        """Read what is asked for, until cancelled."""
        while True:
            await self._is_asked.wait()
            self._is_asked.clear()
            try:
                await self.read_all()
                await asyncio.sleep(self._pause_seconds)
            except StorageError as error:
                log.warning("stored changes not read", error=str(error))
                self._is_asked.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def read_all(self) -> None:
        """Read what is asked for now. Raises: StorageError."""
        while self._keys:
            key = next(iter(self._keys))
            del self._keys[key]
            try:
                await self._read(key)
            except StorageError:
                self._keys[key] = None
                raise
