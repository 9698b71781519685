"""Whether an SQLite file can be written without harm.

SQLite maps the index of its write-ahead log, the file `-shm`, into memory. If that file is made immutable or its file
system read-only while it is mapped, the next write to it ends the process by a SIGBUS, even that of a mere reader. So
nothing is done with such a file. It is asked before each use, which takes a microsecond or two.
"""

import ctypes
import os
import sqlite3
from pathlib import Path

from .errors import StorageError


class WritableFile:
    """An SQLite file, with the index of its log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._index = f"{path}-shm"

    @property
    def is_writable(self) -> bool:
        """Whether the index can be written, or there is none yet."""
        return os.access(self._index, os.W_OK) or not os.path.exists(self._index)

    def require(self) -> None:
        """Raises: StorageError if the file must not be used."""
        if not (os.access(self._index, os.W_OK) or self.is_writable):
            raise StorageError(
                f"the database {self._path} cannot be written: {self._index} is read-only or immutable; make it "
                "writable again"
            )

    def close(self, connection: sqlite3.Connection) -> None:
        """Close a connection, or leave it open until the process ends: closing the last one writes the index."""
        if self.is_writable:
            connection.close()
        else:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
