"""SQLite files that are damaged in a way which SQLite would not report."""

from pathlib import Path

from .errors import StorageError

HEADER_BYTES = 100
RESTORING = ".restoring"
"""Ending of the file that a backup is restored into, before it takes the database's place."""


def require_whole(path: Path) -> None:
    """Refuse a file that is cut off, one that is missing or empty beside a write-ahead log, and one that is missing beside
    an unfinished restored one. Raises: StorageError; OSError.

    SQLite would take it for a new database and delete the log, which may hold everything.
    """
    if not path.exists() and Path(f"{path.resolve()}{RESTORING}").exists():
        raise StorageError(
            f"the database {path} is missing because restoring a backup was broken off; run `millrace restore` again"
        )
    log = Path(f"{path.resolve()}-wal")
    if _size_of(log) and _size_of(path) < HEADER_BYTES:
        raise StorageError(
            f"the database {path} is missing, empty or cut off, but {log.name} beside it holds its last changes. Put "
            f"the file back, or restore a backup; to begin with an empty database, move {log.name} away"
        )
    if 0 < _size_of(path) < HEADER_BYTES:
        raise StorageError(f"{path} is cut off; restore a backup, or move it away to begin with an empty database")


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
