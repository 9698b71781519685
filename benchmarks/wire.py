"""A minimal WebSocket for load tests, so that the measuring process is not what is measured.

It handles frames, not messages, and does not check the server's handshake.
"""

import asyncio
from collections.abc import Callable
from typing import cast

from millrace.protocol import SOCKET_PATH

_TEXT, _PING, _PONG = 0x81, 0x89, 0x8A


class Wire(asyncio.Protocol):
    """A connection."""

    def __init__(self, host: str, on_frame: Callable[[bytes], None]) -> None:
        self.is_upgraded = asyncio.get_running_loop().create_future()
        self._host = host
        self._on_frame = on_frame
        self._received = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the upgrade."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is none of asyncio's classes
        self._transport.write(
            f"GET {SOCKET_PATH} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Deliver each complete frame."""
        received = self._received + data
        position = 0
        if not self.is_upgraded.done():
            end = received.find(b"\r\n\r\n")
            if end < 0:
                self._received = received
                return
            assert received.startswith(b"HTTP/1.1 101"), received[:end]
            self.is_upgraded.set_result(None)
            position = end + 4
        while (frame_end := self._frame_end(received, position)) is not None:
            start, end = frame_end
            self._take(received[position], received[start:end])
            position = end
        self._received = received[position:]

    def send(self, payload: bytes, opcode: int = _TEXT) -> None:
        """Send a frame, masked by zeros, which leaves it unchanged; after `close`, do nothing."""
        assert self._transport is not None
        if self._transport.is_closing():
            return
        size = len(payload)
        head = bytes((opcode, 0x80 | size)) if size < 126 else bytes((opcode, 0xFE, size >> 8, size & 255))
        self._transport.write(b"%b\0\0\0\0%b" % (head, payload))

    def close(self) -> None:
        """Close the connection."""
        assert self._transport is not None
        self._transport.abort()

    @staticmethod
    def _frame_end(received: bytes, position: int) -> tuple[int, int] | None:
        """Return the start and end of the payload of the frame at `position`, or None if it is incomplete."""
        if len(received) < position + 2:
            return None
        size, start = received[position + 1], position + 2
        if size >= 126:
            width = 2 if size == 126 else 8
            size, start = int.from_bytes(received[start : start + width]), start + width
        return (start, start + size) if len(received) >= start + size else None

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == _TEXT:
            self._on_frame(payload)
        elif opcode == _PING:
            self.send(payload, _PONG)
        else:
            raise ConnectionError(f"the server sent a frame of kind {opcode:#x}: {payload!r}")


async def connect(address: str, on_frame: Callable[[bytes], None], source: str | None = None) -> Wire:
    """Open a connection to `host:port`, perhaps from a certain address, and return it when it is upgraded."""
    host, _, port = address.rpartition(":")
    own = None if source is None else (source, 0)
    _, wire = await asyncio.get_running_loop().create_connection(
        lambda: Wire(address, on_frame), host, int(port), local_addr=own
    )
    await wire.is_upgraded
    return wire
