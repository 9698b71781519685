"""The tables of a folder for the engine: opened on first use, and again when the files change.

Large tables are checked in the background, and used once they are found intact, so that no move waits for gigabytes.
Reading them also warms the system's cache. They are mapped: all processes share their pages, which the system reclaims
when it needs memory.
"""

import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import structlog

from millrace.engine.game import TableBytes
from millrace.engine.games import find_game
from millrace.engine.tablebase.morris_results import MorrisResults
from millrace.engine.tablebase.opening_answers import NO_ANSWERS, OpeningAnswers
from millrace.engine.tablebase.probing import Tablebase

from .opening_file import opening_path, read_opening
from .small_files import open_small_table, small_names_in, small_path_of
from .table_files import GAME, DamagedTableError, map_table, open_table, path_of, tables_in

log = structlog.get_logger()

LARGE_BYTES = 50_000_000
"""Minimum size for a check in the background: smaller tables take less than a tenth of a second."""

PAUSE_SECONDS = 0.01
"""Pause after each MiB read in the background: at most 100 MB a second."""

CHECKING = "tablebase check"
"""Name of the background thread."""


class TableFile(NamedTuple):
    """A file of a table."""

    name: str
    is_small: bool
    """Whether it belongs to the small edition."""


class TablebaseFolder:
    """The tables of a folder, of both editions. Damaged tables are logged and ignored."""

    def __init__(
        self,
        folder: Path,
        *,
        checks: bool = True,
        checks_in_background: bool = False,
        only: Collection[str] | None = None,
    ) -> None:
        """Read nothing yet. Without `checks`, full tables are used unchecked. If `checks_in_background`, large tables
        are missing until they are checked. With `only`, no other tables are opened.
        """
        self._checks = checks
        self._folder = folder
        self._checks_in_background = checks_in_background
        self._only = only
        self._seen: Mapping[TableFile, int] = {}
        self._tables: dict[TableFile, TableBytes] = {}
        """The intact tables. Replaced, never changed, since the background thread replaces it too."""
        self._tablebase: Tablebase | None = None
        self._opened_tables = self._tables
        """The tables of `_tablebase`."""
        self._opening_written = 0
        """When the opening file in `_tablebase` was written; 0 without one."""

    def tablebase(self, game: str) -> Tablebase | None:
        """Return a game's tables, or None if there are none."""
        if game != GAME:
            return None
        written = {file: _written_at(self._path_of(file)) for file in self._files()}
        if written != self._seen:
            self._seen = written
            self._open(written)
        tables, opening_written = self._tables, _written_at(opening_path(self._folder))
        if tables is not self._opened_tables or opening_written != self._opening_written:
            self._opened_tables, self._opening_written = tables, opening_written
            opening = self._opening()
            self._tablebase = _tablebase_of(tables, opening) if tables or opening else None
        return self._tablebase

    def _opening(self) -> OpeningAnswers:
        """Return the proved values of the opening."""
        try:
            return read_opening(self._folder)
        except (OSError, DamagedTableError) as error:
            log.warning("tablebase ignored", table=opening_path(self._folder).name, error=str(error))
            return NO_ANSWERS

    def _files(self) -> list[TableFile]:
        full, small = tables_in(self._folder), small_names_in(self._folder)
        files = [TableFile(name, False) for name in full] + [TableFile(name, True) for name in small]
        return [file for file in files if self._only is None or file.name in self._only]

    def _path_of(self, file: TableFile) -> Path:
        return small_path_of(self._folder, file.name) if file.is_small else path_of(self._folder, file.name)

    def _open(self, written: Mapping[TableFile, int]) -> None:
        """Open the existing tables, large ones in a separate thread."""
        large = [file for file in written if self._checks_in_background and self._size_of(file) >= LARGE_BYTES]
        sound = {file: self._opened(file, 0) for file in written if file not in large}
        self._tables = {file: table for file, table in sound.items() if table is not None}
        if large:
            threading.Thread(target=self._check_large, name=CHECKING, args=(written, large), daemon=True).start()

    def _check_large(self, written: Mapping[TableFile, int], files: list[TableFile]) -> None:
        """Add large intact tables until the files change."""
        for file in sorted(files, key=self._size_of):
            table = self._opened(file, PAUSE_SECONDS)
            if self._seen is not written:
                return
            if table is not None:
                self._tables = {**self._tables, file: table}

    def _size_of(self, file: TableFile) -> int:
        try:
            return self._path_of(file).stat().st_size
        except FileNotFoundError:
            return 0

    def _opened(self, file: TableFile, pause_seconds: float) -> TableBytes | None:
        try:
            if file.is_small:
                return open_small_table(self._folder, file.name, pause_seconds)
            if not self._checks:
                return map_table(self._folder, file.name).table
            return open_table(self._folder, file.name, pause_seconds).table
        except (OSError, DamagedTableError) as error:
            log.warning("tablebase ignored", table=file.name, error=str(error))
            return None


def _written_at(path: Path) -> int:
    """Return when a file was written, in nanoseconds; 0 if there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _tablebase_of(tables: Mapping[TableFile, TableBytes], opening: OpeningAnswers) -> Tablebase:
    full, small = (
        {file.name: table for file, table in tables.items() if file.is_small == is_small} for is_small in (False, True)
    )
    return Tablebase(find_game(GAME), full, MorrisResults(full, small, opening))
