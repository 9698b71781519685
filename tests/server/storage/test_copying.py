"""A copy of one database into another, of either kind, holds every row, whenever it is interrupted."""

import asyncio
import os
import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, Column, Identity, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.ext.asyncio import AsyncConnection

from millrace.client import ME, connect
from millrace.server.app.stores import open_storage
from millrace.server.app.tables import metadata
from millrace.server.storage import copying
from millrace.server.storage.address import describe, parse_address
from millrace.server.storage.backup import write_backup
from millrace.server.storage.copying import Copied, open_copy
from millrace.server.storage.database import open_engine
from millrace.server.storage.errors import MovedError, StorageError
from millrace.server.storage.migrate import head_revision, migrate
from millrace.server.storage.restoring import restore_backup
from millrace.server.storage.server_lock import take_server_lock
from tests.commands import finish, output_of, run, start
from tests.server.databases import downgrade, read_value
from tests.server.starting import start_server
from tests.server.storage.full_tables import fill_tables, rows_of, run_on
from tests.waiting import wait_until

ROWS = 7
"""Rows of each table: more than one batch of those below, the last one not full."""


class KilledError(Exception):
    """The end of a run at a chosen step."""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(copying, "ROWS_IN_A_BATCH", 4)


@pytest.fixture
def source(tmp_path: Path, migrated_file: Path) -> str:
    """The address of an SQLite database with rows in every table."""
    address = f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'source.sqlite3')}"
    asyncio.run(fill_tables(address, metadata, ROWS))
    return address


def kill_after(steps: int) -> Callable[[], None]:
    left = iter(range(steps))

    def step() -> None:
        if next(left, None) is None:
            raise KilledError

    return step


async def copy(
    source: str, target: str, step: Callable[[], None] = lambda: None, tables: MetaData = metadata
) -> Copied:
    async with open_copy(source, target, tables) as opened:
        return await opened.run(step)


async def check(source: str, target: str) -> Copied:
    async with open_copy(source, target, metadata) as opened:
        return await opened.check(lambda: None)


async def test_every_row_of_every_table_is_copied_into_either_kind_and_back(
    source: str, empty_url: str, tmp_path: Path
) -> None:
    copied = await copy(source, empty_url)
    assert copied.rows == dict.fromkeys(metadata.tables, ROWS)
    assert (copied.replaced, list(copied.gaps)) == (0, [])
    assert not await migrate(empty_url)
    assert await rows_of(empty_url, metadata) == await rows_of(source, metadata)
    back = f"sqlite:///{tmp_path / 'back.sqlite3'}"
    assert await copy(empty_url, back) == copied
    assert await rows_of(back, metadata) == await rows_of(source, metadata)


async def test_a_copy_that_is_interrupted_anywhere_goes_on_and_is_not_served_before_it_is_whole(
    source: str, empty_url: str, tmp_path: Path
) -> None:
    steps, last = 0, False
    while not last:
        steps += 1
        try:
            # The rows at which the run before has ended are compared first, and count as steps too.
            await copy(source, empty_url, kill_after(40 * steps))
            last = True
        except KilledError:
            with pytest.raises(StorageError, match=r"is an unfinished copy of .*source\.sqlite3; finish it"):
                await open_storage(empty_url)
            with pytest.raises(StorageError, match="is an unfinished copy of another one; finish it first"):
                await write_backup(empty_url, tmp_path / "backup", 0, lambda: None)
    assert steps > 4
    assert await rows_of(empty_url, metadata) == await rows_of(source, metadata)
    await (await open_storage(empty_url)).close()


async def test_a_database_that_was_copied_is_refused_until_it_is_opened_again(
    source: str, empty_url: str, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    await write_backup(source, backup, 0, lambda: None)
    await copy(source, empty_url)
    place = describe(parse_address(empty_url))
    words = f"is out of date: it was copied into {place}. Name that one with --database or MILLRACE_DATABASE"
    with pytest.raises(MovedError, match=re.escape(words)):
        await open_storage(source)
    with pytest.raises(MovedError, match=r"migrate --reopen --database .*source\.sqlite3$"):
        await write_backup(source, tmp_path / "again", 0, lambda: None)
    with pytest.raises(MovedError):
        await restore_backup(source, backup, 0, lambda: None, replaces=True)
    with pytest.raises(MovedError):
        await copy(source, f"sqlite:///{tmp_path / 'other.sqlite3'}")
    await (await open_storage(empty_url)).close()
    assert not await migrate(source, reopens=True)
    await (await open_storage(source)).close()
    await restore_backup(source, backup, 0, lambda: None, replaces=True)


@pytest.mark.postgres
async def test_a_postgresql_database_that_was_copied_is_refused_too(
    source: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    await copy(source, empty_postgres_url)
    back = f"sqlite:///{tmp_path / 'back.sqlite3'}"
    await copy(empty_postgres_url, back)
    with pytest.raises(MovedError, match=r"was copied into .*back\.sqlite3"):
        await open_storage(empty_postgres_url)
    with pytest.raises(MovedError, match=r"was copied into .*back\.sqlite3"):
        await write_backup(empty_postgres_url, tmp_path / "none", 0, lambda: None)
    await write_backup(back, tmp_path / "backup", 0, lambda: None)
    with pytest.raises(MovedError):
        await restore_backup(empty_postgres_url, tmp_path / "backup", 0, lambda: None, replaces=True)
    await migrate(empty_postgres_url, reopens=True)
    await (await open_storage(empty_postgres_url)).close()


@pytest.mark.parametrize("last", ["mark_moved", "end_copy", "set_sequences"])
async def test_a_copy_that_ends_at_its_last_steps_leaves_no_database_unusable(
    source: str, empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    def end(*_: object) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(copying, last, end)
        with pytest.raises(KilledError):
            await copy(source, empty_postgres_url)
    await (await open_storage(source)).close()
    await copy(source, empty_postgres_url)
    await (await open_storage(empty_postgres_url)).close()


async def test_a_copy_that_ends_before_the_original_is_marked_leaves_both_usable(
    source: str, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def end(_: object) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(AsyncConnection, "commit", end)
        with pytest.raises(KilledError):
            await copy(source, empty_url)
    await (await open_storage(source)).close()
    await (await open_storage(empty_url)).close()


async def test_progress_has_as_many_steps_as_were_counted(source: str, tmp_path: Path) -> None:
    taken = []
    async with open_copy(source, f"sqlite:///{tmp_path / 'target.sqlite3'}", metadata) as opened:
        counted = await opened.count_steps()
        await opened.run(lambda: taken.append(1))
    assert len(taken) == counted == 2 * 4 * len(metadata.tables)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET body = 'changed' WHERE match LIKE '001%'",
        "DELETE FROM events WHERE match LIKE '002%'",
        "INSERT INTO events VALUES ('000', 1, 5, 0, NULL, 'before all others')",
        "INSERT INTO events VALUES ('999', 1, 5, 0, NULL, 'behind all others')",
        "DELETE FROM events",
    ],
)
async def test_what_has_changed_in_the_source_between_two_runs_is_copied_as_it_is_now(
    source: str, tmp_path: Path, change: str
) -> None:
    target = f"sqlite:///{tmp_path / 'target.sqlite3'}"
    with pytest.raises(KilledError):
        await copy(source, target, kill_after(4 * len(metadata.tables)))
    await run_on(source, change)
    await copy(source, target)
    assert await rows_of(target, metadata) == await rows_of(source, metadata)


async def test_texts_that_postgresql_cannot_store_keep_everything_else(source: str, empty_postgres_url: str) -> None:
    await run_on(
        source,
        "UPDATE profiles SET bio = 'nul:' || char(0) || '!' WHERE identity LIKE '001%'",
        "UPDATE profiles SET bio = CAST(x'61EDA08062' AS TEXT) WHERE identity LIKE '002%'",
    )
    assert (await copy(source, empty_postgres_url)).replaced == 2
    bios = {row[1] for row in (await rows_of(empty_postgres_url, metadata))["profiles"]}
    assert {"nul:\ufffd!", "a\ufffd\ufffd\ufffdb"} <= bios
    assert (await check(source, empty_postgres_url)).replaced == 2


async def test_a_value_that_does_not_fit_is_refused_with_its_table(source: str, empty_postgres_url: str) -> None:
    await run_on(source, "UPDATE chat_lines SET number = 3000000000 WHERE number > 0")
    with pytest.raises(StorageError, match=r"rows of the table chat_lines cannot be copied: .* out of .* range"):
        await copy(source, empty_postgres_url)


async def test_matches_with_gaps_are_copied_and_named(source: str, empty_url: str) -> None:
    await run_on(source, "INSERT INTO events VALUES ('gap', 1, 5, 0, NULL, '{}'), ('gap', 3, 5, 0, NULL, '{}')")
    await run_on(source, "INSERT INTO events VALUES ('late', 2, 5, 0, NULL, '{}')")
    assert list((await copy(source, empty_url)).gaps) == ["gap", "late"]


async def test_rows_that_differ_are_noticed(source: str, empty_url: str) -> None:
    await copy(source, empty_url)
    await check(source, empty_url)
    await run_on(empty_url, "UPDATE ratings SET mu = mu + 1e-9 WHERE identity LIKE '004%'")
    await run_on(empty_url, "DELETE FROM blocks WHERE whom LIKE '004%'")
    with pytest.raises(StorageError, match=r"blocks \(6 rows there, 7 here\), ratings \(7 rows there, 7 here\)$"):
        await check(source, empty_url)


async def test_a_database_that_is_in_use_or_not_empty_is_refused(source: str, empty_url: str, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no database"):
        await copy(f"sqlite:///{tmp_path / 'missing.sqlite3'}", empty_url)
    with pytest.raises(StorageError, match="name the same database"):
        await copy(source, str(tmp_path / "." / "source.sqlite3"))
    await migrate(empty_url)
    for served in (source, empty_url):
        lock = await take_server_lock(served)
        with pytest.raises(StorageError, match=r"Another server .* serves the database"):
            await copy(source, empty_url)
        await lock.close()
    await run_on(empty_url, "INSERT INTO heartbeats VALUES ('node', 7)")
    with pytest.raises(StorageError, match="is not empty: it has rows in heartbeats; name an empty one"):
        await copy(source, empty_url)


async def test_an_unfinished_copy_of_another_database_is_refused(source: str, empty_url: str, tmp_path: Path) -> None:
    with pytest.raises(KilledError):
        await copy(source, empty_url, kill_after(20))
    other = shutil.copyfile(parse_address(source).database or "", tmp_path / "other.sqlite3")
    with pytest.raises(StorageError, match=r"is an unfinished copy of .*source\.sqlite3, not of .*other\.sqlite3"):
        await copy(f"sqlite:///{other}", empty_url)


async def test_databases_of_other_versions_are_refused(source: str, empty_url: str) -> None:
    await migrate(empty_url)
    await run_on(empty_url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageError, match="has the tables of a newer version"):
        await copy(source, empty_url)
    with pytest.raises(StorageError, match="has the tables of a newer version"):
        await copy(empty_url, source)
    await run_on(empty_url, f"UPDATE alembic_version SET version_num = '{head_revision()}'")
    await asyncio.to_thread(downgrade, empty_url, "-1")
    with pytest.raises(StorageError, match=r"has the tables of an older version .* millrace migrate --database"):
        await copy(source, empty_url)
    with pytest.raises(StorageError, match="has the tables of an older version"):
        await copy(empty_url, source)


async def test_nobody_writes_to_the_source_meanwhile(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("millrace.server.storage.database.BUSY_SECONDS", 0.1)
    async with open_copy(source, f"sqlite:///{tmp_path / 'target.sqlite3'}", metadata) as opened:
        with pytest.raises(Exception, match="locked"):
            await run_on(source, "DELETE FROM events")
        await opened.run(lambda: None)


NUMBERED = MetaData()
Table(
    "numbered",
    NUMBERED,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("other", BigInteger, Identity(start=5), primary_key=True),
    Column("text", Text),
    Column("content", LargeBinary),
)


@pytest.mark.postgres
async def test_a_new_table_is_copied_and_postgresql_numbers_its_next_rows(source: str, empty_postgres_url: str) -> None:
    await migrate(empty_postgres_url)
    for address in (source, empty_postgres_url):
        engine = open_engine(parse_address(address))
        async with engine.begin() as connection:
            await connection.run_sync(NUMBERED.create_all)
        await engine.dispose()
    await run_on(source, "INSERT INTO numbered VALUES (7, 70, 'x', x'00ff'), (9, 90, NULL, NULL)")
    assert (await copy(source, empty_postgres_url, tables=NUMBERED)).rows == {"numbered": 2}
    await run_on(empty_postgres_url, "INSERT INTO numbered (text) VALUES ('next')")
    rows = (await rows_of(empty_postgres_url, NUMBERED))["numbered"]
    assert rows == [(10, 91, "next", None), (7, 70, "x", b"\x00\xff"), (9, 90, None, None)]


@pytest.mark.postgres
def test_the_command_goes_on_after_it_was_killed(
    source: str, empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "ROWS_AT_ONCE", 500)
    monkeypatch.setattr(copying, "ROWS_IN_A_BATCH", 5000)
    asyncio.run(
        run_on(
            source,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
            "INSERT INTO events SELECT 'long', i, i, 0, NULL, '{\"type\": \"moved\"}' FROM n",
        )
    )
    arguments = ("migrate", "--from", source, "--to", empty_postgres_url)
    process = start(*arguments)
    wait_until(lambda: read_value(empty_postgres_url, "SELECT to_regclass('events') IS NOT NULL"))
    wait_until(lambda: read_value(empty_postgres_url, "SELECT EXISTS (SELECT 1 FROM events)"))
    os.killpg(process.pid, signal.SIGKILL)
    finish(process)
    assert output_of(*arguments).splitlines() == [
        f"Copied {60_000 + ROWS * len(metadata.tables):,} rows in {len(metadata.tables)} tables: "
        f"{ROWS} matches, {60_000 + ROWS:,} events, {ROWS} accounts.",
        "Both databases have the same number of rows and checksum in each table.",
        "The events of every match are numbered without gaps.",
        "From now on, servers and commands refuse the old database, which keeps its rows.",
    ]
    refused = output_of("export", "-", "--database", source, code=1)
    assert "was copied into postgresql://" in refused
    assert output_of("migrate", "--reopen", "--database", source) == "The database is up to date.\n"
    assert "is not empty" in output_of(*arguments, code=1)
    assert output_of(*arguments, "--check").startswith("Compared ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--from", "sqlite:///one.sqlite3"), "name it with --from and the new one with --to"),
        (("--to", "sqlite:///one.sqlite3"), "name it with --from and the new one with --to"),
        (("--check",), "name it with --from and the new one with --to"),
        (("--from", "a.db", "--to", "b.db", "--database", "c.db"), "give no other database"),
        (("--from", "oracle://host/name", "--to", "b.db"), "supports no database at 'oracle://'"),
        (("--from", "word", "--to", "b.db"), "there is no database 'word'"),
        (("--from", "./missing.sqlite3", "--to", "postgresql://127.0.0.1:1/none"), "there is no database missing"),
    ],
)
def test_the_command_refuses_other_arguments_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    code, output = run("migrate", *arguments)
    assert code in (1, 2)
    assert words in output
    assert output.startswith("millrace: ")
    assert output.count("\n") == 1


async def test_a_server_goes_on_with_a_match_from_the_copy(tmp_path: Path, migrated_file: Path, empty_url: str) -> None:
    address = f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'source.sqlite3')}"
    started = await start_server(address)
    async with connect(f"localhost:{started.port}") as ann:
        match = (await ann.create("morris", [ME, ME])).match
        await ann.play(match, 0, "a1")
        await ann.play(match, 1, "d1")
    await started.close()
    await copy(address, empty_url)
    started = await start_server(empty_url)
    async with connect(f"localhost:{started.port}", token=ann.token) as again:
        await again.play(match, 0, "a7")
    await started.close()
