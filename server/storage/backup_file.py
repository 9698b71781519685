"""The file of a backup: every row of every table, in lines of JSON, compressed by gzip.

    {"format": 1, "revision": "0014", "created_ms": 1764000000000, "columns": {"matches": ["id", ...], ...}}
    ["matches", [["ab23...", ...], ...]]          some rows of a table, in the order of its columns; many such lines
    {"rows": {"matches": 1200, ...}, "checksum": "..."}

The checksum is BLAKE2b of all lines before it. The format knows no database: a backup of an SQLite file can be restored
to PostgreSQL, and the other way round. How a database is read and filled is `server.storage.backup`.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn, TypeAlias

import msgspec

FORMAT = 1
ROWS_IN_A_LINE = 500
CHECKSUM_BYTES = 32
COMPRESSION = 1
"""The fastest."""

Row: TypeAlias = Sequence[object]


class BackupError(Exception):
    """A file is no backup that can be restored. The message is written for the user."""


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    format: int
    revision: str
    """The newest migration of the database."""
    created_ms: int
    columns: dict[str, list[str]]
    """The columns of each table, by its name."""


class Trailer(msgspec.Struct, frozen=True):
    """The last line."""

    rows: dict[str, int]
    """The number of rows of each table."""
    checksum: str


class BackupWriter:
    """Writes a backup to an open file."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
        self._zipped = gzip.GzipFile(
            fileobj=file, mode="wb", compresslevel=COMPRESSION, mtime=header.created_ms // 1000
        )
        self._checksum = hashlib.blake2b(digest_size=CHECKSUM_BYTES)
        self._rows = dict.fromkeys(header.columns, 0)
        self._write(msgspec.json.encode(header))

    @property
    def rows(self) -> Mapping[str, int]:
        """How many rows of each table have been written."""
        return self._rows

    def add(self, table: str, rows: Sequence[Row]) -> None:
        """Write some rows of a table. Raises: OSError."""
        self._write(msgspec.json.encode([table, rows]))
        self._rows[table] += len(rows)

    def finish(self) -> None:
        """Write the last line. Raises: OSError."""
        self._write(msgspec.json.encode(Trailer(self._rows, self._checksum.hexdigest())))
        self._zipped.close()

    def _write(self, line: bytes) -> None:
        self._zipped.write(line + b"\n")
        self._checksum.update(line + b"\n")


def read_header(path: Path) -> Header:
    """Return the first line of a backup. Raises: OSError; BackupError."""
    with _opened(path) as lines:
        return _parse_header(path, lines.readline())


def read_rows(path: Path) -> Iterator[tuple[str, list[list[object]]]]:
    """Yield the rows of each table, some at a time. Raises: OSError; BackupError if the file is damaged."""
    with _opened(path) as lines:
        first = lines.readline()
        tables = _parse_header(path, first).columns
        checksum = hashlib.blake2b(first, digest_size=CHECKSUM_BYTES)
        counts: dict[str, int] = {}
        for line in lines:
            if line.startswith(b"{"):
                _check_trailer(path, line, counts, checksum.hexdigest())
                # The end of the compressed file is read too, which has a checksum of its own.
                if lines.read(1):
                    _refuse_damaged(path)
                return
            checksum.update(line)
            try:
                table, rows = msgspec.json.decode(line, type=tuple[str, list[list[object]]])
            except msgspec.MsgspecError:
                _refuse_damaged(path)
            if table not in tables:
                _refuse_damaged(path)
            counts[table] = counts.get(table, 0) + len(rows)
            yield table, rows
        raise BackupError(f"{path} is not complete: its last line is missing.")


def check_backup(path: Path) -> dict[str, int]:
    """Read a whole backup, and return how many rows each table has. Raises: OSError; BackupError if it is damaged."""
    counts = dict.fromkeys(read_header(path).columns, 0)
    for table, rows in read_rows(path):
        counts[table] += len(rows)
    return counts


@contextmanager
def _opened(path: Path) -> Iterator[gzip.GzipFile]:
    """Open a backup; what is wrong with the compressed file becomes a BackupError."""
    try:
        with gzip.open(path, "rb") as lines:
            yield lines
    except gzip.BadGzipFile:
        raise BackupError(f"{path} is not a backup of Millrace, or is damaged.") from None
    except EOFError:
        raise BackupError(f"{path} is not complete: its end is missing.") from None
    except zlib.error:
        _refuse_damaged(path)


def _parse_header(path: Path, line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.MsgspecError:
        raise BackupError(f"{path} is not a backup of Millrace, or is damaged.") from None
    if header.format != FORMAT:
        raise BackupError(f"{path} was written by a newer Millrace, in format {header.format}. Restore it with that.")
    return header


def _check_trailer(path: Path, line: bytes, counts: Mapping[str, int], checksum: str) -> None:
    try:
        trailer = msgspec.json.decode(line, type=Trailer)
    except msgspec.MsgspecError:
        _refuse_damaged(path)
    if trailer.checksum != checksum or {name: count for name, count in trailer.rows.items() if count} != counts:
        _refuse_damaged(path)


def _refuse_damaged(path: Path) -> NoReturn:
    raise BackupError(f"{path} is damaged: its checksum does not match. Use another backup.") from None
