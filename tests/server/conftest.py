"""Fixtures for tests of the server: databases of every kind, and a server within the test's event loop.

That server has the real web_server, application and journal, with bots that need no pool.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from millrace.server.app.stores import Stores
    from millrace.server.cluster.bus import Bus
    from millrace.server.runtime.system_clock import NowMs
    from tests.server.in_process_server import Serve, Served
    from tests.server.node_cluster import Cluster

INTERVALS = (
    "learning.openings.indexer.WAIT_SECONDS",
    "learning.studies.study_news.UPDATE_SECONDS",
    "lobby.lists.INTERVAL_SECONDS",
    "lobby.your_matches.INTERVAL_SECONDS",
    "moderation.enforcement.POLL_SECONDS",
    "moderation.moderation_handler.UPDATE_SECONDS",
    "notifications.inbox.FLUSH_SECONDS",
    "players.profiles.player_lists.INTERVAL_SECONDS",
    "rooms.sending.UPDATE_SECONDS",
    "spectating.spectating_handler.UPDATE_SECONDS",
    "tournaments.arena_reviews.WAIT_SECONDS",
    "tournaments.ladders.ladder_news.UPDATE_SECONDS",
    "tournaments.ladders.ladder_runner.LOOK_SECONDS",
    "tournaments.tournament_runner.TICK_SECONDS",
    "tournaments.tournament_news.UPDATE_SECONDS",
)
"""How long the server collects changes before it sends them, half a second to two seconds."""

INTERVAL_SECONDS = 0.05
"""That time for a server within a test, which need not save work."""

EVERY_DATABASE = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
"""Every kind that the server knows."""


@pytest.fixture(scope="session")
def _postgres_of_all(processes: None) -> Iterator[str]:
    from tests.server.databases import fresh_postgres

    with fresh_postgres() as url:
        yield url


@pytest.fixture(scope="session")
def _migrated_postgres_of_all(processes: None) -> Iterator[str]:
    from millrace.server.storage.migrate import migrate
    from tests.server.databases import fresh_postgres

    with fresh_postgres() as url:
        asyncio.run(migrate(url))
        yield url


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with tables and no rows, for tests to copy: migrating takes ten times as long."""
    from millrace.server.storage.migrate import migrate

    path = tmp_path_factory.mktemp("migrated") / "test.sqlite3"
    asyncio.run(migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture
def empty_postgres_url(_postgres_of_all: str) -> str:
    """The address of a PostgreSQL database without tables; emptying one is quicker than creating one."""
    from tests.server.databases import drop_schemas

    drop_schemas(_postgres_of_all)
    return _postgres_of_all


@pytest.fixture
def postgres_url(_migrated_postgres_of_all: str) -> str:
    """The address of a PostgreSQL database with tables and no rows."""
    from tests.server.databases import delete_rows

    delete_rows(_migrated_postgres_of_all)
    return _migrated_postgres_of_all


@pytest.fixture
def redis_url(processes: None) -> str:
    """The address of a bus on Redis that nothing else uses."""
    from tests.server.redis_servers import fresh_redis

    return fresh_redis()


@pytest.fixture(params=EVERY_DATABASE)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables, of every kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'test.sqlite3'}"
    address: str = request.getfixturevalue("empty_postgres_url")
    return address


@pytest.fixture(params=EVERY_DATABASE)
def url(request: pytest.FixtureRequest, tmp_path: Path, migrated_file: Path) -> str:
    """The address of a database with tables and no rows, of every kind."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'test.sqlite3')}"
    request.getfixturevalue("patience")
    address: str = request.getfixturevalue("postgres_url")
    return address


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL waits for the servers of this test, which a busy machine may stop for seconds."""
    from millrace.server.storage import database
    from tests.server.databases import PATIENT_SETTINGS

    for name, value in PATIENT_SETTINGS.items():
        monkeypatch.setitem(database.SERVING_SETTINGS, name, value)


@pytest.fixture
async def stores(url: str) -> AsyncIterator["Stores"]:
    """What is kept in such a database."""
    from millrace.server.app.stores import open_storage

    opened = await open_storage(url)
    yield opened
    await opened.close()


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop that outlives the calls of a test that hypothesis makes."""
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.fixture
def quick_intervals(monkeypatch: pytest.MonkeyPatch, loaded_rules: None) -> None:
    """Servers within the test's process need not save work: passwords are cheap, and lists are sent at once."""
    # Cheap: nobody attacks these passwords.
    monkeypatch.setattr("millrace.server.players.accounts.hashing.MEMORY_KIB", 64)
    for name in INTERVALS:
        monkeypatch.setattr(f"millrace.server.{name}", INTERVAL_SECONDS)


@pytest.fixture
def served_url(tmp_path: Path, migrated_file: Path) -> str:
    """The address of the database that servers of this test share; some modules take each kind, by `url`."""
    database = tmp_path / "test.sqlite3"
    if not database.exists():
        shutil.copyfile(migrated_file, database)
    return f"sqlite:///{database}"


@pytest.fixture
async def serve(served_url: str, quick_intervals: None) -> AsyncIterator["Serve"]:
    """Return a function that starts a server on this test's database."""
    from tests.server.archive.round_trips import check_round_trips
    from tests.server.in_process_server import Served
    from tests.server.starting import start_server

    async with AsyncExitStack() as stack:

        async def start(now_ms: "NowMs | None" = None, bus: "Bus | None" = None, **settings: Any) -> Served:
            started = await start_server(served_url, now_ms, bus, **settings)
            stack.push_async_callback(started.application.close)
            stack.push_async_callback(started.web_server.close)
            stack.push_async_callback(check_round_trips, started.stores)
            return Served(started.port, started.bots, stack)

        yield start


@pytest.fixture
async def cluster(tmp_path: Path, migrated_file: Path, quick_intervals: None) -> AsyncIterator["Cluster"]:
    """Two nodes on this test's database, connected by a bus; a test may start more."""
    from tests.server.node_cluster import Cluster

    database = shutil.copyfile(migrated_file, tmp_path / "test.sqlite3")
    async with AsyncExitStack() as stack:
        cluster = Cluster(f"sqlite:///{database}", stack)
        for name in ("first", "second"):
            await cluster.start(name)
        yield cluster


@pytest.fixture
async def served(serve: "Serve") -> "Served":
    """Return a server with default settings, except for the limits on messages and accounts."""
    started: Served = await serve()
    return started
