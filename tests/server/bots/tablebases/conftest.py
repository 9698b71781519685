"""Folders of tables."""

from pathlib import Path

import pytest

from millrace.engine.tablebase.pairs import pairs_up_to
from millrace.server.bots.tablebases.build import solve_and_write
from millrace.server.bots.tablebases.table_files import (
    HEADER_BYTES,
    path_of,
    tables_in,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables that a server builds by itself."""
    folder = tmp_path_factory.mktemp("data") / "tablebases"
    for pair in pairs_up_to((4, 3)):
        solve_and_write(folder, pair, threads=1)
    return folder


@pytest.fixture
def damaged(folder: Path, tmp_path: Path) -> Path:
    """A folder in which one byte of 4-3 is damaged."""
    for table in tables_in(folder):
        path_of(tmp_path, table).write_bytes(path_of(folder, table).read_bytes())
    with path_of(tmp_path, "4-3").open("r+b") as file:
        file.seek(HEADER_BYTES + 1_000)
        byte = file.read(1)[0]
        file.seek(HEADER_BYTES + 1_000)
        file.write(bytes([byte ^ 4]))
    return tmp_path
