"""Writes large files without making other programs wait for the disk.

The system buffers writes in memory and then puts gigabytes on the disk at once; a match's commit has to wait for them.
Here each piece is on the disk before the next one is written, with a pause in between. While 550 MB were written, the
slowest concurrent commit took 28 ms instead of 77 (`benchmarks.disk` at commit 6a53ff3e).
"""

import errno
import io
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

PIECE_BYTES = 1 << 20

MAX_PAUSE_SECONDS = 0.25
"""Maximum pause after a piece; otherwise the pause is as long as the piece took."""

UNFINISHED = ".unfinished"
"""Suffix of an unfinished file."""

PUBLIC = 0o666
"""Permissions of a new file, before the process's mask."""


class GentleFile(io.RawIOBase):
    """A file written piece by piece, without a position."""

    def __init__(self, path: Path, permissions: int = PUBLIC) -> None:
        """Create the file, or empty it. Raises: OSError."""
        super().__init__()
        self._descriptor = os.open(
            path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), permissions
        )
        self._is_on_disk = stat.S_ISREG(os.fstat(self._descriptor).st_mode)

    def writable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the file's descriptor."""
        return self._descriptor

    def write(self, data: Any, /) -> int:
        """Write at most one piece; return the number of bytes written. Raises: OSError."""
        began = time.perf_counter()
        written = os.write(self._descriptor, memoryview(data)[:PIECE_BYTES])
        if self._is_on_disk:
            _synchronise(self._descriptor)
            time.sleep(min(time.perf_counter() - began, MAX_PAUSE_SECONDS))
        return written

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            super().close()
            os.close(self._descriptor)


@contextmanager
def replacing(path: Path, permissions: int = PUBLIC) -> Iterator[BinaryIO]:
    """Provide a file to write, which replaces the one with its name when complete.

    Raises: OSError, also if a folder or a device has the name.
    """
    if not path.parent.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is a device, and a file is needed", str(path))
    unfinished = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with io.BufferedWriter(GentleFile(unfinished, permissions), PIECE_BYTES) as file:
            yield cast(BinaryIO, file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    synchronise_folder(path.parent)


def synchronise_folder(folder: Path) -> None:
    """Flush the names of files to the disk, where possible."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


_synchronise = getattr(os, "fdatasync", os.fsync)
