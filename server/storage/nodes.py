"""The nodes of a cluster in PostgreSQL: implements `server.cluster.node_store.NodeStore`."""

import asyncio
import socket
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import ColumnElement, Executable, bindparam, literal_column, select, true
from sqlalchemy.dialects import postgresql

from ..cluster.node_store import Beat, SeenNode
from ..journal.journal import StorageError
from .address import describe, is_sqlite, parse_address
from .batches import Statement
from .database import connect_to_postgres
from .failures import explained
from .tables import leases

if TYPE_CHECKING:
    import asyncpg

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

_NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

_BEAT = f"""
WITH beat AS (
    INSERT INTO nodes (id, host, version, beat_ms) VALUES ($1, $2, $3, {_NOW_MS})
    ON CONFLICT (id) DO UPDATE SET beat_ms = excluded.beat_ms
    RETURNING beat_ms AS now_ms
)
SELECT now_ms, id, beat_ms, now_ms - beat_ms
FROM beat LEFT JOIN nodes ON id <> $1 AND beat_ms > now_ms - {HOUR_MS}
"""

_FORGET_OLD = f"DELETE FROM nodes WHERE beat_ms <= {_NOW_MS} - {HOUR_MS}"

_TAKE_LEASES = f"""
INSERT INTO leases (name, node, number, expires_ms)
SELECT wanted, $1, 1, {_NOW_MS} + $3 FROM unnest($2::text[]) AS wanted
WHERE NOT EXISTS (SELECT FROM leases WHERE name = wanted AND node <> $1 AND expires_ms > {_NOW_MS})
ORDER BY wanted
ON CONFLICT (name) DO UPDATE SET
    node = excluded.node,
    number = leases.number + (leases.node <> excluded.node)::int,
    expires_ms = excluded.expires_ms
WHERE leases.node = excluded.node OR leases.expires_ms <= {_NOW_MS}
RETURNING name, number
"""
"""Looks before it takes: a node that has no lease then writes nothing. All nodes take them in one order, so that none
waits for another that waits for it."""

_FORGET = "DELETE FROM nodes WHERE id = $1"
_GIVE_UP_LEASES = "UPDATE leases SET expires_ms = 0 WHERE node = $1"

NOTHING: ColumnElement[str] = literal_column("''")
ZERO: ColumnElement[int] = literal_column("0")


def _require_lease() -> Executable:
    """Return an insert that changes nothing, and violates a constraint unless a lease has that number.

    Until the end of the transaction nobody can take the lease: what is stored under it is there to be seen by its next
    holder. `server.storage.failures.is_stale_lease` knows the violation.
    """
    name, number = leases.c.name, leases.c.number
    wanted = select(
        bindparam("lease", type_=name.type).label("lease"), bindparam("number", type_=number.type).label("number")
    ).subquery("wanted")
    present = select(number).where(name == wanted.c.lease, number == wanted.c.number).with_for_update(read=True)
    # SQLite takes `ON` for that of a join, unless a condition is in between.
    row = select(wanted.c.lease, NOTHING, present.scalar_subquery(), ZERO).where(true())
    return postgresql.insert(leases).from_select(["name", "node", "number", "expires_ms"], row).on_conflict_do_nothing()


REQUIRE_LEASE = Statement(_require_lease(), ("lease", "number"))


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


class PostgresNodes:
    """The nodes, on a connection of its own: a node is alive though its stores are busy."""

    def __init__(self, address: str) -> None:
        """Connect when first used. Raises: StorageError if this is no address of a PostgreSQL database."""
        self._url = parse_address(address)
        if is_sqlite(self._url):
            raise StorageError(f"several servers need a PostgreSQL database; {describe(self._url)} is a file")
        self._host = socket.gethostname()
        self._connection: asyncpg.Connection | None = None

    async def beat(self, node: str) -> Beat:
        """Note that a node is alive; return the time, and the other nodes. Raises: StorageError."""
        async with self._connected() as connection:
            rows = await connection.fetch(_BEAT, node, self._host, VERSION)
        return Beat(rows[0][0], [SeenNode(*seen) for _, *seen in rows if seen[0] is not None])

    async def forget_old(self) -> None:
        """Delete nodes that have been gone for an hour. Raises: StorageError."""
        async with self._connected() as connection:
            await connection.execute(_FORGET_OLD)

    async def take_leases(self, node: str, names: Collection[str], length_ms: int) -> Mapping[str, int]:
        """Take or renew those of some leases that no other node holds; return the number of each of these.

        Raises: StorageError.
        """
        async with self._connected() as connection:
            return dict(await connection.fetch(_TAKE_LEASES, node, names, length_ms))

    async def leave(self, node: str) -> None:
        """Forget a node, and give up its leases. Raises: StorageError."""
        async with self._connected() as connection:
            await connection.execute(_GIVE_UP_LEASES, node)
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
                        self._connection = await connect_to_postgres(self._url)
                    yield self._connection
            except BaseException:
                connection, self._connection = self._connection, None
                if connection is not None:
                    connection.terminate()
                raise
