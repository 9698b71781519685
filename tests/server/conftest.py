"""What the tests of the server share: empty databases of every kind, and a server within the test's own event loop.

That server has the real web_server, application and journal, with bots that need no pool.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from millrace.server.accounts import hashing
from millrace.server.app.application import Application
from millrace.server.http.web_server import WebServer
from millrace.server.settings import Settings
from millrace.server.storage import open_storage
from millrace.server.storage.stores import Stores
from millrace.server.system_clock import NowMs
from tests.server.archive.round_trips import check_round_trips
from tests.server.databases import fresh_postgres, run_sql
from tests.server.in_process_server import FirstMoveBots, Serve, Served


@pytest.fixture(scope="session")
def _postgres_of_all() -> Iterator[str]:
    with fresh_postgres() as url:
        yield url


@pytest.fixture
def postgres_url(_postgres_of_all: str) -> str:
    """The address of an empty PostgreSQL database; to empty one is quicker than to make one."""
    run_sql(_postgres_of_all, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return _postgres_of_all


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of every kind that the server knows."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'test.sqlite3'}"
    address: str = request.getfixturevalue("postgres_url")
    return address


@pytest.fixture
async def stores(url: str) -> AsyncIterator[Stores]:
    """What is kept in such a database."""
    opened = await open_storage(url)
    yield opened
    await opened.close()


@pytest.fixture
async def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Serve]:
    """Return a function that starts a server on this test's database."""
    monkeypatch.setattr(hashing, "MEMORY_KIB", 64)  # cheap: nobody attacks these passwords
    async with AsyncExitStack() as stack:

        async def start(now_ms: NowMs | None = None, **settings: Any) -> Served:
            bots = FirstMoveBots()
            web_server = WebServer()
            port = await web_server.open("localhost", 0)
            stores = await open_storage(f"sqlite:///{tmp_path / 'test.sqlite3'}")
            application = Application(
                Settings(**{"message_rate": 10_000, "registrations": 1_000, **settings}), stores, bots, now_ms
            )
            await application.open(lambda *_: None)
            web_server.health = application.health
            web_server.cookie_login = application.cookie_login
            web_server.resources = application.resources
            web_server.set_handler(application.serve_connection)
            stack.push_async_callback(application.close)
            stack.push_async_callback(web_server.close)
            stack.push_async_callback(check_round_trips, stores)
            return Served(port, bots, stack)

        yield start


@pytest.fixture
async def served(serve: Serve) -> Served:
    """Return a server with default settings, but for the message rate."""
    started: Served = await serve()
    return started
