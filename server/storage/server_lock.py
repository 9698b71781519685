"""The lock of a database: one server at a time serves it, or one cluster of servers that know of each other.

Two that did not would both run its bots and clocks.

Commands beside a server, such as an import, need no lock: what they write, the journal arbitrates. The lock of an
SQLite file is on a file of its own, since SQLite's locks would be lost with it; that of a PostgreSQL database is
`server.storage.postgres_lock`. Both end with their process, however that ends.
"""

import asyncio
import os
from pathlib import Path
from typing import IO, Protocol

from ..runtime.private_files import make_private_file
from .address import is_sqlite, parse_address, sqlite_path
from .errors import StorageError
from .postgres_lock import PostgresLock

try:
    import fcntl
except ImportError:  # where files have no such locks
    fcntl = None  # type: ignore[assignment]


class ServerLock(Protocol):
    """The lock of a database, held."""

    async def watch(self) -> None:
        """Never return. Raises: StorageError once the lock is lost to another server."""

    async def close(self) -> None:
        """Release it."""


async def take_server_lock(address: str, *, is_shared: bool = False) -> ServerLock:
    """Take the lock of a database, alone or with the other nodes of a cluster, which needs PostgreSQL.

    Raises: StorageError if a server has it that does not share it, or if it cannot be taken.
    """
    url = parse_address(address)
    if is_sqlite(url):
        assert not is_shared
        return HeldFile(FileLock(sqlite_path(url)))
    return await PostgresLock.take(url, is_shared=is_shared)


class FileLock:
    """The lock of an SQLite file."""

    def __init__(self, path: Path) -> None:
        """Take it. Raises: StorageError."""
        self._lock: IO[str] | None = None
        if fcntl is None:
            return
        # A link to a file stands for that file.
        path = path.resolve()
        make_private_file(Path(f"{path}.lock"))
        try:
            lock = open(f"{path}.lock", "a+", encoding="ascii")  # noqa: SIM115  # open as long as the lock is held
        except OSError as error:
            raise StorageError(f"the lock of the database {path} cannot be opened: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            holder = _process(lock.read())
            lock.close()
            raise StorageError(
                f"Another server{holder} serves the database {path}; stop it first, or choose another file with "
                "--database"
            ) from None
        self._lock = lock
        self._note_process(lock)

    def close(self) -> None:
        """Release it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @staticmethod
    def _note_process(lock: IO[str]) -> None:
        """Write down who has the lock, for the message to others; on a full disk they are not told."""
        try:
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
        except OSError:
            return


class HeldFile:
    """The lock of an SQLite file, as a server holds it."""

    def __init__(self, lock: FileLock) -> None:
        self._lock = lock

    async def watch(self) -> None:
        """Never return: nobody else can take the lock."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Release it."""
        self._lock.close()


def _process(text: str) -> str:
    return f" (process {text})" if text.isdigit() else ""
