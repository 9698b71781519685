"""The lock of an SQLite file: one server at a time serves it, since two would both run its bots and clocks.

Commands beside a server, such as an import, need no lock: what they write, the journal arbitrates. The lock is on a
file of its own, since SQLite's locks would be lost with it, and ends with its process, however that ends.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from ..journal.store import StorageError
from .address import is_sqlite, parse_address, sqlite_path

try:
    import fcntl
except ImportError:  # where files have no such locks
    fcntl = None  # type: ignore[assignment]


@contextmanager
def server_lock(address: str) -> Iterator[None]:
    """Hold the lock of a database; PostgreSQL needs none.

    Raises: StorageError if another server has it, or if it cannot be taken.
    """
    url = parse_address(address)
    if not is_sqlite(url) or fcntl is None:
        yield
        return
    path = sqlite_path(url)
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(open(f"{path}.lock", "a+", encoding="ascii"))
        except OSError as error:
            raise StorageError(f"the lock of the database {path} cannot be opened: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            raise StorageError(
                f"another server{_process(lock.read())} serves the database {path}; stop it first, or choose another "
                "file with --database"
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _process(text: str) -> str:
    return f" (process {text})" if text.isdigit() else ""
