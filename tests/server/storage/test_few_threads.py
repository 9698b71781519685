"""Storage where the system allows no further thread."""

import sqlite3
import threading
from pathlib import Path

import pytest

from millrace.server.storage.address import parse_address
from millrace.server.storage.checkpoints import EVENTS_BETWEEN, Checkpointer
from millrace.server.storage.database import Database
from millrace.server.storage.errors import StorageError


@pytest.fixture
def _no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)


@pytest.mark.usefixtures("_no_thread")
async def test_a_database_that_gets_no_thread_says_so(tmp_path: Path) -> None:
    database = Database(parse_address(str(tmp_path / "test.sqlite3")))
    with pytest.raises(StorageError, match="does not allow this process enough threads"):
        await database.open_connections()


@pytest.mark.usefixtures("_no_thread")
def test_a_checkpoint_that_gets_no_thread_is_left_for_later(tmp_path: Path) -> None:
    file = tmp_path / "test.sqlite3"
    writer, checkpointer = sqlite3.connect(file), Checkpointer(file)
    checkpointer.note(EVENTS_BETWEEN)
    checkpointer.proceed(writer)
    assert not checkpointer.is_due
    checkpointer.close()
    writer.close()
