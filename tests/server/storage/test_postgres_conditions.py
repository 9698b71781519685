"""Databases that a server cannot use as it must: it says so at its start, in words."""

import asyncio
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from millrace.server.storage.errors import StorageError
from millrace.server.storage.migrate import migrate
from millrace.server.storage.server_lock import take_server_lock
from tests.commands import finish, start
from tests.server.databases import POSTGRES_URL, fresh_postgres, run_sql
from tests.server.pgbouncer import PgBouncerProcess
from tests.serving import ServerProcess

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("processes")]


async def take_and_leave(url: str) -> None:
    """Take the lock of a database, and see that nobody else can, twice: the lock ends with its holder."""
    for _ in range(2):
        lock = await take_server_lock(url)
        with pytest.raises(StorageError, match="nother server"):
            await take_server_lock(url)
        await lock.close()


def test_a_pooler_of_sessions_is_as_good_as_none() -> None:
    with fresh_postgres() as url, PgBouncerProcess(url) as pooler:
        asyncio.run(take_and_leave(pooler.url))


@pytest.mark.parametrize("round_robin", ["0", "1"])
@pytest.mark.parametrize("pool_size", ["1", "20"])
@pytest.mark.parametrize("used", [0, 3])
def test_a_pooler_of_transactions_is_refused(round_robin: str, pool_size: str, used: int) -> None:
    options = {"pool_mode": "transaction", "server_round_robin": round_robin, "default_pool_size": pool_size}
    with fresh_postgres() as url, PgBouncerProcess(url, **options) as pooler:
        for _ in range(used):
            run_sql(pooler.url, "SELECT 1")
        with pytest.raises(StorageError, match="pool_mode = session"):
            asyncio.run(take_server_lock(pooler.url))


@pytest.mark.slow
def test_a_server_plays_behind_a_pooler_of_sessions(tmp_path: Path) -> None:
    with fresh_postgres() as url, PgBouncerProcess(url) as pooler:
        with ServerProcess(tmp_path, "--database", pooler.url) as server:
            server.stop_in_good_order()
        with ServerProcess(tmp_path, "--database", pooler.url) as server:
            server.kill()
            server.start()


@contextmanager
def database_of(encoding: str) -> Iterator[str]:
    name = f"millrace_{uuid.uuid4().hex}"
    run_sql(
        POSTGRES_URL, f"CREATE DATABASE {name} ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    )
    try:
        yield urlunsplit(urlsplit(POSTGRES_URL)._replace(path=f"/{name}"))
    finally:
        run_sql(POSTGRES_URL, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", "EUC_JP"])
def test_a_database_that_cannot_store_every_text_is_refused(encoding: str) -> None:
    with (
        fresh_postgres(),
        database_of(encoding) as url,
        pytest.raises(StorageError, match=f"{encoding}.*ENCODING 'UTF8'"),
    ):
        asyncio.run(migrate(url))


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("default_transaction_read_only = on", "is read-only; name the primary server"),
        ("synchronous_commit = off", "would lose the last moves if it crashed; turn synchronous_commit on"),
    ],
)
def test_a_database_that_is_read_only_or_forgets_is_refused(setting: str, words: str) -> None:
    with fresh_postgres() as url:
        run_sql(url, f"ALTER DATABASE {urlsplit(url).path[1:]} SET {setting}")
        with pytest.raises(StorageError, match=words):
            asyncio.run(take_server_lock(url))


def test_an_address_may_limit_the_time_for_connecting() -> None:
    with fresh_postgres() as url:
        asyncio.run(take_and_leave(f"{url}?connect_timeout=7"))
        asyncio.run(migrate(f"{url}?connect_timeout=7&application_name=mine"))


def test_a_bad_time_for_connecting_is_reported_in_one_line(tmp_path: Path) -> None:
    address = "postgresql://localhost/x?connect_timeout=soon"
    code, output = finish(start("migrate", "--data-dir", str(tmp_path), "--database", address))
    assert code == 1
    assert "connect_timeout is a number of seconds" in output
    assert "Traceback" not in output
