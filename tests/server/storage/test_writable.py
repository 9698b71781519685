"""An SQLite file whose log's index cannot be written is left alone: the next write to it would end the process."""

import os
import sqlite3
from pathlib import Path

import pytest

from millrace.server.app.stores import open_storage
from millrace.server.storage.errors import StorageError
from tests.server.journal.entries import MATCH, create, move, moves_of


async def test_nothing_is_read_or_written_until_the_index_can_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = await open_storage(str(tmp_path / "journal.db"))
    assert await create(stores.journal)
    may_access = os.access
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda path, mode: not str(path).endswith("-shm") and may_access(path, mode))
        with pytest.raises(StorageError, match=r"-shm is read-only or immutable"):
            await stores.journal.append(MATCH, 1, [move("a7")])
        with pytest.raises(StorageError, match=r"-shm is read-only or immutable"):
            await stores.journal.load(MATCH)
        with pytest.raises(StorageError, match=r"-shm is read-only or immutable"):
            await stores.accounts.sweep(0)
    assert await stores.journal.append(MATCH, 1, [move("d7")])
    assert moves_of(await stores.journal.load(MATCH)) == ["d7"]
    await stores.close()


async def test_the_last_connection_is_not_closed_while_the_index_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    stores = await open_storage(str(path))
    assert await create(stores.journal)
    may_access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("-shm") and may_access(path, mode))
    await stores.close()
    # The last connection that closes deletes the log.
    assert "journal.db-wal" in os.listdir(tmp_path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
    connection.close()
