"""A connection beside the page, from the same person: what a page need not be loaded for takes milliseconds."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Any

from websockets.sync.client import ClientConnection, connect

from millrace.protocol import VERSION
from tests.serving import PATIENCE_S

Frame = dict[str, Any]


class BareSocket:
    """Sends and receives frames."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def say(self, type_: str, **fields: Any) -> None:
        self._connection.send(json.dumps({"type": type_, **fields}))

    def hear(self) -> Frame:
        frame: Frame = json.loads(self._connection.recv(timeout=PATIENCE_S))
        return frame

    def ask(self, type_: str, **fields: Any) -> Frame:
        """Send a command, and return its answer, which must not be a refusal."""
        id_ = token_hex(8)
        self.say(type_, id=id_, **fields)
        while (answer := self.hear()).get("id") != id_:
            pass
        assert answer["type"] != "refused", answer
        return answer


@contextmanager
def bare_socket(address: str, token: str, cookies: str) -> Iterator[BareSocket]:
    """Connect as the person of a token, or of a session's cookie."""
    with connect(f"ws://{address}/socket", additional_headers={"Cookie": cookies}, proxy=None) as connection:
        socket = BareSocket(connection)
        socket.say("hello", version=VERSION, token=token)
        yield socket
