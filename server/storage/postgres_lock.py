"""The lock of a PostgreSQL database: an advisory lock, held by a session that has nothing else to do.

A server that is alone excludes every other one. The nodes of a cluster share the lock with each other.

It ends with its connection. Until another server takes it, the holder takes it again on a new connection. If a server
is cut off from PostgreSQL, keep-alives end its session there within half a minute, and only then can another take over.
"""

import asyncio
import os
import re
import secrets
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import structlog
from sqlalchemy import URL

from .address import describe
from .database import connect_to_postgres
from .errors import StorageError
from .failures import explained
from .postgres_conditions import require_sessions, require_writable

if TYPE_CHECKING:
    import asyncpg

LOCK = 7262002
"""Any number that nothing else locks in the database."""

PING_SECONDS = 1.0
"""Interval at which the connection is tried."""

SILENT_SECONDS = 10.0
"""Time without an answer after which the connection counts as broken."""

PREDECESSOR_SECONDS = 1.0
"""How long to wait for a lock at the start: PostgreSQL may be about to notice that its holder was killed."""

RETRY_SECONDS = 0.1

_KEEP_ALIVE = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
"""Has PostgreSQL end the session of a server that is cut off. Not a part of connecting: poolers refuse it there."""

_HOLDER = """
SELECT pid, application_name, mode = 'ShareLock' FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND objid = $1 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""

_NAME = re.compile(r"millrace serve ([0-9a-f]{8}) (\d+) (.*)")

log = structlog.get_logger()


class Holder(NamedTuple):
    """The session that has the lock."""

    pid: int
    """Of PostgreSQL's process."""
    application_name: str
    is_node: bool
    """Whether its server is one of several."""

    def __str__(self) -> str:
        named = _NAME.fullmatch(self.application_name)
        process = f" (process {named[2]} on {named[3]})" if named else ""
        return f"A cluster of servers{process}" if self.is_node else f"Another server{process}"


class PostgresLock:
    """The lock of a database, held."""

    def __init__(self, url: URL, *, is_shared: bool) -> None:
        self._url = url
        self._is_shared = is_shared
        # PostgreSQL shortens longer names.
        self._name = f"millrace serve {secrets.token_hex(4)} {os.getpid()} {socket.gethostname()}"[:63]
        self._connection: asyncpg.Connection | None = None

    @classmethod
    async def take(cls, url: URL, *, is_shared: bool = False) -> "PostgresLock":
        """Take the lock, alone or with other nodes of a cluster.

        Raises: StorageError if a server has it that does not share it, or if the database cannot be reached or used.
        """
        with explained(url):
            await require_sessions(url)
            await require_writable(url)
        lock = cls(url, is_shared=is_shared)
        deadline_s = asyncio.get_running_loop().time() + PREDECESSOR_SECONDS
        while (holder := await lock._try()) is not None:
            if asyncio.get_running_loop().time() > deadline_s:
                raise StorageError(f"{holder} serves the database {describe(url)}; {lock._advice(holder)}")
            await asyncio.sleep(RETRY_SECONDS)
        return lock

    def _advice(self, holder: Holder) -> str:
        if self._is_shared:
            return "stop it, and start it again with --bus so that several servers can serve the database"
        if holder.is_node:
            return "join it with --bus, stop all its servers first, or choose another database with --database"
        return "stop it first, or choose another database with --database"

    async def watch(self) -> None:
        """Hold the lock, on a new connection whenever one breaks.

        Raises: StorageError if another server has taken it.
        """
        while True:
            error = await self._broken()
            log.warning("server lock lost", database=describe(self._url), error=str(error))
            await self._take_again()
            log.info("server lock taken again", database=describe(self._url))

    async def close(self) -> None:
        """Release it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close(timeout=PING_SECONDS)

    async def _broken(self) -> Exception:
        """Return what is wrong with the connection, when something is."""
        assert self._connection is not None
        while True:
            await asyncio.sleep(PING_SECONDS)
            try:
                await self._connection.execute("SELECT 1", timeout=SILENT_SECONDS)
            except Exception as error:
                # Whatever it is, the next connection will do better or report it.
                self._connection.terminate()
                return error

    async def _take_again(self) -> None:
        while True:
            try:
                holder = await self._try()
            except StorageError:
                await asyncio.sleep(PING_SECONDS)  # PostgreSQL cannot be reached, by nobody or by this server.
                continue
            if holder is None:
                return
            if holder.application_name != self._name:
                raise StorageError(
                    f"{holder} has taken over the database {describe(self._url)} while this one had no connection to it"
                )
            await asyncio.sleep(RETRY_SECONDS)

    async def _try(self) -> Holder | None:
        """Take the lock if it is free, or else return who has it; end a lost session of one's own.

        Raises: StorageError.
        """
        with explained(self._url):
            connection = await connect_to_postgres(self._url, {"application_name": self._name})
            try:
                await connection.execute(_KEEP_ALIVE)
                try_lock = "pg_try_advisory_lock_shared" if self._is_shared else "pg_try_advisory_lock"
                if await connection.fetchval(f"SELECT {try_lock}($1)", LOCK):
                    self._connection, connection = connection, None
                    return None
                rows = await connection.fetch(_HOLDER, LOCK)
                holder = Holder(*rows[0]) if rows else Holder(0, self._name, self._is_shared)  # It has just ended.
                if rows and holder.application_name == self._name:
                    await connection.execute(f"SELECT pg_terminate_backend({holder.pid:d})")
                return holder
            finally:
                if connection is not None:
                    connection.terminate()
