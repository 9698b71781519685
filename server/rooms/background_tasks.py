"""Background tasks of one room: now or later, and again after a failure to store."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVarTuple

import structlog

from millrace.protocol import MatchId
from millrace.protocol.refusal import Refusal

from ..runtime.cancellation import cancel_and_wait
from ..storage.errors import StorageError

log = structlog.get_logger()

RETRY_SECONDS = 1
"""The pause before a task that could not store its effect is tried again."""

Arguments = TypeVarTuple("Arguments")


class BackgroundTasks:
    """The background tasks of one room."""

    def __init__(self, match_id: MatchId) -> None:
        self._match_id = match_id
        self._is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether a task is running."""
        return bool(self._tasks)

    def begin(self, task: Callable[[*Arguments], Awaitable[None]], *arguments: *Arguments) -> None:
        """Run a task until its effect is stored; do nothing after `close`.

        It raises a Refusal or a StorageError if its effect cannot be stored now.
        """
        self._start(partial(task, *arguments), is_repeated=False)

    async def close(self) -> None:
        """Stop every task, and begin no more."""
        self._is_closed = True
        await cancel_and_wait(self._tasks)

    def _start(self, task: Callable[[], Awaitable[None]], *, is_repeated: bool) -> None:
        if not self._is_closed:
            running = asyncio.create_task(self._run(task, is_repeated))
            self._tasks.add(running)
            running.add_done_callback(self._tasks.discard)

    async def _run(self, task: Callable[[], Awaitable[None]], is_repeated: bool) -> None:
        try:
            await task()
        except (Refusal, StorageError) as error:
            if not is_repeated:
                log.warning("background task put off", match=self._match_id, error=str(error))
            asyncio.get_running_loop().call_later(RETRY_SECONDS, partial(self._start, task, is_repeated=True))
