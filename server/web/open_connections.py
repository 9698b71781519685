"""The open connections, and the room for more.

A connection is *silent* until its player has said hello. When an address or the server has no more room, the oldest
silent connection is cut: idle connections cannot keep newcomers out. One address gets at most half of the server's
room.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Generic, Protocol, TypeVar

from ..callers.limit import Bound, Limit
from ..callers.limits import Limits
from ..runtime import metrics

try:
    import resource
except ImportError:  # some systems have no such limits
    resource = None  # type: ignore[assignment]

REQUESTS = Limit(
    name="requests",
    counts="HTTP requests, including those that open a socket; a slow one counts as several",
    refusal="Too many requests came from your address. Please try again in a moment.",
    window_ms=12_000,
    address=1_200,
)
"""A visit takes about ten requests; without the page's bundles, a hundred and fifty."""
COST_PER_SECOND = 1_000
"""Cost of a second of the event loop, in requests."""
COST_OF_FLOOD = 20
"""Cost of a connection closed for flooding, in requests, so that it is not soon replaced."""
FLOODER_WAITS_SECONDS = 3.0
"""Delay before reading a request from an address beyond the limit."""

CONNECTIONS = Limit(
    name="connections",
    counts="open connections; at most half of the server's",
    refusal="There are too many connections from your address.",
    address=256,
)
RESERVED_FILES = 64
"""Files that the server itself has open: databases, workers, and served files."""


class Cuttable(Protocol):
    """A connection that can be cut."""

    def abort(self) -> None:
        """Cut the connection."""


C = TypeVar("C", bound=Cuttable)


class OpenConnections(Generic[C]):
    """The open connections of one server, by address."""

    def __init__(self, limits: Limits, most: int) -> None:
        self._limits = limits
        self._most = most
        """Maximum connections of all addresses."""
        self._addresses: dict[C, str] = {}
        self._of_address: Counter[str] = Counter()
        """The number of connections of each address."""
        self._silent: dict[C, None] = {}
        """The silent connections, oldest first."""
        self._silent_of_address: dict[str, dict[C, None]] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def __iter__(self) -> Iterator[C]:
        return iter(tuple(self._addresses))

    def admit(self, connection: C, address: str, *, is_flooding: bool = False) -> bool:
        """Count a connection, or one that turns out to come from another address; return False if there is no room.

        A flooding address cannot displace other connections. It gets twice as many, which have to wait, so that it does
        not keep opening new ones.
        """
        self.remove(connection)
        bound = int(self._limits.bound(CONNECTIONS, Bound.ADDRESS) or 0) * (2 if is_flooding else 1)
        if self._of_address[address] >= max(1, min(self._most // 2, bound)):
            self._limits.report(CONNECTIONS, Bound.ADDRESS, address)
            if is_flooding or not self._cut_oldest(self._silent_of_address.get(address, {})):
                return False
        if len(self) >= self._most and not self._cut_oldest(self._silent):
            return False
        self._addresses[connection] = address
        self._of_address[address] += 1
        self._silent[connection] = None
        self._silent_of_address.setdefault(address, {})[connection] = None
        return True

    def note_hello(self, connection: C) -> None:
        """Note that a connection is no longer silent."""
        address = self._addresses.get(connection)
        if address is not None and connection in self._silent:
            del self._silent[connection]
            silent = self._silent_of_address[address]
            del silent[connection]
            if not silent:
                del self._silent_of_address[address]

    def remove(self, connection: C) -> None:
        """Forget a connection that has ended."""
        self.note_hello(connection)
        address = self._addresses.pop(connection, None)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    def _cut_oldest(self, silent: Mapping[C, None]) -> bool:
        """Cut the oldest of these silent connections, and return whether there was one."""
        oldest = next(iter(silent), None)
        if oldest is None:
            return False
        metrics.DISCONNECTIONS.labels("silent").inc()
        self.remove(oldest)
        oldest.abort()
        return True


def most_connections() -> int:
    """Return the maximum number of connections, from this process's limit of open files."""
    if resource is None:
        return 100_000
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 100_000 if files < 0 else max(files // 2, files - RESERVED_FILES)
