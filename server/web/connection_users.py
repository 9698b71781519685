"""The users of a connection: the web server that it belongs to, and the receiver of its messages."""

from typing import TYPE_CHECKING, Protocol

from websockets.http11 import Request

from .requests import BadRequestError

if TYPE_CHECKING:
    from .connection import Connection


class Receiver(Protocol):
    """Receives the frames of an open connection."""

    def receive(self, frame: str | bytes) -> None:
        """Handle a text or binary message."""

    def go_on(self) -> None:
        """Handle messages that waited during a pause."""

    def charge(self) -> None:
        """Count a frame that is not a message: a ping, or a part of a message."""

    def end(self) -> None:
        """Note that the connection has ended."""


class Host(Protocol):
    """The web server that a connection belongs to."""

    def begin(self, connection: "Connection") -> None:
        """Admit a new connection, or cut it."""

    def answer(self, connection: "Connection", request: Request) -> None:
        """Answer a request with `accept` or `respond`, now or later."""

    def refuse(self, connection: "Connection", error: BadRequestError) -> None:
        """Answer a request that cannot be read."""

    def note_hello(self, connection: "Connection") -> None:
        """Note that the player has said hello."""

    def remove(self, connection: "Connection") -> None:
        """Forget a connection that has ended."""
