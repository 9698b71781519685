"""Moves of the weak levels until a game's search is compiled, from one process that interprets it.

On a new machine compiling takes half a minute. An interpreted search is some hundred times slower, which is fast enough
for levels that search few positions. The process takes a second of a processor to load, so the server starts it first,
and compiles afterwards.
"""

import asyncio

import structlog

from ..runtime.cancellation import cancel_and_wait
from .dispatcher import ANSWER_SECONDS, Dispatcher
from .requests import BotRequest, RequestHandler
from .search_workers import WorkerStartError
from .worker import Worker
from .worker_process import Answer, RequestMethod

log = structlog.get_logger()

HIGHEST_LEVEL = 3
"""The highest level whose moves take less than half a second."""


class InterpretedBots:
    """The process and its requests."""

    def __init__(self, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._worker = Worker(None, answer_seconds, is_interpreted=True)
        self._requests = Dispatcher()
        self._starting: asyncio.Task[None] | None = None
        self.is_ready = asyncio.Event()
        """Set while the process answers."""

    def begin(self) -> None:
        """Start the process, unless it has been started."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())

    async def settle(self) -> None:
        """Return once the process answers or cannot be started; at once if nothing has begun to start it."""
        if self._starting is not None:
            await asyncio.wait([self._starting])

    async def ask(self, method: RequestMethod[Answer], request: BotRequest) -> Answer:
        """Return the answer to a request. Raises: BotError, and errors of the search."""
        return await self._requests.ask(method, request)

    async def retire(self) -> None:
        """End the process once it has answered. It takes no further requests."""
        self.is_ready.clear()
        await self._requests.finish()
        await self.close()

    async def close(self) -> None:
        """Kill the process."""
        if self._starting is not None:
            await cancel_and_wait([self._starting])
        await self._requests.close()
        await self._worker.close()

    async def _start(self) -> None:
        try:
            await self._worker.start()
        except WorkerStartError as error:
            log.warning("no bots before the search is compiled", reason=str(error))
            return
        self._requests.add_worker(self._worker, is_short=False)
        self.is_ready.set()


def is_quick(method: RequestMethod[Answer], request: BotRequest) -> bool:
    """Return whether an interpreted search answers a request soon enough."""
    is_weak = isinstance(request.level, int) and request.level <= HIGHEST_LEVEL
    return is_weak and method.__name__ == RequestHandler.choose.__name__
