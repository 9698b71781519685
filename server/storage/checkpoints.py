"""Checkpoints of an SQLite file: copies its write-ahead log into the file while batches are being committed.

SQLite does that within a commit otherwise, which then takes 20 ms and more. A checkpoint beside the commits never sees
the end of the log, from which alone it can begin anew; so the writer itself copies the few pages that remain.
"""

import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

import structlog

EVENTS_BETWEEN = 8_000
"""Events between two checkpoints, which change 16,000 pages. A page that many of them have changed is copied once."""

_log = structlog.get_logger(__name__)


class Checkpointer:
    """Does most of each checkpoint on a thread of its own. Its methods are called by the writer's thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._events = 0
        self._copying: threading.Thread | None = None

    def note(self, events: int) -> None:
        """Count events that have been committed."""
        self._events += events

    @property
    def is_due(self) -> bool:
        """Whether a checkpoint is due, or under way."""
        return self._copying is not None or self._events >= EVENTS_BETWEEN

    def proceed(self, writer: sqlite3.Connection) -> None:
        """Begin a checkpoint that is due, or complete one on the writer's connection. Raises: sqlite3.Error."""
        if self._copying is None:
            if self._events >= EVENTS_BETWEEN:
                self._events = 0
                copying = threading.Thread(target=self._copy, name="journal checkpoint", daemon=True)
                # Where the system allows no further thread, the log stays longer.
                with suppress(RuntimeError):
                    copying.start()
                    self._copying = copying
        elif not self._copying.is_alive():
            self._copying = None
            writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Wait for the end of a checkpoint."""
        if self._copying is not None:
            self._copying.join()

    def _copy(self) -> None:
        try:
            connection = sqlite3.connect(self._path, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            finally:
                connection.close()
        except sqlite3.Error as error:
            # The log stays longer; the next checkpoint copies it.
            _log.warning("checkpoint_failed", error=str(error))
