"""Database files that are damaged in a way which SQLite would not report."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from millrace.server.storage.errors import StorageError
from millrace.server.storage.migrate import SUFFIXES, migrate


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database as a crash leaves it: some changes are in its log only."""
    served, crashed = tmp_path / "served.sqlite3", tmp_path / "crashed.sqlite3"
    asyncio.run(migrate(str(served)))
    with closing(sqlite3.connect(served)) as connection:
        connection.execute("CREATE TABLE lately (number INTEGER)")
        connection.commit()
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{served}{suffix}", f"{crashed}{suffix}")
    return crashed


@pytest.mark.parametrize("size", [None, 0, 1, 99])
def test_a_file_that_is_cut_off_beside_its_log_is_refused_and_the_log_kept(path: Path, size: int | None) -> None:
    content, log = path.read_bytes(), Path(f"{path}-wal")
    logged = log.read_bytes()
    if size is None:
        path.unlink()
    else:
        path.write_bytes(content[:size])
    with pytest.raises(StorageError, match=r"missing, empty or cut off"):
        asyncio.run(migrate(str(path)))
    assert log.read_bytes() == logged
    path.write_bytes(content)
    asyncio.run(migrate(str(path)))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM lately").fetchone() == (0,)


@pytest.mark.parametrize("size", [1, 99])
def test_a_file_that_is_cut_off_without_a_log_is_refused_and_kept(path: Path, size: int) -> None:
    Path(f"{path}-wal").unlink()
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(StorageError, match="is cut off"):
        asyncio.run(migrate(str(path)))
    assert path.stat().st_size == size


def test_no_empty_database_is_created_where_a_restore_was_killed(path: Path) -> None:
    """Between setting the former file aside and putting the restored one in its place."""
    for suffix in SUFFIXES:
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    Path(f"{path}.restoring").touch()
    with pytest.raises(StorageError, match="was broken off; run `millrace restore` again"):
        asyncio.run(migrate(str(path)))
    assert not path.exists()
