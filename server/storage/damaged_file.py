"""SQLite files that are damaged in a way which SQLite would not report."""

from pathlib import Path

from .errors import StorageError

HEADER_BYTES = 100


def require_whole(path: Path) -> None:
    """Refuse a file that is missing, empty or cut off beside a write-ahead log. Raises: StorageError; OSError.

    SQLite would take it for a new database and delete the log, which may hold everything.
    """
    log = Path(f"{path.resolve()}-wal")
    if _size_of(log) and _size_of(path) < HEADER_BYTES:
        raise StorageError(
            f"the database {path} is missing, empty or cut off, but {log.name} beside it holds its last changes. Put "
            f"the file back, or restore a backup; to begin with an empty database, move {log.name} away"
        )


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
