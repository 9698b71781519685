"""The body of one answer, sent in chunks (RFC 9112, 7.1) no faster than the client reads."""

import asyncio
from collections.abc import AsyncIterator, Callable

CHUNK_BYTES = 65_536
"""Maximum length of a chunk."""
STALL_SECONDS = 30.0
"""Maximum time for a client to read a chunk; then the connection is cut."""


class ChunkedBody:
    """A body that is being sent."""

    def __init__(self, transport: asyncio.Transport, is_slow: Callable[[], bool]) -> None:
        """`is_slow` returns whether much data waits because the client does not read fast enough."""
        self._transport = transport
        self._is_slow = is_slow
        self._loop = asyncio.get_running_loop()
        self._read_on: asyncio.Future[None] | None = None
        """Done once almost all waiting data is sent, or the connection is lost."""

    async def send(self, parts: AsyncIterator[bytes]) -> bool:
        """Send all parts and the end of the body; return whether the client stayed connected.

        If the parts raise an error, the body ends without its last chunk.
        """
        async for part in parts:
            for begin in range(0, len(part), CHUNK_BYTES):
                if not await self._send_chunk(part[begin : begin + CHUNK_BYTES]):
                    return False
        self._transport.write(b"0\r\n\r\n")
        if self._transport.can_write_eof():
            self._transport.write_eof()
        return True

    def go_on(self) -> None:
        """Send more: almost all waiting data is sent, or the connection is lost."""
        if self._read_on is not None and not self._read_on.done():
            self._read_on.set_result(None)

    async def _send_chunk(self, chunk: bytes) -> bool:
        """Send a chunk and wait until there is room for the next; return whether the client is still connected."""
        if self._transport.is_closing():
            return False
        self._transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        if self._is_slow():
            self._read_on = self._loop.create_future()
            try:
                async with asyncio.timeout(STALL_SECONDS):
                    await self._read_on
            except TimeoutError:
                self._transport.abort()
            finally:
                self._read_on = None
        return not self._transport.is_closing()
