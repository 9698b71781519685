"""Reloads this node's caches when it may have missed changes on other nodes."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence

from ..callers.feature import Feature
from ..cluster.bus import Bus
from ..cluster.bus_events import BusRestored
from ..journal.rereading import Rereading


class CacheReloading(Feature):
    """Reloads copies of stored data whenever the bus is restored."""

    def __init__(self, bus: Bus, loads: Iterable[Callable[[], Awaitable[None]]]) -> None:
        """Each of `loads` replaces a copy, also while the server runs, and may raise StorageError."""
        loads = tuple(loads)
        self._due: Rereading[Callable[[], Awaitable[None]]] = Rereading(lambda load: load())
        bus.subscribe(BusRestored, lambda _: self._due.ask(loads))

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Reload copies that are due."""
        return (self._due.run(),)
