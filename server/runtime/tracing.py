"""Where the server's parts report what a trace cannot see from outside. `server.app.tracing` records it."""

from collections.abc import Mapping
from typing import Protocol

Ids = Mapping[str, str]
"""What something is about: `request`, `match` and `player`, as in the log."""


class Tracer(Protocol):
    """Records traces."""

    def note(self, event: str) -> None:
        """Note that something has happened in the running span."""

    def report(self, name: str, seconds: float, ids: Ids) -> None:
        """Record what ends now and has taken some seconds."""


tracer: Tracer | None = None
"""None unless `serve --traces` is given. Callers check this first, so that without it nothing is called."""
