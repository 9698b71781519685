"""TCP proxies for tests: one in front of several nodes, and one with faults in front of another server."""

import socket
import socketserver
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

_FIRST_LINE_BYTES = 64


class Proxy(socketserver.ThreadingTCPServer):
    """Passes connections to its port on to a server, while its context lasts."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self.address = f"127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def join(self, client: socket.socket, target: socket.socket) -> None:
        """Pass on what either side sends, until both have ended."""
        answering = threading.Thread(target=self._copy, args=(target, client), daemon=True)
        answering.start()
        self._copy(client, target)
        answering.join()

    def forward(self, content: bytes, target: socket.socket) -> None:
        """Pass on a part of what one side has sent."""
        target.sendall(content)

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(65_536):
                self.forward(content, target)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


class RoundRobinProxy(Proxy):
    """Passes each connection on to the next of some servers, or to another one if that does not answer.

    WebSockets take turns separately: other requests of a page do not affect their server.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__()
        self.ports = ports
        """Of the servers."""
        self.taken: list[int] = []
        """The port to which each connection went."""
        self._turns = {True: 0, False: 0}
        """Of WebSockets, and of other connections."""
        self._lock = threading.Lock()

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Choose a server, and serve a connection to its end."""
        with suppress(OSError):
            is_socket = request.recv(_FIRST_LINE_BYTES, socket.MSG_PEEK).startswith(b"GET /socket ")
            first = self._next_turn(is_socket) % len(self.ports)
            for port in (*self.ports[first:], *self.ports[:first]):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
                    self.taken.append(port)
                    self.join(request, server)
                    break

    def _next_turn(self, is_socket: bool) -> int:
        with self._lock:
            turn = self._turns[is_socket]
            self._turns[is_socket] += 1
        return turn


class Way(StrEnum):
    """Which way a fault works."""

    THERE = "there"
    """From the client to the server."""
    BACK = "back"
    BOTH = "both ways"


class FaultyProxy(Proxy):
    """Passes connections on to a server, such as PostgreSQL or Redis; it falls silent, is slow, freezes, or breaks."""

    def __init__(self, url: str) -> None:
        super().__init__()
        target = urlsplit(url)
        self._target = target.hostname or "127.0.0.1", target.port or 5432
        self.silent: Way | None = None
        """The way on which sent data is accepted and lost."""
        self.slow: Way | None = None
        """The way on which data arrives late."""
        self.delay_s = 0.0
        """How much later, for each piece."""
        self.moves = threading.Event()
        """While it is clear, everything freezes, as if the server were stopped by a signal."""
        self.moves.set()
        self.is_broken = threading.Event()
        """While it is set, new connections are closed at once."""
        self._sockets: set[socket.socket] = set()
        user, separator, _ = target.netloc.rpartition("@")
        self.url = urlunsplit(target._replace(netloc=f"{user}{separator}{self.address}"))

    def break_off(self) -> None:
        """End all connections, and accept no more until `is_broken` is cleared."""
        self.is_broken.set()
        for each in tuple(self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def __exit__(self, *_: object) -> None:
        self.moves.set()
        self.break_off()
        super().__exit__()

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection to its end."""
        if self.is_broken.is_set():
            return
        with socket.create_connection(self._target) as target:
            self._sockets |= {target, request}
            self.join(request, target)
            self._sockets -= {target, request}

    def forward(self, content: bytes, target: socket.socket) -> None:
        """Wait, pass on or lose a part of what one side has sent."""
        self.moves.wait()
        is_there = target.getpeername()[1] == self._target[1]
        ways = {Way.BOTH, Way.THERE if is_there else Way.BACK}
        if self.slow in ways:
            time.sleep(self.delay_s)
        if self.silent not in ways:
            target.sendall(content)
