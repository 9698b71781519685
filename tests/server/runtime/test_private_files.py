"""Nobody else may read what a server keeps."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from millrace.engine.games.morris.tablebase_index import entries_of, make_numbering
from millrace.engine.kernel_cache import VARIABLE, kernels_folder
from millrace.engine.tablebase.tables import codes_of
from millrace.engine.tablebase.verification import count_results
from millrace.server.app.stores import open_storage
from millrace.server.bots.tablebases.table_files import write_table
from millrace.server.runtime.settings import Settings
from millrace.server.storage.backup import write_backup
from millrace.server.storage.server_lock import take_server_lock


@pytest.fixture(params=[0, 0o022, 0o077], ids=oct)
def mask(request: pytest.FixtureRequest) -> Iterator[None]:
    """The process's mask of permissions."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def others_of(folder: Path) -> dict[str, int]:
    """Return what others may do with a folder and what is in it, where they may do anything."""
    permissions = {path.name: stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (folder, *folder.rglob("*"))}
    return {name: each for name, each in permissions.items() if each}


@pytest.mark.usefixtures("mask")
async def test_a_new_data_folder_and_all_files_in_it_are_private(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "parent" / "data")
    settings.make_data_dir()
    lock = await take_server_lock(settings.database_url)
    stores = await open_storage(settings.database_url)
    await write_backup(settings.database_url, settings.data_dir / "backup", 0, lambda: None)
    with closing(sqlite3.connect(settings.data_dir / "millrace.sqlite3")) as connection:
        connection.execute("PRAGMA user_version = 1")
        suffixes = {path.suffix for path in settings.data_dir.iterdir()}
        assert suffixes == {".sqlite3", ".sqlite3-wal", ".sqlite3-shm", ".lock", ""}
        assert others_of(settings.data_dir) == {}
    await stores.close()
    await lock.close()


@pytest.mark.usefixtures("mask")
def test_a_new_folder_of_tablebases_is_private(tmp_path: Path) -> None:
    table = np.zeros(entries_of(make_numbering(3), 3, 3), np.uint8)
    write_table(
        tmp_path / "tablebases", "3-3", table, count_results(make_numbering(3), (3, 3), codes_of(table, len(table)))
    )
    assert (tmp_path / "tablebases").stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("mask")
def test_nobody_else_may_write_where_kernels_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache" / "kernels"))
    folder = kernels_folder.__wrapped__()
    assert folder is not None
    for each in (folder, *folder.parents[:2]):
        assert each.stat().st_mode & 0o022 == 0


async def test_the_files_of_an_earlier_release_are_closed_to_others_but_a_folder_named_by_the_operator_is_not(
    tmp_path: Path,
) -> None:
    settings = Settings(data_dir=tmp_path / "shared")
    settings.data_dir.mkdir(mode=0o755)
    await (await open_storage(settings.database_url)).close()
    database = settings.data_dir / "millrace.sqlite3"
    database.chmod(0o644)
    settings.make_data_dir()
    await (await open_storage(settings.database_url)).close()
    assert others_of(settings.data_dir) == {"shared": 0o055}


async def test_the_usual_data_folder_of_an_earlier_release_is_closed_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    usual = tmp_path / "millrace"
    usual.mkdir(mode=0o755)
    Settings(data_dir=usual).make_data_dir()
    assert others_of(usual) == {}
