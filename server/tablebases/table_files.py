"""Files of tablebases: one for each table, mapped into memory read-only.

A file is a header of 512 bytes (a line of JSON padded with spaces) followed by the table. It is written under another
name and renamed when complete. A checksum detects later damage.

Errors:
    TablebaseError
    +-- DamagedTableError   a file that is damaged, or is no table
"""

import hashlib
import mmap
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
import structlog

from millrace.engine.game import TableBytes
from millrace.engine.games import find_game
from millrace.engine.tablebase.codes import Codes, bytes_in, codes_in, table_bytes
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.verification import ResultCounts

from ..gentle_files import UNFINISHED, replacing

log = structlog.get_logger()

GAME = "morris"
"""The game that has tablebases."""

FORMAT = 1
HEADER_BYTES = 512
CHECKSUM_BYTES = 16
SUFFIX = ".tablebase"
EARLIER_SUFFIX = ".endings"
"""Suffix of the files that earlier versions wrote, which are still read."""
GIVEN_UP_SECONDS = 3600
"""Age after which an unfinished file counts as abandoned."""


class TablebaseError(Exception):
    """A tablebase cannot be used. The message is written for the user."""


class DamagedTableError(TablebaseError):
    """A file is damaged, or is no table."""


class Header(msgspec.Struct, frozen=True):
    """The header of a table's file."""

    format: int
    game: str
    table: str
    width: int
    """Bytes of an entry."""
    entries: int
    checksum: str
    """BLAKE2b of the table, in hexadecimal digits."""
    census: ResultCounts


class StoredTable(msgspec.Struct, frozen=True):
    """A table that is mapped into memory."""

    header: Header
    table: TableBytes

    @property
    def codes(self) -> Codes:
        """Its entries."""
        return codes_in(self.table, self.header.width)


def path_of(folder: Path, table: str) -> Path:
    """Return the file of a table."""
    earlier = folder / f"{GAME}-{table}{EARLIER_SUFFIX}"
    return earlier if earlier.exists() else earlier.with_suffix(SUFFIX)


def write_table(folder: Path, table: str, codes: Codes, census: ResultCounts) -> None:
    """Write a table atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    content = table_bytes(codes)
    header = Header(FORMAT, GAME, table, codes.itemsize, len(codes), _checksum(content), census)
    with replacing(path_of(folder, table)) as file:
        file.write(msgspec.json.encode(header).ljust(HEADER_BYTES - 1) + b"\n")
        file.write(content.data)


def clear_unfinished(folder: Path, now_seconds: float) -> None:
    """Remove files that a killed process left unfinished. `now_seconds` is the time since the epoch."""
    for path in folder.glob(f"{GAME}-*{UNFINISHED}"):
        with suppress(FileNotFoundError):
            if now_seconds - path.stat().st_mtime > GIVEN_UP_SECONDS:
                path.unlink()


def open_table(folder: Path, table: str) -> StoredTable:
    """Map a table into memory. Raises: FileNotFoundError; DamagedTableError."""
    path = path_of(folder, table)
    with path.open("rb") as file:
        try:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            header = msgspec.json.decode(mapped[:HEADER_BYTES], type=Header)
        except (ValueError, msgspec.MsgspecError) as error:
            raise DamagedTableError(
                f"{path} is not a tablebase file: its header cannot be read. Delete it and build the table again."
            ) from error
    content = bytes_in(mapped[HEADER_BYTES:])
    if (header.format, header.game, header.table) != (FORMAT, GAME, table):
        raise DamagedTableError(
            f"{path} holds another table, or has another version. Delete it and build the table again."
        )
    if len(content) != header.entries * header.width or _checksum(content) != header.checksum:
        raise DamagedTableError(f"{path} is damaged: its checksum does not match. Build the table again.")
    return StoredTable(header, content)


def has_table(folder: Path, table: str) -> bool:
    """Return whether a table exists and is not damaged."""
    try:
        open_table(folder, table)
    except (FileNotFoundError, DamagedTableError):
        return False
    return True


def tables_in(folder: Path) -> tuple[str, ...]:
    """Return the names of the tables that have a file."""
    prefix = f"{GAME}-"
    files = (path for suffix in (SUFFIX, EARLIER_SUFFIX) for path in folder.glob(f"{prefix}*{suffix}"))
    return tuple(sorted({path.stem.removeprefix(prefix) for path in files}))


class TablebaseFolder:
    """The tables of a folder. They are opened on first use, and again when the files change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: Mapping[str, int] = {}
        self._tablebase: Tablebase | None = None

    def tablebase(self, game: str) -> Tablebase | None:
        """Return a game's tables, or None if there are none. Damaged tables are logged and ignored."""
        if game != GAME:
            return None
        written = {table: self._written_at(table) for table in tables_in(self._folder)}
        if written != self._seen:
            self._seen = written
            tables = self._open(tuple(written))
            self._tablebase = Tablebase(find_game(GAME), tables) if tables else None
        return self._tablebase

    def _written_at(self, table: str) -> int:
        try:
            return path_of(self._folder, table).stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def _open(self, names: tuple[str, ...]) -> dict[str, TableBytes]:
        tables = {}
        for name in names:
            try:
                tables[name] = open_table(self._folder, name).table
            except (OSError, DamagedTableError) as error:
                log.warning("tablebase ignored", table=name, error=str(error))
        return tables


def _checksum(content: TableBytes) -> str:
    return hashlib.blake2b(content.data, digest_size=CHECKSUM_BYTES).hexdigest()
