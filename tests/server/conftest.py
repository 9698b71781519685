"""What the tests of the server share: empty databases of every kind, and a server within the test's own event loop.

That server has the real web_server, application and journal, with bots that need no pool.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.server.accounts import hashing
from millrace.server.app.application import Application
from millrace.server.bots.requests import AnalysisResult, BotRequest, EvaluatedMove, TablebaseLookup
from millrace.server.http.web_server import WebServer
from millrace.server.protocol import VERSION
from millrace.server.settings import Settings
from millrace.server.storage import open_storage
from millrace.server.storage.stores import Stores
from millrace.server.system_clock import NowMs
from tests.server.archive.round_trips import check_round_trips
from tests.server.databases import fresh_postgres, run_sql

Frame = dict[str, Any]


class FirstMoveBots:
    """Bots that play the first legal move, and remember what they were asked."""

    is_ready = True
    is_busy = False

    def __init__(self) -> None:
        self.requests: list[BotRequest] = []
        self.value = 0
        """What every position is worth to them, mover's view."""
        self.analyses: list[BotRequest] = []
        self.may_analyse = asyncio.Event()
        """Nothing is found before this is set; it is set at first."""
        self.may_analyse.set()
        self.loss = 0
        """By how much every move but the first is worse."""
        self.ending = TablebaseLookup((), None, ())

    async def start(self) -> None:
        """There is nothing to start."""

    async def choose(self, request: BotRequest) -> str:
        """Return the first legal move."""
        self.requests.append(request)
        state = State.from_moves(find_game(request.game), request.setup, request.moves)
        return state.format_move(state.legal_moves[0])

    async def evaluate(self, request: BotRequest) -> int:
        """Return the value that the test has set."""
        return self.value

    async def analyse(self, request: BotRequest) -> AnalysisResult:
        """Find the first legal move the best, at the value that the test has set, after the time that it was given."""
        self.analyses.append(request)
        await self.may_analyse.wait()
        state = State.from_moves(find_game(request.game), request.setup, request.moves)
        moves = [state.format_move(move) for move in state.legal_moves]
        best = tuple(EvaluatedMove(self.value, (move,)) for move in moves[: request.variations])
        also = None
        if request.also:
            also = EvaluatedMove(self.value - (0 if request.also == moves[0] else self.loss), (request.also,))
        spent_ms = request.movetime_ms or 0.0
        return AnalysisResult(len(self.analyses), 1000, spent_ms, spent_ms, best, also, is_settled=False, is_cut=False)

    async def look_up(self, request: BotRequest) -> TablebaseLookup:
        """Return what the test has set."""
        return self.ending

    async def ponder(self, request: BotRequest) -> None:
        """Think of nothing."""

    async def close(self) -> None:
        """There is nothing to close."""


class Visitor:
    """Somebody at the bare socket: says JSON objects, and reads frames until the one looked for."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.welcome: Frame = {}
        self.read: list[Frame] = []
        self.unheard: deque[Frame] = deque()
        """Events of a `match_events` of which an earlier one was looked for."""

    async def say(self, type_: str, **fields: object) -> None:
        await self.connection.send(json.dumps({"type": type_, **fields}))

    async def hear(self) -> Frame:
        if self.unheard:
            return self.unheard.popleft()
        frame: Frame = json.loads(await self.connection.recv())
        self.read.append(frame)
        return frame

    async def hear_until(self, type_: str, **fields: object) -> Frame:
        """Return the next frame of a type with these fields."""
        while True:
            frame = await self.hear()
            if frame["type"] == type_ and all(frame.get(name) == value for name, value in fields.items()):
                return frame

    async def hear_event(self, type_: str) -> Frame:
        """Return the next `match_event` whose event is of a type."""
        while True:
            frame = await self.hear()
            if frame["type"] == "match_events":
                self.unheard.extendleft(reversed(frame["events"]))
            elif frame["type"] == "match_event" and frame["event"]["type"] == type_:
                return frame

    async def ask(self, type_: str, **fields: object) -> Frame:
        """Send a command and return its answer."""
        await self.say(type_, **fields)
        while True:
            frame = await self.hear()
            if frame["type"] in ("accepted", "refused") and frame["id"] == fields.get("id"):
                return frame

    @property
    def player(self) -> Frame:
        return dict(self.welcome["player"])

    @property
    def token(self) -> str:
        return str(self.welcome["token"])


class Served:
    """A server and the way in."""

    def __init__(self, port: int, bots: FirstMoveBots, stack: AsyncExitStack) -> None:
        self.port = port
        self.bots = bots
        self._stack = stack

    @property
    def url(self) -> str:
        return f"ws://localhost:{self.port}/socket"

    async def socket(self, **options: Any) -> Visitor:
        """Return a visitor that has said nothing yet."""
        return Visitor(await self._stack.enter_async_context(connect(self.url, compression=None, **options)))

    async def visitor(self, token: str = "") -> Visitor:
        """Return a visitor that has been welcomed."""
        visitor = await self.socket()
        await visitor.say("hello", version=VERSION, token=token)
        visitor.welcome = await visitor.hear_until("welcome")
        return visitor


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


Serve = Callable[..., Any]


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
