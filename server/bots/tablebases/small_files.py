"""Files of the small edition: one per table, compressed, made from the full tables and compared with them.

A file is a header of 512 bytes as in `table_files`, followed by the compressed table
(`engine.tablebase.result_coding`).
"""

import mmap
from pathlib import Path

import msgspec
import structlog

from millrace.engine.game import TableBytes
from millrace.engine.tablebase.result_coding import compress
from millrace.engine.tablebase.small_edition import find_difference
from millrace.engine.tablebase.tables import bytes_in

from ...runtime.gentle_files import replacing
from ...runtime.private_files import make_private_folder
from .table_files import GAME, HEADER_BYTES, DamagedTableError, StoredTable, checksum_of_file, checksum_of_table

log = structlog.get_logger()

FORMAT = 1
SUFFIX = ".results"


class SmallHeader(msgspec.Struct, frozen=True):
    """The header of a compressed table's file."""

    format: int
    game: str
    table: str
    entries: int
    source: str
    """The checksum of the full table."""
    checksum: str
    """BLAKE2b of the compressed table."""


def small_path_of(folder: Path, table: str) -> Path:
    """Return the file of a compressed table."""
    return folder / f"{GAME}-{table}{SUFFIX}"


def write_small_table(folder: Path, stored: StoredTable) -> int:
    """Compress a full table, and return the size of the file. Raises: OSError."""
    content = compress(stored.codes)
    full = stored.header
    header = SmallHeader(FORMAT, GAME, full.table, full.entries, full.checksum, checksum_of_table(content))
    make_private_folder(folder, is_own=False)
    with replacing(small_path_of(folder, full.table)) as file:
        file.write(msgspec.json.encode(header).ljust(HEADER_BYTES - 1) + b"\n")
        file.write(content.data)
    return HEADER_BYTES + len(content)


def open_small_table(folder: Path, table: str, pause_seconds: float = 0) -> TableBytes:
    """Check a compressed table and map it into memory, pausing after each piece that is read.

    Raises: FileNotFoundError; DamagedTableError.
    """
    path = small_path_of(folder, table)
    with path.open("rb") as file:
        try:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            header = msgspec.json.decode(mapped[:HEADER_BYTES], type=SmallHeader)
        except (ValueError, msgspec.MsgspecError) as error:
            raise DamagedTableError(f"{path} is not a table: its header cannot be read.") from error
    if (header.format, header.game, header.table) != (FORMAT, GAME, table):
        raise DamagedTableError(f"{path} holds another table, or has another version.")
    if checksum_of_file(path, pause_seconds) != header.checksum:
        raise DamagedTableError(f"{path} is damaged: its checksum does not match.")
    return bytes_in(mapped[HEADER_BYTES:])


def compare_small_table(folder: Path, stored: StoredTable) -> None:
    """Compare every result of a compressed table with the full one. Raises: OSError; DamagedTableError."""
    name = stored.header.table
    entry = find_difference(open_small_table(folder, name), stored.codes)
    if entry is not None:
        raise DamagedTableError(f"Entry {entry} of {small_path_of(folder, name)} differs from the full table.")


def small_tables_in(folder: Path) -> dict[str, TableBytes]:
    """Return the intact compressed tables of a folder, by name. Damaged ones are logged and ignored."""
    tables = {}
    for name in small_names_in(folder):
        try:
            tables[name] = open_small_table(folder, name)
        except (OSError, DamagedTableError) as error:
            log.warning("tablebase ignored", table=name, error=str(error))
    return tables


def small_names_in(folder: Path) -> tuple[str, ...]:
    """Return the names of the compressed tables with a file."""
    prefix = f"{GAME}-"
    return tuple(sorted(path.stem.removeprefix(prefix) for path in folder.glob(f"{prefix}*{SUFFIX}")))
