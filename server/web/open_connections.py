"""The open connections, and the room for more.

A connection is *silent* until its player has said hello. When an address or the server has no more room, the oldest
silent connection is cut: idle connections cannot keep newcomers out. One address gets at most half of the server's
room. However many players there are, some room is left for silent connections, so that requests such as `/health` are
answered on a full server.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sized
from typing import Generic, Protocol, TypeVar

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

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
CONNECTION_SECONDS = 0.0002
"""What a connection takes of the event loop's time without its answer."""
FLOODER_WAITS_SECONDS = 3.0
"""Delay before reading a request from an address beyond the limit."""

CONNECTIONS = Limit(
    name="connections",
    counts="open connections, and answers to requests in progress; at most half of the server's",
    refusal="There are too many connections from your address.",
    address=256,
)
SPARE_SHARE = 64
"""A spare connection for silent ones is kept beside so many of players."""
RESERVED_FILES = 128
"""Files that the server itself has open: databases, workers, and served files."""
BURSTS = 4
"""How often connections are accepted, at most a backlog each time, before the first of them can be cut."""


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
        """Maximum connections of players of all addresses."""
        self._addresses: dict[C, str] = {}
        self._of_address: Counter[str] = Counter()
        """The number of connections of each address."""
        self._silent: dict[C, None] = {}
        """The silent connections, oldest first."""
        self._silent_of_address: dict[str, dict[C, None]] = {}
        self._answers_of_address: Counter[str] = Counter()
        """The number of answers to requests of each address that are in progress."""

    def __len__(self) -> int:
        return len(self._addresses)

    def __iter__(self) -> Iterator[C]:
        return iter(tuple(self._addresses))

    @property
    def silent(self) -> tuple[C, ...]:
        """The silent connections, oldest first."""
        return tuple(self._silent)

    def admit(self, connection: C, address: str, *, is_flooding: bool = False) -> bool:
        """Count a connection, or one that turns out to come from another address; return False if there is no room.

        A flooding address cannot displace other connections. It gets twice as many, which have to wait, so that it does
        not keep opening new ones.
        """
        self.remove(connection)
        silent = self._silent_of_address.get(address, {})
        if not _has_room(silent, self._players_of(address), self._bound(2 if is_flooding else 1)):
            self._limits.report(CONNECTIONS, Bound.ADDRESS, address)
            if is_flooding or not self._cut_oldest(silent):
                return False
        players = len(self) - len(self._silent)
        if not _has_room(self._silent, players, self._most) and not self._cut_oldest(self._silent):
            return False
        self._addresses[connection] = address
        self._of_address[address] += 1
        self._silent[connection] = None
        self._silent_of_address.setdefault(address, {})[connection] = None
        return True

    def note_hello(self, connection: C) -> None:
        """Note that a connection is no longer silent. Raises: Refusal if there are enough players."""
        if connection not in self._silent:
            return
        address = self._addresses[connection]
        if self._players_of(address) >= self._bound():
            self._limits.report(CONNECTIONS, Bound.ADDRESS, address)
            raise Refusal(CONNECTIONS.code, CONNECTIONS.refusal)
        if len(self) - len(self._silent) >= self._most:
            raise Refusal(Code.UNAVAILABLE, "The server is full. Please try again later.")
        self._break_silence(connection)

    def begin_answer(self, address: str) -> bool:
        """Count an answer in progress; return False if an address has as many as it may have connections.

        Clients that ask and leave have no connections, but their answers are still made.
        """
        if self._answers_of_address[address] >= self._bound():
            self._limits.report(CONNECTIONS, Bound.ADDRESS, address)
            return False
        self._answers_of_address[address] += 1
        return True

    def end_answer(self, address: str) -> None:
        """Count an answer no more."""
        self._answers_of_address[address] -= 1
        if not self._answers_of_address[address]:
            del self._answers_of_address[address]

    def _bound(self, factor: int = 1) -> int:
        """Return the maximum connections of an address."""
        bound = int(self._limits.bound(CONNECTIONS, Bound.ADDRESS) or 0) * factor
        return max(1, min(self._most // 2, bound))

    def _players_of(self, address: str) -> int:
        return self._of_address[address] - len(self._silent_of_address.get(address, ()))

    def _break_silence(self, connection: C) -> None:
        address = self._addresses.get(connection)
        if address is not None and connection in self._silent:
            del self._silent[connection]
            silent = self._silent_of_address[address]
            del silent[connection]
            if not silent:
                del self._silent_of_address[address]

    def remove(self, connection: C) -> None:
        """Forget a connection that has ended."""
        self._break_silence(connection)
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


def _has_room(silent: Sized, players: int, most: int) -> bool:
    """Return whether another silent connection has room beside the others and the players."""
    return len(silent) < max(1, most // SPARE_SHARE, most - players)


def most_connections() -> int:
    """Return the maximum number of players' connections, from this process's limit of open files."""
    files = _open_files()
    free = files - RESERVED_FILES - BURSTS * backlog()
    return max(files // 2, free - free // SPARE_SHARE)


def backlog() -> int:
    """Return the number of connections that the system queues for the event loop."""
    return min(1024, max(1, _open_files() // 32))


def _open_files() -> int:
    """Return the maximum number of files that this process may have open."""
    files = -1 if resource is None else resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 100_000 if files < 0 else files
