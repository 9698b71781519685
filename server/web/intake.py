"""Arrived data of one connection: handled in slices, and no longer read while its receiver or its address must wait.

So no client delays the others, and data sent too fast stays with the sender.
"""

import asyncio
from typing import Protocol

from .backlog import Backlog

SLICE_BYTES = 1_024
"""Bytes handled at a time: some twenty short messages, or 170 pings, which take 2 ms."""

NOTHING = bytearray()
"""Shared by all connections that have no such data, and never changed."""


class Taker(Protocol):
    """The connection, which handles arrived data."""

    @property
    def address(self) -> str:
        """The network of the client."""

    def take(self, data: bytes) -> None:
        """Handle arrived data."""

    def end_pause(self) -> None:
        """Handle messages that waited during a pause."""


class Intake:
    """Reads from one transport, no faster than the connection may handle."""

    __slots__ = ("_is_held", "_loop", "_taker", "_transport", "backlog", "is_busy", "is_throttled", "rest")

    def __init__(
        self, taker: Taker, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, backlog: Backlog
    ) -> None:
        self._taker: Taker | None = taker
        self._transport = transport
        self._loop = loop
        self.backlog = backlog
        """Where slices wait for their turn."""
        self.is_busy = False
        """Whether the address sends so much that all it sends waits there."""
        self.rest = NOTHING
        """Arrived data that is not handled yet."""
        self._is_held = False
        """Whether reading is paused because the receiver is busy."""
        self.is_throttled = False
        """Whether reading is paused because the address sends too much."""

    def keep(self, data: bytes) -> None:
        """Keep arrived data, and hand it over in slices."""
        if not self.rest:
            self._line_up()
            self.rest = bytearray()
        self.rest += data
        self._update()

    @property
    def is_paused(self) -> bool:
        """Whether nothing is read, for the receiver or the address."""
        return self._is_held or self.is_throttled

    def hold(self) -> None:
        """Stop reading until `resume`."""
        self._is_held = True
        self._update()

    def resume(self) -> None:
        """Read again."""
        if self._is_held and self.rest:
            self._line_up()
        self._is_held = False
        self._update()

    def pause_for(self, seconds: float) -> None:
        """Stop reading for some time."""
        if not self.is_throttled:
            self.is_throttled = True
            self._update()
            self._loop.call_later(seconds, self._end_pause)

    def drop(self) -> None:
        """Forget data that has not been handled."""
        self.rest = NOTHING

    def close(self) -> None:
        """Hand over nothing more: the connection has ended."""
        self.drop()
        self._taker = None

    def _end_pause(self) -> None:
        self.is_throttled = False
        if self._taker is not None:
            self._taker.end_pause()
        if self.rest:
            self._line_up()
        self._update()

    def _line_up(self) -> None:
        if self._taker is not None:
            self.backlog.add(self._taker.address, self._take_slice)

    def _take_slice(self) -> None:
        """Handle a slice of arrived data, unless reading is paused, and the next in another turn."""
        if self._is_held or self.is_throttled or not self.rest or self._taker is None:
            return
        data = bytes(self.rest[:SLICE_BYTES])
        del self.rest[:SLICE_BYTES]
        self._taker.take(data)
        if self.rest:
            self._line_up()
        else:
            self._update()

    def _update(self) -> None:
        """Read unless something prevents it."""
        is_wanted = not (self._is_held or self.is_throttled or self.rest)
        if not self._transport.is_closing() and self._transport.is_reading() != is_wanted:
            (self._transport.resume_reading if is_wanted else self._transport.pause_reading)()
