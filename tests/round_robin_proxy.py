"""A stand-in for the proxy in front of several nodes."""

import itertools
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Self


class RoundRobinProxy:
    """Passes each connection on to the next of some servers, or to another one if that does not answer."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = ports
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.taken: list[int] = []
        """The port to which each connection went."""

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            for number in itertools.count():
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client, number), daemon=True).start()

    def _serve(self, client: socket.socket, number: int) -> None:
        first = number % len(self._ports)
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
        client.close()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while content := source.recv(65536):
            target.sendall(content)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
