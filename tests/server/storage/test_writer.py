"""The batch writer: a failed, broken, locked or cancelled append harms no other."""

import asyncio
import gc
import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import pytest

from millrace.protocol import CommandId, MatchId
from millrace.server.app.stores import open_journal
from millrace.server.journal.entries import Origin
from millrace.server.runtime import metrics
from millrace.server.storage import checkpoints
from millrace.server.storage import database as databases
from millrace.server.storage.appends import Append, Outcome
from millrace.server.storage.errors import StorageError
from millrace.server.storage.writer import Writer
from tests.server.journal.entries import MATCH, create, move, moves_of
from tests.server.metric_values import count_and_seconds

LOG_BYTES_OF_1000_BATCHES = 2_500_000
"""Of four moves each: at least two pages of 1 KiB and their headers."""


class ScriptedTarget:
    """A `Target` that fails or waits on demand."""

    def __init__(self) -> None:
        self.failures: list[Exception] = []
        self.written: list[Append] = []
        self.begun = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        self.begun.set()
        await self.open.wait()
        if self.failures:
            raise self.failures.pop()
        self.written += appends
        return [True] * len(appends)


@pytest.mark.parametrize("failure", [StorageError("the disk is full"), ZeroDivisionError()])
async def test_a_failed_batch_is_told_to_each_who_waits_and_the_next_is_written(failure: Exception) -> None:
    target = ScriptedTarget()
    writer = Writer(target)
    target.failures.append(failure)
    first, second, third = (Append(MatchId(f"{n}")) for n in range(3))
    outcomes = await asyncio.gather(writer.append(first), writer.append(second), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StorageError, StorageError]
    assert await writer.append(third)
    assert target.written == [third]
    await writer.close()


async def test_the_time_of_each_commit_is_measured() -> None:
    target = ScriptedTarget()
    writer = Writer(target)
    before = count_and_seconds(metrics.COMMIT_SECONDS)
    target.open.clear()
    appended = asyncio.gather(*(writer.append(Append(MatchId(f"{n}"))) for n in range(3)))
    await target.begun.wait()
    await asyncio.sleep(0.02)  # the time that is measured
    target.open.set()
    await appended
    await writer.close()
    count, seconds = count_and_seconds(metrics.COMMIT_SECONDS)
    assert count == before[0] + 1, "one batch"
    assert 0.015 < seconds - before[1] < 60


async def test_an_append_is_written_though_its_caller_is_cancelled() -> None:
    target = ScriptedTarget()
    writer = Writer(target)
    target.open.clear()
    first, second, third = (Append(MatchId(f"{n}")) for n in range(3))
    being_written = asyncio.ensure_future(writer.append(first))
    await target.begun.wait()
    pending = [asyncio.ensure_future(writer.append(append)) for append in (second, third)]
    being_written.cancel()
    target.open.set()
    assert all(await asyncio.gather(*pending))
    assert being_written.cancelled()
    assert target.written == [first, second, third]
    await writer.close()


async def test_a_file_that_is_locked_for_too_long_fails_the_append_and_serves_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "BUSY_SECONDS", 0.0)
    journal = await open_journal(str(tmp_path / "journal.db"))
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="locked"):
        await create(journal)
    other.execute("ROLLBACK")
    other.close()
    assert await create(journal)
    await journal.close()


async def test_a_failure_that_nobody_awaits_is_not_logged_as_unseen() -> None:
    loop, complaints = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    target = ScriptedTarget()
    target.failures.append(StorageError("the disk is full"))
    writer = Writer(target)
    writer.append(Append(MatchId("0")))
    await writer.close()
    writer.append(Append(MatchId("1")))
    gc.collect()
    assert complaints == []


async def test_the_log_of_a_file_stays_short_while_batch_after_batch_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "EVENTS_BETWEEN", 100)
    journal = await open_journal(str(tmp_path / "journal.db"))
    await create(journal)
    longest = 0
    for seq in range(1, 4_000, 4):
        assert all(await asyncio.gather(*(journal.append(MATCH, seq + more, [move("a1")]) for more in range(4))))
        longest = max(longest, (tmp_path / "journal.db-wal").stat().st_size)
    await journal.close()
    assert longest < LOG_BYTES_OF_1000_BATCHES / 2


@pytest.mark.postgres
async def test_a_connection_that_breaks_fails_its_batch_and_the_next_is_written(postgres_url: str) -> None:
    journal = await open_journal(postgres_url)
    match = MatchId(uuid.uuid4().hex)
    await create(journal, match, Origin(match, CommandId("create")))
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("BEGIN; LOCK TABLE events")
    blocked = asyncio.ensure_future(journal.append(match, 1, [move("a1")]))
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    while not await connection.fetchval(f"SELECT count(*) {others} AND wait_event_type = 'Lock'"):
        pass
    await connection.execute(f"SELECT pg_terminate_backend(pid) {others}")
    with pytest.raises(StorageError, match=r"the database postgresql://.*/millrace_"):
        await blocked
    await connection.execute("ROLLBACK")
    await connection.close()
    assert await journal.append(match, 1, [move("d1")])
    assert moves_of(await journal.load(match)) == ["d1"]
    await journal.close()
