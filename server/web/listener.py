"""The ports of a server: one for everybody, and perhaps one of this process alone."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from .open_connections import backlog


class Listener:
    """Accepts connections, each with a new protocol."""

    def __init__(self, accept: Callable[[], asyncio.BaseProtocol]) -> None:
        self._accept = accept
        self._port = 0
        self._server: asyncio.Server | None = None
        self._own_server: asyncio.Server | None = None
        """Listens on the process's own port."""

    async def open(
        self, host: str, port: int, own_port: int | None = None, *, listens: bool = True, is_shared: bool = False
    ) -> int:
        """Bind a port and return it; connections are refused until `listen` is called, unless it `listens` at once.

        Several processes may share it. The process's own port, if it has one, answers at once. Raises: OSError if an
        address cannot be used.
        """
        create = asyncio.get_running_loop().create_server
        self._create = partial(create, self._accept, host, backlog=backlog(), reuse_port=is_shared or None)
        self._server = await self._create(port=port, start_serving=listens)
        self._port = int(next(iter(self._server.sockets)).getsockname()[1])
        if own_port is not None:
            self._own_server = await self._create(port=own_port)
        return self._port

    async def listen(self) -> None:
        """Listen on the port, if not done yet. Raises: OSError if another program was first; it may be tried again."""
        assert self._server is not None
        if not self._server.sockets:
            self._server = await self._create(port=self._port, start_serving=False)
        try:
            for bound in self._server.sockets:
                with socket.fromfd(bound.fileno(), bound.family, bound.type) as copy:
                    copy.listen(backlog())  # uvloop would not report that it failed
            await self._server.start_serving()
        except OSError:
            self._server.close()
            raise

    async def refuse(self) -> None:
        """Refuse connections to the port until `listen` is called. It stays bound, unless another program is faster."""
        assert self._server is not None
        self._server.close()
        with suppress(OSError):
            self._server = await self._create(port=self._port, start_serving=False)

    def close(self) -> None:
        """Accept no more connections."""
        for server in self._servers:
            server.close()

    async def wait_closed(self) -> None:
        """Return when all connections have ended."""
        for server in self._servers:
            await server.wait_closed()

    @property
    def _servers(self) -> list[asyncio.Server]:
        return [server for server in (self._server, self._own_server) if server is not None]
