"""Renders pictures as PNG in the background process, since a picture takes a tenth of a second of processor time.

The latest pictures are kept. Beyond a maximum of waiting pictures, further ones are refused: a preview must not delay
play.
"""

import asyncio
from collections import OrderedDict

from resvg_py import svg_to_bytes

from ...bots.background_process import BackgroundProcess
from ...bots.search_workers import WorkerError
from ...callers.limit import Limit
from ...callers.limits import Limits
from ...runtime.cancellation import cancel_and_wait

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
        kept = self._kept.get(drawing)
        if kept is not None:
            self._kept.move_to_end(drawing)
            return kept
        running = self._running.get(drawing)
        if running is None:
            hold = self._limits.hold_at(PICTURES, address)
            if hold is None:
                raise RendererBusyError
            running = self._running[drawing] = asyncio.create_task(self._render(drawing, address))
            running.add_done_callback(lambda _: self._running.pop(drawing, None))
            running.add_done_callback(lambda _: hold.release())
        return await asyncio.shield(running)

    async def close(self) -> None:
        """Render no more."""
        await cancel_and_wait(tuple(self._running.values()))

    async def _render(self, drawing: str, address: str) -> bytes:
        try:
            picture = await self._background.run(address, png_of, drawing)
        except WorkerError as error:
            raise RendererBusyError from error
        self._kept[drawing] = picture
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return picture


def png_of(drawing: str) -> bytes:
    """Return one of the server's SVG drawings as PNG."""
    return svg_to_bytes(svg_string=drawing, skip_system_fonts=True)
