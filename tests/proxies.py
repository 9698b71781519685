"""TCP proxies for tests: one in front of several nodes, and one with faults in front of PostgreSQL."""

import socket
import socketserver
import threading
from collections.abc import Sequence
from contextlib import suppress
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
        self._ports = ports
        self.taken: list[int] = []
        """The port to which each connection went."""
        self._turns = {True: 0, False: 0}
        """Of WebSockets, and of other connections."""
        self._lock = threading.Lock()

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Choose a server, and serve a connection to its end."""
        with suppress(OSError):
            is_socket = request.recv(_FIRST_LINE_BYTES, socket.MSG_PEEK).startswith(b"GET /socket ")
            first = self._next_turn(is_socket) % len(self._ports)
            for port in (*self._ports[first:], *self._ports[:first]):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
                    self.taken.append(port)
                    self.join(request, server)
                    break

    def _next_turn(self, is_socket: bool) -> int:
        with self._lock:
            turn = self._turns[is_socket]
            self._turns[is_socket] += 1
        return turn


class FaultyProxy(Proxy):
    """Passes connections on to a PostgreSQL server; it falls silent, freezes, or breaks."""

    def __init__(self, url: str) -> None:
        super().__init__()
        target = urlsplit(url)
        self._target = target.hostname or "127.0.0.1", target.port or 5432
        self.is_silent = threading.Event()
        """While it is set, sent data is accepted and lost."""
        self.moves = threading.Event()
        """While it is clear, everything freezes, as if PostgreSQL were stopped by a signal."""
        self.moves.set()
        self.is_broken = threading.Event()
        """While it is set, new connections are closed at once."""
        self._sockets: set[socket.socket] = set()
        self.url = urlunsplit(target._replace(netloc=f"{target.username or ''}@{self.address}"))

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
        if not self.is_silent.is_set():
            target.sendall(content)
