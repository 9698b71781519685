"""Where the nodes of a cluster sign on and share out their leases: PostgreSQL.

All times are from the database's clock, so the clocks of the nodes may differ.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

import structlog

from ..storage.address import describe, is_sqlite, parse_address
from ..storage.database import connect_to_postgres
from ..storage.errors import StorageError
from ..storage.failures import explained
from ..storage.fences import GIVE_UP_LEASES, NOW_MS, TAKE_LEASES

if TYPE_CHECKING:
    import asyncpg
from sqlalchemy import BigInteger, Text

from ..storage.tables import define_table, optional, required


class SeenNode(NamedTuple):
    """A node with a heartbeat within the last hour that has not left."""

    id: str
    beat_ms: int
    """Its last heartbeat, in milliseconds since 1970."""
    age_ms: int
    """The age of that heartbeat."""
    trouble: str | None = None
    """What it said with it: `DEAF`, `CUT_OFF`, or None."""


class Beat(NamedTuple):
    """The result of a heartbeat."""

    now_ms: int
    """When it was stored, in milliseconds since 1970."""
    others: Sequence[SeenNode]
    """The other nodes."""


nodes = define_table(
    "nodes",
    ["id"],
    *required(Text, "id", "host", "version"),
    *required(BigInteger, "beat_ms"),
    *optional(Text, "trouble"),
)
"""The nodes of a cluster, with their last sign of life by the clock of the database, and what is wrong with them."""

DEAF = "deaf"
"""Redis does not answer this node: what it stores is in the database only."""
CUT_OFF = "cut off"
"""The database has not answered this node for a while: it does nothing until it answers steadily."""


log = structlog.get_logger()

SILENT_SECONDS = 2.0
"""Time without an answer after which the connection counts as broken."""

START_LOCK = 0x6D696C6C73746172
"""The number of the advisory lock of a node that starts: "millstar" in ASCII."""
START_SECONDS = 30.0
"""How long a starting node waits for another one, which may have been stopped while it started."""
LOOK_SECONDS = 0.1

HOUR_MS = 3_600_000

VERSION = version("millrace")


_BEAT = f"""
WITH beat AS (
    INSERT INTO nodes (id, host, version, beat_ms, trouble) VALUES ($1, $2, $3, {NOW_MS}, $4)
    ON CONFLICT (id) DO UPDATE SET beat_ms = excluded.beat_ms, trouble = excluded.trouble
    RETURNING beat_ms AS now_ms
)
SELECT now_ms, id, beat_ms, now_ms - beat_ms, trouble
FROM beat LEFT JOIN nodes ON id <> $1 AND beat_ms > now_ms - {HOUR_MS}
"""

_FORGET_OLD = f"DELETE FROM nodes WHERE beat_ms <= {NOW_MS} - {HOUR_MS}"

_FORGET = "DELETE FROM nodes WHERE id = $1"


@asynccontextmanager
async def start_turn(address: str) -> AsyncIterator[None]:
    """Let the nodes of a database start one after another, so that one alone continues all matches after an outage.

    Raises: StorageError.
    """
    url, loop = parse_address(address), asyncio.get_running_loop()
    with explained(url):
        connection = await connect_to_postgres(url)
    try:
        deadline_s = loop.time() + START_SECONDS
        with explained(url):
            while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", START_LOCK):
                if loop.time() > deadline_s:
                    log.warning("another node takes long to start", database=describe(url))
                    break
                await asyncio.sleep(LOOK_SECONDS)
        yield
    finally:
        connection.terminate()


class NodeStore:
    """The nodes on a database. Every method raises StorageError, and soon if the database does not answer."""

    def __init__(self, address: str) -> None:
        """Connect when first used. Raises: StorageError if this is no address of a PostgreSQL database."""
        self._url = parse_address(address)
        if is_sqlite(self._url):
            raise StorageError(f"several servers need a PostgreSQL database; {describe(self._url)} is a file")
        self._host = socket.gethostname()
        self._connection: asyncpg.Connection | None = None

    async def beat(self, node: str, trouble: str | None = None) -> Beat:
        """Store a heartbeat, and what is wrong with the node; return the time, and the other nodes."""
        async with self._connected() as connection:
            rows = await connection.fetch(_BEAT, node, self._host, VERSION, trouble)
        return Beat(rows[0][0], [SeenNode(*seen) for _, *seen in rows if seen[0] is not None])

    async def forget_old(self) -> None:
        """Delete nodes that have been gone for an hour."""
        async with self._connected() as connection:
            await connection.execute(_FORGET_OLD)

    async def take_leases(self, node: str, names: Collection[str], length_ms: int) -> Mapping[str, int]:
        """Take or renew those of the given leases that no other node holds; return the number of each.

        They last at least `length_ms` after the call.
        """
        async with self._connected() as connection:
            return dict(await connection.fetch(TAKE_LEASES, node, names, length_ms))

    async def leave(self, node: str) -> None:
        """Forget a node, and give up its leases."""
        async with self._connected() as connection:
            await connection.execute(GIVE_UP_LEASES, node)
            await connection.execute(_FORGET, node)

    async def close(self) -> None:
        """Disconnect."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close(timeout=SILENT_SECONDS)

    @asynccontextmanager
    async def _connected(self) -> "AsyncIterator[asyncpg.Connection]":
        """Give the connection; after a failure or a silence the next call connects anew."""
        with explained(self._url):
            try:
                async with asyncio.timeout(SILENT_SECONDS):
                    if self._connection is None or self._connection.is_closed():
                        self._connection = await connect_to_postgres(self._url, is_serving=True)
                    yield self._connection
            except BaseException:
                connection, self._connection = self._connection, None
                if connection is not None:
                    connection.terminate()
                raise
