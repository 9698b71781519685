"""A process of low priority for work that would hold the event loop: long texts and pictures.

A thread would not do: while it runs Python code, the event loop waits up to 5 ms for each of its turns. The process
starts with the first work, from the fork server, takes one piece of work at a time, of waiting addresses in turn, and
ends while there is none.
"""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

import pebble
import structlog

from millrace.engine.faults import GameFaultError
from millrace.engine.game import Game

from ..runtime.child_process import START_ERRORS, end_only_with_parent
from ..runtime.fair_turns import FairTurns
from .rest import Rest
from .search_workers import WorkerError
from .worker import ensure_fork_server

log = structlog.get_logger()

NICENESS = 10
"""The process's nice value, so that it yields to play."""
TIMEOUT_SECONDS = 60.0
"""Maximum time of one piece of work, which a busy machine slows down; then the process is replaced."""

Result = TypeVar("Result")


class BackgroundProcess:
    """Calls functions in its process."""

    def __init__(self) -> None:
        self._turns = FairTurns(1)
        self._pool: pebble.ProcessPool | None = None
        self._starting = asyncio.Lock()
        self._rest = Rest(self._end_idle_pool)

    async def run(self, address: str, function: Callable[..., Result], *arguments: object, player: str = "") -> Result:
        """Call a function for a player at an address, once more if the process has died. It must be quick to pickle,
        and so must its result.

        Raises: WorkerError if the process fails or takes too long; errors of the function.
        """
        async with self._turns.of(address, player):
            with self._rest.used():
                return await self._try_twice(function, *arguments)

    async def _try_twice(self, function: Callable[..., Result], *arguments: object) -> Result:
        try:
            try:
                return await self._call_in_process(function, *arguments)
            except (pebble.ProcessExpired, BrokenProcessPool) as error:
                log.warning("the background process died", reason=repr(error))
                return await self._call_in_process(function, *arguments)
        except (*START_ERRORS, CancelledError) as error:  # Pebble's own errors are among them
            raise WorkerError(repr(error)) from error

    async def close(self) -> None:
        """End the process."""
        self._rest.stop()
        await self._end_pool()

    async def _end_pool(self) -> None:
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def _end_idle_pool(self) -> None:
        async with self._starting:
            if self._rest.is_due:
                await self._end_pool()
                self._pool = None

    async def _call_in_process(self, function: Callable[..., Result], *arguments: object) -> Result:
        pool = await self._working_pool()
        call: Future[Result] = pool.schedule(_call, args=(function, *arguments), timeout=TIMEOUT_SECONDS)
        return await asyncio.wrap_future(call)

    async def _working_pool(self) -> pebble.ProcessPool:
        async with self._starting:
            if self._pool is None or not self._pool.active:
                ensure_fork_server()
                context = multiprocessing.get_context("forkserver")
                pool = self._pool = pebble.ProcessPool(max_workers=1, context=context, initializer=_initialize)
                await asyncio.to_thread(pool.schedule, _load_rules)  # starts the process
            return self._pool


_interpreted: list[Game] = []
"""In the process: the games whose rules are not compiled yet."""


def _initialize() -> None:
    """Yield to play, end with the server, and interpret the rules until they are loaded, as the server does."""
    from millrace.engine.games import GAMES  # noqa: PLC0415
    from millrace.engine.kernel_cache import forbid_compiling  # noqa: PLC0415
    from millrace.engine.levels.warm_up import interpret_all_rules  # noqa: PLC0415

    end_only_with_parent()
    if sys.platform != "win32":
        os.nice(NICENESS)
    forbid_compiling()
    interpret_all_rules()
    _interpreted.extend(GAMES.values())


def _load_rules() -> None:
    """Load the rules that have been compiled by now; faulty ones stay interpreted."""
    from millrace.engine.levels.warm_up import are_rules_loaded  # noqa: PLC0415

    for game in tuple(_interpreted):
        try:
            is_done = are_rules_loaded(game)
        except GameFaultError:  # the server reports it
            is_done = True
        if is_done:
            _interpreted.remove(game)


def _call(function: Callable[..., Result], *arguments: object) -> Result:
    if _interpreted:
        _load_rules()
    return function(*arguments)
