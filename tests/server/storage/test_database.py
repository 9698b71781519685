"""Closing a database closes all its connections, including those in use; many rows are stored in portions."""

import asyncio
import gc
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from millrace.server.storage.address import parse_address
from millrace.server.storage.database import ROWS_AT_ONCE, Database
from tests.waiting import until


async def test_closing_waits_for_connections_that_are_in_use(tmp_path: Path) -> None:
    database = Database(parse_address(str(tmp_path / "test.sqlite3")))
    is_used, may_end = asyncio.Event(), asyncio.Event()

    async def use() -> None:
        async with database.begin() as connection:
            await connection.execute(text("CREATE TABLE numbers (number INTEGER)"))
            is_used.set()
            await may_end.wait()

    using = asyncio.create_task(use())
    await is_used.wait()
    closing = asyncio.create_task(database.close())
    done, _ = await asyncio.wait((closing,), timeout=0.05)
    assert not done
    may_end.set()
    await asyncio.gather(using, closing)
    gc.collect()  # which would warn of a connection that was not closed


async def test_a_connection_that_hangs_does_not_hold_up_closing_for_long(tmp_path: Path) -> None:
    database = Database(parse_address(str(tmp_path / "test.sqlite3")))
    is_used = asyncio.Event()

    async def hang() -> None:
        async with database.begin() as connection:
            is_used.set()
            try:
                await asyncio.Event().wait()
            finally:
                await connection.invalidate()

    hanging = asyncio.create_task(hang())
    await is_used.wait()
    await database.close()
    hanging.cancel()
    await asyncio.wait((hanging,))
    await database.close()


async def test_a_statement_is_run_for_each_of_many_rows(tmp_path: Path) -> None:
    database = Database(parse_address(str(tmp_path / "test.sqlite3")))
    await database.execute(text("CREATE TABLE numbers (number INTEGER)"))
    rows = [{"number": number} for number in range(2 * ROWS_AT_ONCE + 1)]
    await database.execute_for_each(text("INSERT INTO numbers VALUES (:number)"), rows)
    await database.execute_for_each(text("INSERT INTO numbers VALUES (:number)"), [])
    assert await database.values(int, text("SELECT number FROM numbers ORDER BY number")) == list(range(len(rows)))
    await database.close()


async def test_a_change_of_the_file_by_another_process_is_noticed_without_reading(tmp_path: Path) -> None:
    path = tmp_path / "test.sqlite3"
    database = Database(parse_address(str(path)))
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE numbers (number INTEGER)")
        await until(lambda: database.last_change() is not None)
        before = database.last_change()
        with other:
            other.execute("INSERT INTO numbers VALUES (1)")
        assert database.last_change() != before
        await until(lambda: database.last_change() not in (None, before))
    await database.close()
