"""Copies of an SQLite file in use: a copy without its write-ahead log is refused, any other is read."""

import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from millrace.server.app.stores import Stores, open_journal, open_storage
from millrace.server.journal.journal_store import Journal
from millrace.server.storage import checkpoints as checkpointing
from millrace.server.storage.errors import StorageError
from millrace.server.storage.log_mark import MAX_RENEWALS, check_log, log_path, read_header, read_log_salt
from millrace.server.storage.migrate import accept_copied_file, migrate
from tests.processes import child
from tests.server.journal.entries import MATCH, create, move, moves_of

REPOSITORY = Path(__file__).parents[3]
MOVES = [str(number) for number in range(60)]


PLAY_AND_CRASH = """
import asyncio, os, signal, sys
from pathlib import Path
from tests.server.storage.test_log_mark import play, serve

async def main(path):
    stores = await serve(path)
    await play(stores.journal)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main(Path(sys.argv[1])))
"""


async def serve(path: Path) -> Stores:
    return await open_storage(str(path), is_served=True)


async def play(journal: Journal, copy: Callable[[int], None] | None = None) -> None:
    """Play a match; after each move, copy what is on the disk."""
    assert await create(journal)
    for number, text in enumerate(MOVES):
        assert await journal.append(MATCH, 1 + number, [move(text)])
        if copy is not None:
            copy(number)


def copy_to(source: Path, folder: Path, *, with_log: bool) -> Path:
    folder.mkdir(exist_ok=True)
    copy = folder / source.name
    if not with_log:
        shutil.copyfile(source, copy)
        return copy
    salt = None
    while salt is None or salt != read_log_salt(source):
        # Again, if the log has begun anew in between.
        salt = read_log_salt(source)
        shutil.copyfile(source, copy)
        shutil.copyfile(log_path(source), log_path(copy))
    return copy


async def read_moves(path: Path) -> list[str]:
    journal = await open_journal(str(path))
    try:
        return moves_of(await journal.load(MATCH))
    finally:
        await journal.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
async def played(path: Path) -> Stores:
    """The stores of the file, while it is served and has a match; the test closes them."""
    opened = await serve(path)
    await play(opened.journal)
    return opened


@pytest.mark.parametrize("events_between", [1, 7, 8_000])
async def test_at_every_moment_a_copy_without_the_log_is_refused_and_one_with_it_is_whole(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, events_between: int
) -> None:
    monkeypatch.setattr(checkpointing, "EVENTS_BETWEEN", events_between)
    stores = await serve(path)

    def copy(number: int) -> None:
        copy_to(path, tmp_path / f"alone{number}", with_log=False)
        copy_to(path, tmp_path / f"both{number}", with_log=True)

    await play(stores.journal, copy)
    await stores.close()
    for number in range(len(MOVES)):
        with pytest.raises(StorageError, match=r"without the file journal.db-wal that holds its last moves"):
            await migrate(str(tmp_path / f"alone{number}" / path.name))
        moves = await read_moves(tmp_path / f"both{number}" / path.name)
        assert moves == MOVES[: number + 1]


async def test_the_file_of_a_server_that_has_stopped_needs_no_log(played: Stores, path: Path, tmp_path: Path) -> None:
    await played.close()
    assert not log_path(path).exists()
    assert await read_moves(copy_to(path, tmp_path / "copy", with_log=False)) == MOVES


@pytest.mark.parametrize("how", ["backup", "vacuum"])
async def test_copies_by_sqlite_itself_are_whole_and_can_be_served(
    played: Stores, path: Path, tmp_path: Path, how: str
) -> None:
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        if how == "backup":
            source.backup(target)
        else:
            source.execute("VACUUM INTO ?", (f"{copy}2",))
            copy = Path(f"{copy}2")
    await played.close()
    again = await serve(copy)
    assert moves_of(await again.journal.load(MATCH)) == MOVES
    assert await again.journal.append(MATCH, 1 + len(MOVES), [move("next")])
    with pytest.raises(StorageError, match="without the file"):
        check_log(copy_to(copy, tmp_path / "alone", with_log=False))
    await again.close()


async def test_after_a_crash_any_command_may_open_the_file_first(played: Stores, path: Path, tmp_path: Path) -> None:
    crashed = copy_to(path, tmp_path / "crashed", with_log=True)
    await played.close()
    assert await read_moves(crashed) == MOVES
    assert not log_path(crashed).exists()
    assert await read_moves(crashed) == MOVES


async def test_after_a_crash_another_program_may_copy_the_log_into_the_file(
    processes: None, path: Path, tmp_path: Path
) -> None:
    async with child(sys.executable, "-c", PLAY_AND_CRASH, str(path), cwd=REPOSITORY) as crashed:
        assert await crashed.wait() == -signal.SIGKILL
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (1 + len(MOVES),)
    assert not log_path(path).exists()
    with pytest.raises(StorageError, match="without the file"):
        await migrate(str(copy_to(path, tmp_path / "copy", with_log=False)))
    assert await read_moves(path) == MOVES


async def test_a_log_of_another_file_is_refused(played: Stores, path: Path, tmp_path: Path) -> None:
    copy = copy_to(path, tmp_path / "copy", with_log=True)
    await played.close()
    log = bytearray(log_path(copy).read_bytes())
    header = read_header(copy)
    assert header is not None
    for other in (header.log_salt - 1, header.log_salt + MAX_RENEWALS + 1):
        log[16:20] = (other % (1 << 32)).to_bytes(4, "big")
        log_path(copy).write_bytes(log)
        with pytest.raises(StorageError, match="do not belong together"):
            await migrate(str(copy))


async def test_a_copy_can_be_accepted_as_it_is(played: Stores, path: Path, tmp_path: Path) -> None:
    copy = copy_to(path, tmp_path / "copy", with_log=False)
    await played.close()
    assert await accept_copied_file(str(copy))
    assert not await accept_copied_file(str(copy))
    assert await read_moves(copy) == MOVES[: len(await read_moves(copy))]
