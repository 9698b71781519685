"""A feature: a part of the server that answers messages and GETs, and does background work.

A feature overrides only what it needs. The application runs all features in the same way.
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
        """Load its state before any player is accepted. Raises: StorageError."""

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return its background work, which runs until cancelled."""
        return ()

    def greet(self, caller: Caller) -> Sequence[WireFrame]:  # noqa: ARG002  # for features that greet
        """Return the messages for a caller who has just said hello, after `Welcome`."""
        return ()

    def disconnect(self, caller: Caller) -> None:
        """Forget a caller whose connection has ended."""

    async def close(self) -> None:
        """Stop current work, and write pending data."""
