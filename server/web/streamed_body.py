"""The body of one answer, sent in parts no faster than the client reads.

They are chunks (RFC 9112, 7.1), or end with the connection, since HTTP/1.0 knows no chunks.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

PART_BYTES = 65_536
"""Maximum length of what is sent at once."""
STALL_SECONDS = 30.0
"""Maximum time for a client to read that; then the connection is cut."""


class StreamedBody:
    """A body that is being sent."""

    def __init__(self, transport: asyncio.Transport, is_slow: Callable[[], bool], *, is_chunked: bool) -> None:
        """`is_slow` returns whether much data waits because the client does not read fast enough."""
        self._transport = transport
        self._is_slow = is_slow
        self._is_chunked = is_chunked
        self._loop = asyncio.get_running_loop()
        self._read_on: asyncio.Future[None] | None = None
        """Done once almost all waiting data is sent, or the connection is lost."""

    async def send(self, parts: AsyncIterator[bytes]) -> bool:
        """Send all parts and the end of the body; return whether the client stayed connected."""
        async for part in parts:
            for begin in range(0, len(part), PART_BYTES):
                if not await self._send_part(part[begin : begin + PART_BYTES]):
                    return False
        if self._is_chunked:
            self._transport.write(b"0\r\n\r\n")
        if self._transport.can_write_eof():
            self._transport.write_eof()
        return True

    def go_on(self) -> None:
        """Send more: almost all waiting data is sent, or the connection is lost."""
        if self._read_on is not None and not self._read_on.done():
            self._read_on.set_result(None)

    async def _send_part(self, part: bytes) -> bool:
        """Send bytes, and let others run until there is room for more; return whether the client is still connected."""
        if self._transport.is_closing():
            return False
        self._transport.write(b"%x\r\n%b\r\n" % (len(part), part) if self._is_chunked else part)
        if self._is_slow():
            self._read_on = self._loop.create_future()
            try:
                async with asyncio.timeout(STALL_SECONDS):
                    await self._read_on
            except TimeoutError:
                self._transport.abort()
            finally:
                self._read_on = None
        else:
            # Many parts may be ready for a client that reads fast.
            await asyncio.sleep(0)
        return not self._transport.is_closing()
