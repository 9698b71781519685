"""Backups: everything that was committed at one moment, from either kind of database into either kind."""

import asyncio
import gzip
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from millrace.protocol import CommandId, MatchId
from millrace.server.app.stores import open_journal
from millrace.server.journal.entries import Origin
from millrace.server.storage.backup import write_backup
from millrace.server.storage.backup_file import ROWS_IN_A_LINE, BackupError, check_backup
from millrace.server.storage.errors import StorageError
from millrace.server.storage.migrate import migrate
from millrace.server.storage.restoring import restore_backup
from millrace.server.storage.server_lock import take_server_lock
from tests.server.databases import downgrade, fresh_postgres
from tests.server.journal.entries import create, move, moves_of
from tests.server.storage.full_tables import run_on
from tests.server.storage.old_rows import OLD_ROWS

NOW_MS = 1_800_000_000_000


def nothing() -> None:
    """No progress is shown."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def restored_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of another empty database, of every kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'restored.db'}"
    else:
        with fresh_postgres() as url:
            yield url


async def back_up(url: str, path: Path) -> None:
    await write_backup(url, path, NOW_MS, nothing)


async def restore(url: str, path: Path, *, replaces: bool = False) -> str:
    return (await restore_backup(url, path, NOW_MS, nothing, replaces=replaces))[1]


def lines_of(path: Path) -> list[bytes]:
    """Return the rows of a backup; truth values as SQLite has them."""
    lines = gzip.decompress(path.read_bytes()).replace(b"true", b"1").replace(b"false", b"0").splitlines()
    return sorted(lines[1:-1])


async def test_a_backup_is_the_same_after_it_was_restored_to_either_kind(
    empty_url: str, restored_url: str, tmp_path: Path
) -> None:
    await migrate(empty_url)
    await asyncio.to_thread(downgrade, empty_url, "0012")
    await run_on(empty_url, *OLD_ROWS)
    journal = await open_journal(empty_url)
    for number in range(3):
        match = MatchId(f"match{number}")
        assert await create(journal, match, Origin(f"anna{number}", CommandId("create")))
        for seq in range(1, ROWS_IN_A_LINE // 2):
            assert await journal.append(match, seq, [move(f"{seq}", 0, f"command {seq}")])
    await journal.close()
    await back_up(empty_url, tmp_path / "first")
    assert not await restore(restored_url, tmp_path / "first")
    await back_up(restored_url, tmp_path / "second")
    assert lines_of(tmp_path / "second") == lines_of(tmp_path / "first")
    assert not await migrate(restored_url)
    journal = await open_journal(restored_url)
    recorded = await journal.load(MatchId("match2"))
    assert moves_of(recorded) == [f"{seq}" for seq in range(1, ROWS_IN_A_LINE // 2)]
    assert not await journal.append(MatchId("match2"), len(recorded), [move("again", 0, "command 1")])
    assert await journal.append(MatchId("match2"), len(recorded), [move("next", 0, "next")])
    await journal.close()


@pytest.mark.parametrize("revision", ["0012", "0013", "0020"])
async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    empty_url: str, tmp_path: Path, revision: str
) -> None:
    await migrate(empty_url, revision)
    await run_on(empty_url, "INSERT INTO heartbeats VALUES ('node', 7)")
    await back_up(empty_url, tmp_path / "old.backup")
    await restore(empty_url, tmp_path / "old.backup", replaces=True)
    assert not await migrate(empty_url)
    journal = await open_journal(empty_url)
    assert await journal.last_beat_ms() == 7
    await journal.close()


async def test_a_backup_from_before_the_first_migration_is_refused_in_words(empty_url: str, tmp_path: Path) -> None:
    await migrate(empty_url, "0012")
    await run_on(empty_url, "UPDATE alembic_version SET version_num = '0011'")
    await back_up(empty_url, tmp_path / "old.backup")
    with pytest.raises(StorageError, match=r"old\.backup are of revision 0011, from before Millrace 0\.1\.0"):
        await restore(empty_url, tmp_path / "old.backup", replaces=True)


async def test_a_database_is_replaced_only_on_request_and_kept(empty_url: str, tmp_path: Path) -> None:
    journal = await open_journal(empty_url)
    assert await create(journal)
    await journal.close()
    await back_up(empty_url, tmp_path / "one.backup")
    journal = await open_journal(empty_url)
    assert await create(journal, MatchId("later"), Origin("anna", CommandId("later")))
    await journal.close()
    with pytest.raises(StorageError, match="exists; name another one, or add --replace"):
        await restore(empty_url, tmp_path / "one.backup")
    kept = await restore(empty_url, tmp_path / "one.backup", replaces=True)
    journal = await open_journal(empty_url)
    assert len(await journal.unfinished()) == 1
    await journal.close()
    if empty_url.startswith("sqlite"):
        with closing(sqlite3.connect(kept)) as former:
            assert former.execute("SELECT count(*) FROM matches").fetchone() == (2,)
    else:
        await run_on(empty_url, f'SELECT 1 / (count(*) - 1) FROM "{kept}".matches')


async def test_a_database_that_is_served_is_not_replaced(empty_url: str, tmp_path: Path) -> None:
    await (await open_journal(empty_url)).close()
    await back_up(empty_url, tmp_path / "one.backup")
    lock = await take_server_lock(empty_url)
    with pytest.raises(StorageError, match=r"Another server .* serves the database"):
        await restore(empty_url, tmp_path / "one.backup", replaces=True)
    await lock.close()


def content_of(zipped: bytes) -> bytes | None:
    """Return what a damaged gzip file holds; None if it cannot be read."""
    try:
        return gzip.decompress(zipped)
    except (OSError, EOFError, zlib.error):
        return None


async def test_every_damage_to_a_backup_is_noticed(tmp_path: Path) -> None:
    url = str(tmp_path / "journal.db")
    journal = await open_journal(url)
    assert await create(journal)
    await journal.close()
    whole = tmp_path / "whole.backup"
    await back_up(url, whole)
    check_backup(whole)
    content = whole.read_bytes()
    damaged = tmp_path / "damaged.backup"
    changes = [content[:length] for length in range(0, len(content), 7)]
    text = gzip.decompress(content)
    # The header of gzip, of ten bytes, has a time and an operating system, which say nothing of the content. Neither do
    # the bits that fill bytes up.
    flipped = [content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in range(10, len(content), 5)]
    changes += [each for each in flipped if content_of(each) != text]
    changes += [gzip.compress(text.replace(b"anna", b"eve!")), gzip.compress(b"".join(text.splitlines(True)[:-1]))]
    changes += [b"", b"no backup", gzip.compress(b'{"format": 2}')]
    for changed in changes:
        damaged.write_bytes(changed)
        with pytest.raises(BackupError):
            check_backup(damaged)
        with pytest.raises(BackupError):
            await restore(str(tmp_path / "new.db"), damaged)
    assert not (tmp_path / "new.db").exists()


async def test_a_backup_is_private_and_replaces_a_former_one_only_when_complete(tmp_path: Path) -> None:
    url = str(tmp_path / "journal.db")
    await (await open_journal(url)).close()
    path = tmp_path / "one.backup"
    await back_up(url, path)
    assert path.stat().st_mode & 0o077 == 0
    before = path.read_bytes()
    with pytest.raises(StorageError):
        await back_up(str(tmp_path / "missing.db"), path)
    assert path.read_bytes() == before
    assert not [name for name in os.listdir(tmp_path) if "unfinished" in name]
