"""Renders pictures and animations in the background process, since a picture takes a tenth of a second of processor
time.

The latest pictures are kept. Beyond a maximum of waiting pictures, further ones are refused: a preview must not delay
play.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable

from resvg_py import svg_to_bytes

from ...bots.background_process import BackgroundProcess
from ...bots.search_workers import WorkerError
from ...callers.limit import Limit
from ...callers.limits import Limits
from ...runtime.cancellation import cancel_and_wait
from .animation import animation_of, frame_of

MOST_KEPT = 256
"""Maximum number of pictures in memory, some 90 kB each."""
PICTURES = Limit(
    name="pictures",
    counts="pictures for link previews being drawn or waiting",
    refusal="Too many pictures are being drawn.",
    address=6,
    everyone=48,
)


class RendererBusyError(Exception):
    """Too many pictures are waiting, or the process has failed; another attempt may succeed."""


class Renderer:
    """Renders pictures."""

    def __init__(self, limits: Limits, background: BackgroundProcess) -> None:
        self._limits = limits
        self._background = background
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._running: dict[str, asyncio.Task[bytes]] = {}

    async def png(self, drawing: str, address: str) -> bytes:
        """Return an SVG drawing as PNG, for someone at an address. Raises: RendererBusyError."""
        return await self._once(drawing, address, lambda: self._background.run(address, png_of, drawing))

    async def animation(self, name: str, drawings: Iterable[str], address: str) -> bytes:
        """Return SVG drawings, which the name identifies, as a GIF, for someone at an address.

        Raises: RendererBusyError.
        """

        async def render() -> bytes:
            # One by one, so that others have their turns between them.
            frames = [await self._background.run(address, frame_of, drawing) for drawing in drawings]
            return await self._background.run(address, animation_of, frames)

        return await self._once(name, address, render)

    async def close(self) -> None:
        """Render no more."""
        await cancel_and_wait(tuple(self._running.values()))

    async def _once(self, name: str, address: str, render: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return what is kept under a name or being rendered, or render it. Raises: RendererBusyError."""
        kept = self._kept.get(name)
        if kept is not None:
            self._kept.move_to_end(name)
            return kept
        running = self._running.get(name)
        if running is None:
            hold = self._limits.hold_at(PICTURES, address)
            if hold is None:
                raise RendererBusyError
            running = self._running[name] = asyncio.create_task(self._render(name, render))
            running.add_done_callback(lambda _: self._running.pop(name, None))
            running.add_done_callback(lambda _: hold.release())
        return await asyncio.shield(running)

    async def _render(self, name: str, render: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            picture = await render()
        except WorkerError as error:
            raise RendererBusyError from error
        self._kept[name] = picture
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return picture


def png_of(drawing: str) -> bytes:
    """Return one of the server's SVG drawings as PNG."""
    return svg_to_bytes(svg_string=drawing, skip_system_fonts=True)
