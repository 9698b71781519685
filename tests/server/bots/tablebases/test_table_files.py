"""Tablebase files: round trips, checks, and damaged ones."""

import os
import threading
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from millrace.engine.tablebase.pairs import pairs_up_to
from millrace.server.bots.tablebases import folder as tablebase_folder
from millrace.server.bots.tablebases.build import missing_pairs
from millrace.server.bots.tablebases.folder import TablebaseFolder
from millrace.server.bots.tablebases.table_files import (
    GAME,
    HEADER_BYTES,
    DamagedTableError,
    clear_unfinished,
    has_table,
    open_table,
    path_of,
    tables_in,
)
from millrace.server.runtime.settings import Settings


def found_in(tables: TablebaseFolder) -> set[str]:
    tablebase = tables.tablebase(GAME)
    return set() if tablebase is None else set(tablebase.tables)


def test_a_table_round_trips(folder: Path) -> None:
    assert tables_in(folder) == ("3-3", "3-4", "4-3")
    stored = open_table(folder, "3-4")
    assert stored.header.census.longest_win == 33
    assert len(stored.table) == stored.header.entries
    assert not stored.table.flags.writeable


def test_a_damaged_table_is_reported_and_not_used(damaged: Path) -> None:
    with pytest.raises(DamagedTableError, match="checksum"):
        open_table(damaged, "4-3")
    with capture_logs() as logs:
        assert found_in(TablebaseFolder(damaged)) == {"3-3", "3-4"}
    assert [(entry["table"], entry["log_level"]) for entry in logs] == [("4-3", "warning")]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff" * 2_000], ids=["empty", "cut short", "something else"])
def test_a_file_that_is_not_a_table_is_refused(tmp_path: Path, content: bytes) -> None:
    path_of(tmp_path, "3-3").write_bytes(content)
    with pytest.raises(DamagedTableError):
        open_table(tmp_path, "3-3")


def test_a_table_under_the_name_of_another_is_refused(folder: Path, tmp_path: Path) -> None:
    path_of(tmp_path, "4-3").write_bytes(path_of(folder, "3-4").read_bytes())
    with pytest.raises(DamagedTableError, match="another table"):
        open_table(tmp_path, "4-3")


def test_tables_added_later_are_found_and_used(folder: Path, tmp_path: Path) -> None:
    tables = TablebaseFolder(tmp_path)
    assert tables.tablebase(GAME) is None
    path_of(tmp_path, "3-3").write_bytes(path_of(folder, "3-3").read_bytes())
    tablebase = tables.tablebase(GAME)
    assert tablebase is not None
    assert tables.tablebase(GAME) is tablebase
    assert tables.tablebase("mingmang") is None


def test_large_tables_are_checked_in_the_background(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tablebase_folder, "LARGE_BYTES", 100_000)
    tables = TablebaseFolder(damaged, checks_in_background=True)
    with capture_logs() as logs:
        assert tables.tablebase(GAME) is None, "no table is small"
        for thread in threading.enumerate():
            if thread.name == tablebase_folder.CHECKING:
                thread.join(timeout=60)
    assert found_in(tables) == {"3-3", "3-4"}
    assert [entry["table"] for entry in logs] == ["4-3"]


def test_tables_of_an_earlier_version_are_still_used(folder: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert settings.tablebases_folder == tmp_path / "tablebases"
    earlier = tmp_path / "endings"
    earlier.mkdir()
    (earlier / "morris-3-3.endings").write_bytes(path_of(folder, "3-3").read_bytes())
    assert settings.tablebases_folder == earlier
    assert tables_in(earlier) == ("3-3",)
    assert has_table(earlier, "3-3")


def test_a_table_with_two_bytes_for_each_entry_is_outdated(folder: Path, tmp_path: Path) -> None:
    content = path_of(folder, "3-3").read_bytes()
    header = content[:HEADER_BYTES].replace(b'"format":2', b'"format":1')
    path_of(tmp_path, "3-3").write_bytes(header + content[HEADER_BYTES:])
    assert has_table(tmp_path, "3-3")
    path_of(tmp_path, "3-3").write_bytes(header.replace(b'"width":1', b'"width":2') + content[HEADER_BYTES:])
    with pytest.raises(DamagedTableError, match="another version"):
        open_table(tmp_path, "3-3")
    assert missing_pairs(tmp_path, pairs_up_to((3, 3)), lambda _pair: None) == ((3, 3),)


def test_only_abandoned_unfinished_files_are_removed(tmp_path: Path) -> None:
    left_behind, under_way = (tmp_path / f"morris-5-5.{process}.unfinished" for process in (11, 12))
    for path, written_at in ((left_behind, 1_000), (under_way, 9_000)):
        path.touch()
        os.utime(path, (written_at, written_at))
    clear_unfinished(tmp_path, now_seconds=9_030)
    assert list(tmp_path.iterdir()) == [under_way]


def test_another_folder_of_tables_can_be_used(tmp_path: Path) -> None:
    assert Settings(data_dir=tmp_path, tablebase=tmp_path / "elsewhere").tablebases_folder == tmp_path / "elsewhere"
