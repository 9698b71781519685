"""Files of tablebases: one for each table, mapped into memory read-only.

A file is a header of 512 bytes (a line of JSON padded with spaces) followed by the table: one byte for each entry, then
the exceptions (`engine.games.morris.table_exceptions`). It is written under another name and renamed when complete. A
checksum detects later damage.

Errors:
    TablebaseError
    +-- DamagedTableError   a file that is damaged, or is no table
"""

import hashlib
import mmap
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from millrace.engine.game import TableBytes
from millrace.engine.games.morris.tablebase_index import entries_of, make_numbering, men_of
from millrace.engine.tablebase.tables import Codes, bytes_in, codes_of
from millrace.engine.tablebase.verification import ResultCounts

from ...runtime.gentle_files import PIECE_BYTES, UNFINISHED, replacing
from ...runtime.private_files import make_private_folder

GAME = "morris"
"""The game with tablebases."""

FORMAT = 2
EARLIER_FORMAT = 1
"""The format without exceptions. Its tables with one byte per entry are the same; those with two are outdated."""
HEADER_BYTES = 512
CHECKSUM_BYTES = 16
EXCEPTION_BYTES = 8
SUFFIX = ".tablebase"
EARLIER_SUFFIX = ".endings"
"""Suffix of files from earlier versions, which are still read."""
GIVEN_UP_SECONDS = 3600
"""Age after which an unfinished file counts as abandoned."""


class TablebaseError(Exception):
    """A tablebase cannot be used. The message is for the user."""


class DamagedTableError(TablebaseError):
    """A file is damaged, or is not a table."""


class Header(msgspec.Struct, frozen=True):
    """The header of a table's file."""

    format: int
    game: str
    table: str
    entries: int
    checksum: str
    """BLAKE2b of the table, in hexadecimal digits."""
    census: ResultCounts
    exceptions: int = 0
    width: int = 1
    """Bytes of an entry in an earlier format."""


class StoredTable(msgspec.Struct, frozen=True):
    """A table mapped into memory."""

    header: Header
    table: TableBytes

    @property
    def codes(self) -> Codes:
        """Its entries."""
        return codes_of(self.table, self.header.entries)


def path_of(folder: Path, table: str) -> Path:
    """Return the file of a table."""
    earlier = folder / f"{GAME}-{table}{EARLIER_SUFFIX}"
    return earlier if earlier.exists() else earlier.with_suffix(SUFFIX)


def write_table(folder: Path, table: str, content: TableBytes, census: ResultCounts) -> None:
    """Write a table atomically. Raises: OSError."""
    make_private_folder(folder, is_own=False)
    men = men_of(table)
    entries = entries_of(make_numbering(max(men)), *men)
    exceptions = (len(content) - entries) // EXCEPTION_BYTES
    header = Header(FORMAT, GAME, table, entries, checksum_of_table(content), census, exceptions)
    with replacing(path_of(folder, table)) as file:
        file.write(msgspec.json.encode(header).ljust(HEADER_BYTES - 1) + b"\n")
        file.write(content.data)


def clear_unfinished(folder: Path, now_seconds: float) -> None:
    """Remove files that a killed process left unfinished. `now_seconds` is the time since the epoch."""
    for path in folder.glob(f"{GAME}-*{UNFINISHED}"):
        with suppress(FileNotFoundError):
            if now_seconds - path.stat().st_mtime > GIVEN_UP_SECONDS:
                path.unlink()


def open_table(folder: Path, table: str, pause_seconds: float = 0) -> StoredTable:
    """Check a table and map it into memory, pausing after each piece that is read.

    Raises: FileNotFoundError; DamagedTableError.
    """
    stored = map_table(folder, table)
    path = path_of(folder, table)
    if checksum_of_file(path, pause_seconds) != stored.header.checksum:
        raise DamagedTableError(f"{path} is damaged: its checksum does not match. Build the table again.")
    return stored


def map_table(folder: Path, table: str) -> StoredTable:
    """Map a table into memory, and check its header and its size. Raises: FileNotFoundError; DamagedTableError."""
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
    if header.format not in (FORMAT, EARLIER_FORMAT) or header.width != 1:
        raise DamagedTableError(f"{path} has the format of another version. Build the table again.")
    if (header.game, header.table) != (GAME, table):
        raise DamagedTableError(f"{path} holds another table. Delete it and build the table again.")
    if len(content) != header.entries + header.exceptions * EXCEPTION_BYTES:
        raise DamagedTableError(f"{path} is damaged: its size does not match. Build the table again.")
    return StoredTable(header, content)


def has_table(folder: Path, table: str) -> bool:
    """Return whether a table exists and is not damaged."""
    try:
        open_table(folder, table)
    except (FileNotFoundError, DamagedTableError):
        return False
    return True


def tables_in(folder: Path) -> tuple[str, ...]:
    """Return the names of the tables with a file."""
    prefix = f"{GAME}-"
    files = (path for suffix in (SUFFIX, EARLIER_SUFFIX) for path in folder.glob(f"{prefix}*{suffix}"))
    return tuple(sorted({path.stem.removeprefix(prefix) for path in files}))


def checksum_of_table(content: TableBytes) -> str:
    """Return the checksum of a table."""
    return hashlib.blake2b(content.data, digest_size=CHECKSUM_BYTES).hexdigest()


def checksum_of_file(path: Path, pause_seconds: float = 0) -> str:
    """Return the checksum of a file's table. Read, not mapped, so that it takes no process memory."""
    digest = hashlib.blake2b(digest_size=CHECKSUM_BYTES)
    with path.open("rb") as file:
        file.seek(HEADER_BYTES)
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
            time.sleep(pause_seconds)
    return digest.hexdigest()
