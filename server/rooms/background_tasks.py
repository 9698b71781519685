"""Background tasks of one room: now or later, and again after a failure to store."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from millrace.protocol import MatchId
from millrace.protocol.refusal import Refusal

from ..matches.match import Match
from ..matches.referee import Decision
from ..runtime.cancellation import cancel_and_wait
from ..storage.errors import StorageError

log = structlog.get_logger()

RETRY_SECONDS = 1
"""The pause before a task that could not store its effect is tried again."""

BackgroundTask = Callable[[], Awaitable[None]]
"""Something to do. Raises: Refusal or StorageError if it cannot be stored now."""

ApplyDecision = Callable[[Callable[[Match, int], Decision]], Awaitable[None]]
"""Decides something about a room's match as it stands, at a time in milliseconds; stores it and sends it to the
audience. Raises: Refusal."""


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

    def begin(self, task: BackgroundTask) -> None:
        """Run a task until its effect is stored; do nothing after `close`."""
        self._start(task, is_repeated=False)

    def begin_later(self, seconds: float, task: BackgroundTask) -> asyncio.TimerHandle:
        """Run a task after some time, unless the returned timer is cancelled before."""
        return asyncio.get_running_loop().call_later(seconds, self.begin, task)

    async def close(self) -> None:
        """Stop every task, and begin no more."""
        self._is_closed = True
        await cancel_and_wait(self._tasks)

    def _start(self, task: BackgroundTask, *, is_repeated: bool) -> None:
        if not self._is_closed:
            running = asyncio.create_task(self._run(task, is_repeated))
            self._tasks.add(running)
            running.add_done_callback(self._tasks.discard)

    async def _run(self, task: BackgroundTask, is_repeated: bool) -> None:
        try:
            await task()
        except (Refusal, StorageError) as error:
            if not is_repeated:
                log.warning("background task put off", match=self._match_id, error=str(error))
            asyncio.get_running_loop().call_later(RETRY_SECONDS, lambda: self._start(task, is_repeated=True))
