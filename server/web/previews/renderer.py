"""Renders pictures as PNG in a separate process, since a picture takes a tenth of a second of processor time.

The latest pictures are kept. Beyond a maximum of waiting ones, further ones are refused: a preview must not delay play.
"""

import asyncio
import multiprocessing
from collections import OrderedDict
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool

import pebble

from . import rendering

MOST_KEPT = 256
"""Maximum number of pictures in memory, some 90 kB each."""
MOST_WAITING = 24
"""Maximum number of pictures being rendered or waiting."""
TIMEOUT_SECONDS = 10.0


class RendererBusyError(Exception):
    """Too many pictures are waiting, or the process has failed; another attempt may succeed."""


class Renderer:
    """Renders pictures. The process starts with the first one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._running: dict[str, asyncio.Task[bytes]] = {}
        self._pool: pebble.ProcessPool | None = None
        self._starting = asyncio.Lock()

    async def png(self, drawing: str) -> bytes:
        """Return an SVG drawing as PNG. Raises: RendererBusyError."""
        kept = self._kept.get(drawing)
        if kept is not None:
            self._kept.move_to_end(drawing)
            return kept
        running = self._running.get(drawing)
        if running is None:
            if len(self._running) >= MOST_WAITING:
                raise RendererBusyError
            running = self._running[drawing] = asyncio.create_task(self._render(drawing))
            running.add_done_callback(lambda _: self._running.pop(drawing, None))
        return await asyncio.shield(running)

    async def close(self) -> None:
        """End the process."""
        for running in self._running.values():
            running.cancel()
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def _render(self, drawing: str) -> bytes:
        try:
            pool = await self._working_pool()
            future: Future[bytes] = pool.schedule(rendering.render, args=(drawing,), timeout=TIMEOUT_SECONDS)
            picture = await asyncio.wrap_future(future)
        except (TimeoutError, pebble.ProcessExpired, BrokenProcessPool, RuntimeError, CancelledError) as error:
            raise RendererBusyError from error
        self._kept[drawing] = picture
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return picture

    async def _working_pool(self) -> pebble.ProcessPool:
        async with self._starting:
            if self._pool is None or not self._pool.active:
                self._pool = await asyncio.to_thread(_start_pool)
            return self._pool


def _start_pool() -> pebble.ProcessPool:
    """Return a pool with a started process. Blocks until it is ready."""
    context = multiprocessing.get_context("forkserver")
    pool = pebble.ProcessPool(max_workers=1, context=context, initializer=rendering.initialize)
    pool.schedule(rendering.render, args=('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',))
    return pool
