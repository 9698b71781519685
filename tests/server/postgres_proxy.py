"""A proxy to a PostgreSQL server with faults: it falls silent, freezes, or breaks."""

import socket
import socketserver
import threading
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit, urlunsplit


class Proxy(socketserver.ThreadingTCPServer):
    """Passes connections on to a PostgreSQL server."""

    daemon_threads = True

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", 0), ProxiedConnection)
        target = urlsplit(url)
        self.target = target.hostname or "127.0.0.1", target.port or 5432
        self.is_silent = threading.Event()
        """While it is set, sent data is accepted and lost."""
        self.moves = threading.Event()
        """While it is clear, everything freezes, as if PostgreSQL were stopped by a signal."""
        self.moves.set()
        self.is_broken = threading.Event()
        """While it is set, new connections are closed at once."""
        self.sockets: set[socket.socket] = set()
        self.url = urlunsplit(target._replace(netloc=f"{target.username or ''}@127.0.0.1:{self.server_address[1]}"))

    def break_off(self) -> None:
        """End all connections, and accept no more until `is_broken` is cleared."""
        self.is_broken.set()
        for each in tuple(self.sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.moves.set()
        self.break_off()
        self.shutdown()
        self.server_close()


class ProxiedConnection(socketserver.BaseRequestHandler):
    """A connection through a `Proxy`."""

    server: Proxy

    def handle(self) -> None:
        if self.server.is_broken.is_set():
            return
        with socket.create_connection(self.server.target) as target:
            sockets = {target, self.request}
            self.server.sockets |= sockets
            answering = threading.Thread(target=self._copy, args=(target, self.request))
            answering.start()
            self._copy(self.request, target)
            answering.join()
            self.server.sockets -= sockets

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        """Pass on what one side sends, and that it has ended."""
        with suppress(OSError):
            while data := source.recv(65_536):
                self.server.moves.wait()
                if not self.server.is_silent.is_set():
                    target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
