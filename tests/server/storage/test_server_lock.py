"""One server at a time serves a database, whatever happens to the first one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import pytest

from millrace.server.storage.errors import StorageError
from millrace.server.storage.postgres_lock import LOCK
from millrace.server.storage.server_lock import ServerLock, take_server_lock

HOLDERS = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = {LOCK} AND granted AND database = "
HOLDERS += "(SELECT oid FROM pg_database WHERE datname = current_database())"


@asynccontextmanager
async def watched(lock: ServerLock) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(lock.watch())
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, StorageError):
            await task


async def test_a_second_server_is_refused_until_the_first_has_ended(empty_url: str) -> None:
    first = await take_server_lock(empty_url)
    with pytest.raises(StorageError, match=r"Another server \(process \d+.*\) serves the database"):
        await take_server_lock(empty_url)
    await first.close()
    await (await take_server_lock(empty_url)).close()


async def test_a_link_to_a_file_has_the_lock_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "journal.db")
    first = await take_server_lock(str(tmp_path / "journal.db"))
    with pytest.raises(StorageError, match="Another server"):
        await take_server_lock(str(tmp_path / "link.db"))
    await first.close()


@pytest.mark.postgres
async def test_the_lock_is_taken_again_after_its_connection_has_been_lost(postgres_url: str) -> None:
    lock = await take_server_lock(postgres_url)
    admin = await asyncpg.connect(postgres_url)
    async with watched(lock) as watching:
        holder = await admin.fetchval(HOLDERS)
        await admin.execute(f"SELECT pg_terminate_backend({holder})")
        while (now := await admin.fetchval(HOLDERS)) in (None, holder):
            await admin.execute("SELECT pg_sleep(0.01)")
        assert now != holder
        with pytest.raises(StorageError, match="Another server"):
            await take_server_lock(postgres_url)
        assert not watching.done()
    await lock.close()
    await admin.close()


@pytest.mark.postgres
async def test_a_server_learns_that_another_one_has_taken_over(postgres_url: str) -> None:
    first = await take_server_lock(postgres_url)
    admin = await asyncpg.connect(postgres_url)
    holder = await admin.fetchval(HOLDERS)
    await admin.execute(f"SELECT pg_terminate_backend({holder})")
    while await admin.fetchval(HOLDERS):
        await admin.execute("SELECT pg_sleep(0.01)")
    second = await take_server_lock(postgres_url)
    async with watched(first) as watching:
        with pytest.raises(StorageError, match=r"Another server \(process \d+ on .*\) has taken over the database"):
            await watching
    await second.close()
    await first.close()
    await admin.close()


@pytest.mark.postgres
async def test_the_nodes_of_a_cluster_share_the_lock_and_exclude_a_server_that_is_alone(postgres_url: str) -> None:
    nodes = [await take_server_lock(postgres_url, is_shared=True) for _ in range(2)]
    refused = r"A cluster of servers \(process \d+ on .*\) serves the database .*; join it with --bus, stop all"
    await nodes[0].close()
    with pytest.raises(StorageError, match=refused):
        await take_server_lock(postgres_url)
    await nodes[1].close()
    await (await take_server_lock(postgres_url)).close()


@pytest.mark.postgres
async def test_a_server_that_is_alone_excludes_the_nodes_of_a_cluster(postgres_url: str) -> None:
    alone = await take_server_lock(postgres_url)
    refused = r"Another server \(process \d+ on .*\) serves the database .*; stop it, and start it again with --bus"
    with pytest.raises(StorageError, match=refused):
        await take_server_lock(postgres_url, is_shared=True)
    await alone.close()
    await (await take_server_lock(postgres_url, is_shared=True)).close()
