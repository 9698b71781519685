"""The mark by which a copy of an SQLite file is recognised that was made without its write-ahead log.

While a server serves a file, the last moves are in the log beside it. A copy of the file alone looks whole, and is not.
So the file says which log it needs: its header's *user version* is the log's first salt, a number that SQLite writes
into the log's header and raises by one whenever the log begins anew. It is 0 when no server serves the file, whose log
has then been copied into it.

The header's *application id* is the file's schema cookie at that time. SQLite's own backup, which copies the log's
content too, leaves another cookie in its copy, and `VACUUM INTO` leaves a file without a log: their copies are whole
and need no log. https://www.sqlite.org/fileformat2.html describes both headers.

After a crash, a program that opens the file and is the last to close it copies the log into it and deletes the log. The
file is then whole although its mark remains. It is told from a copy by a note beside it with its inode and mark.
"""

import os
import sqlite3
import struct
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .errors import StorageError

NO_LOG = 0
"""The mark of a file that needs no log."""

MAX_RENEWALS = 1 << 16
"""How often a log may have begun anew since the file was marked. The mark is renewed each time, but not at once."""

_MAGIC = b"SQLite format 3\0"
_LOG_MAGICS = (0x377F0682, 0x377F0683)
_FILE_HEADER = struct.Struct(">16s 2x B B 20x I 16x I 4x I 28x")
"""Magic, write and read version, schema cookie, user version, application id."""

_MARK_OFFSET = 60

_LOG_HEADER = struct.Struct(">I 12x I 12x")
"""Magic and first salt."""


class FileHeader(NamedTuple):
    """What the header of an SQLite file says."""

    has_log: bool
    """Whether the file is used with a write-ahead log."""
    cookie: int
    log_salt: int
    """The mark."""
    marked_cookie: int


def check_log(path: Path) -> None:
    """Check that a file has the log that it needs. Raises: StorageError; OSError."""
    header = read_header(path)
    if header is None or not _needs_log(header):
        return
    salt = read_log_salt(path)
    if salt is None:
        if _is_noted(path, header):
            return
        raise StorageError(
            f"the database {path} was copied while a server was serving it, without the file {log_path(path).name} "
            "that holds its last moves. Stop the server before you copy, or use `millrace backup`. If the "
            "other file is lost, `millrace migrate --accept-copy` accepts this one as it is"
        )
    if (salt - header.log_salt) % (1 << 32) > MAX_RENEWALS:
        raise StorageError(
            f"the database {path} and the file {log_path(path).name} beside it do not belong together. Copy both from "
            "the same place. If the right one is lost, `millrace migrate --accept-copy` accepts the database without it"
        )


def accept_copy(path: Path) -> bool:
    """Accept a copy without its log, whose moves are lost; return whether it was one. Raises: StorageError; OSError.

    A log that belongs to another file is kept under another name.
    """
    try:
        check_log(path)
        return False
    except StorageError:
        if log_path(path).exists():
            log_path(path).rename(f"{log_path(path)}.rejected")
        Path(f"{path}-shm").unlink(missing_ok=True)
        with open(path, "r+b") as file:
            os.pwrite(file.fileno(), NO_LOG.to_bytes(4, "big"), _MARK_OFFSET)
            os.fsync(file.fileno())
        return True


def is_marked(connection: sqlite3.Connection) -> bool:
    """Return whether a file or its log says that it needs its log. Raises: sqlite3.Error."""
    return bool(connection.execute("PRAGMA user_version").fetchone()[0] != NO_LOG)


def mark(connection: sqlite3.Connection, path: Path) -> None:
    """Have a file say that it needs its log, in the file itself. Raises: sqlite3.Error."""
    cookie = connection.execute("PRAGMA schema_version").fetchone()[0]
    for _ in range(2):
        # The first statement may begin a new log; the second one then finds it.
        salt = read_log_salt(path) or 1
        _set(connection, salt, cookie)
        if read_log_salt(path) == salt:
            break
    _note(path, salt)


def clear(connection: sqlite3.Connection) -> None:
    """Have a file say that it needs no log. Raises: sqlite3.Error."""
    _set(connection, NO_LOG, 0)


def read_header(path: Path) -> FileHeader | None:
    """Return a file's header; None if it is empty, does not exist or is no database. Raises: OSError."""
    try:
        with open(path, "rb") as file:
            header = file.read(_FILE_HEADER.size)
    except FileNotFoundError:
        return None
    if len(header) < _FILE_HEADER.size or not header.startswith(_MAGIC):
        return None
    _, writes, _reads, cookie, log_salt, marked_cookie = _FILE_HEADER.unpack(header)
    return FileHeader(writes == 2, cookie, log_salt, marked_cookie)


def read_log_salt(path: Path) -> int | None:
    """Return the first salt of a file's log, or 1 if that is 0; None if it has no log. Raises: OSError."""
    try:
        with open(log_path(path), "rb") as file:
            header = file.read(_LOG_HEADER.size)
    except FileNotFoundError:
        return None
    if len(header) < _LOG_HEADER.size:
        return None
    magic, salt = _LOG_HEADER.unpack(header)
    return (salt or 1) if magic in _LOG_MAGICS else None


def log_path(path: Path) -> Path:
    """Return the write-ahead log of a file."""
    return Path(f"{path}-wal")


def _note(path: Path, salt: int) -> None:
    """Note beside a file which inode it is, and how it is marked. Where that fails, a crash may lead to a refusal."""
    with suppress(OSError):
        _note_path(path).write_text(f"{_inode(path)} {salt}", encoding="ascii")


def _is_noted(path: Path, header: FileHeader) -> bool:
    """Return whether a file is the very one that was marked here, not a copy. Raises: OSError."""
    try:
        inode, _, salt = _note_path(path).read_text(encoding="ascii").rpartition(" ")
    except FileNotFoundError:
        return False
    # The note may be one behind: it is written after the mark.
    return inode == _inode(path) and salt in (str(header.log_salt), str((header.log_salt - 1) % (1 << 32) or 1))


def _note_path(path: Path) -> Path:
    return Path(f"{path.resolve()}.mark")


def _inode(path: Path) -> str:
    status = path.stat()
    return f"{status.st_dev} {status.st_ino}"


def _needs_log(header: FileHeader) -> bool:
    return header.has_log and header.log_salt != NO_LOG and header.cookie == header.marked_cookie


def _set(connection: sqlite3.Connection, salt: int, cookie: int) -> None:
    """Set the mark, both parts or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(f"PRAGMA user_version = {_signed(salt)}")
        connection.execute(f"PRAGMA application_id = {_signed(cookie)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _signed(number: int) -> int:
    """Return a number of 32 bits as SQLite takes it."""
    return number - (1 << 32) if number >= 1 << 31 else number
