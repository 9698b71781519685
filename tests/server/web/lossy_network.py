"""A network between clients and a server whose connections a test can cut, stall, split and half-open."""

import asyncio
from asyncio import StreamReader, StreamWriter
from contextlib import suppress


class Link:
    """One TCP connection through the network."""

    def __init__(self, near: StreamWriter, far: StreamWriter) -> None:
        self._near = near
        self._far = far
        self._flows = asyncio.Event()
        self._flows.set()
        self.piece = 65_536
        """How many bytes are sent at a time."""
        self._is_cut = False
        self.is_half_open = False
        """Whether the server receives nothing more, not even that the client has left."""

    def cut(self) -> None:
        """Break the connection for both ends; held data is lost."""
        self._is_cut = True
        self._near.transport.abort()
        self._far.transport.abort()
        self._flows.set()

    def cut_near(self) -> None:
        """Break the connection for the client; the server does not notice."""
        self.is_half_open = True
        self._near.transport.abort()

    def stall(self) -> None:
        """Hold all data, both ways."""
        self._flows.clear()

    def resume(self) -> None:
        """Release held data, in order."""
        self._flows.set()

    async def pump(self, reader: StreamReader, writer: StreamWriter, *, to_server: bool) -> None:
        """Forward received data until one end closes."""
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._flows.wait()
                if self._is_cut:
                    break
                if to_server and self.is_half_open:
                    continue
                piece = self.piece
                for start in range(0, len(data), piece):
                    writer.write(data[start : start + piece])
                    await writer.drain()
                    if piece < len(data):
                        await asyncio.sleep(0)
        if not self.is_half_open:
            writer.transport.abort()


class LossyNetwork:
    """A port whose connections lead to a server."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._server: asyncio.Server | None = None
        self._pumping: set[asyncio.Task[None]] = set()
        self.port = 0
        self.links: list[Link] = []
        """Every connection, the latest last."""

    async def open(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "localhost", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening, and cut every connection."""
        for link in self.links:
            link.cut()
        assert self._server is not None
        self._server.close()
        await asyncio.gather(*self._pumping)

    async def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("localhost", self._server_port)
        link = Link(writer, far_writer)
        self.links.append(link)
        for work in (
            link.pump(reader, far_writer, to_server=True),
            link.pump(far_reader, writer, to_server=False),
        ):
            task = asyncio.create_task(work)
            self._pumping.add(task)
            task.add_done_callback(self._pumping.discard)
