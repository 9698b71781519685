"""A feature: a part of the server that answers messages and GETs, and does some things by itself.

A feature leaves out what it has no use for. The application knows every feature and runs them all the same way.
"""

from collections.abc import Coroutine, Sequence
from typing import Any

from millrace.protocol.frames import WireFrame

from .caller import Caller
from .resources import Resources
from .routes import Route


class Feature:
    """A part of the server."""

    @property
    def routes(self) -> Sequence[Route[Any]]:
        """The messages that it answers."""
        return ()

    @property
    def resources(self) -> Resources:
        """The GETs that it answers."""
        return ()

    async def load(self) -> None:
        """Read what it holds in memory, before anyone is let in. Raises: StorageError."""

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return what runs beside the event loop's callers until it is cancelled."""
        return ()

    def greet(self, caller: Caller) -> Sequence[WireFrame]:
        """Return what a caller who has just said hello is sent, after `Welcome`."""
        return ()

    def disconnect(self, caller: Caller) -> None:
        """Forget a caller whose connection has ended."""

    async def close(self) -> None:
        """Stop what is under way, and write what is pending."""
