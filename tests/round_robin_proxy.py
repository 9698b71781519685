"""A replacement for the proxy in front of several nodes."""

import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

_FIRST_LINE_BYTES = 64


class RoundRobinProxy:
    """Passes each connection on to the next of some servers, or to another one if that does not answer.

    WebSockets take turns separately: other requests of a page do not affect their server.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = ports
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.taken: list[int] = []
        """The port to which each connection went."""
        self._turns = {True: 0, False: 0}
        """Of WebSockets, and of other connections."""
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError):
            is_socket = client.recv(_FIRST_LINE_BYTES, socket.MSG_PEEK).startswith(b"GET /socket ")
            first = self._next_turn(is_socket) % len(self._ports)
            self._pass_on(client, first)
        client.close()

    def _next_turn(self, is_socket: bool) -> int:
        with self._lock:
            turn = self._turns[is_socket]
            self._turns[is_socket] += 1
        return turn

    def _pass_on(self, client: socket.socket, first: int) -> None:
        for port in (*self._ports[first:], *self._ports[:first]):
            with suppress(OSError):
                server = socket.create_connection(("127.0.0.1", port))
                self.taken.append(port)
                answering = threading.Thread(target=_copy, args=(server, client), daemon=True)
                answering.start()
                _copy(client, server)
                answering.join()
                server.close()
                break


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while content := source.recv(65536):
            target.sendall(content)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
