"""A server inside the test's process, with bots that need no pool, and clients at bare sockets."""

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from types import MappingProxyType
from typing import Any, Self

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import VERSION
from millrace.server.bots.requests import (
    AnalysisResult,
    BotRequest,
    BotStatus,
    DrawnEnding,
    EndingJudgement,
    EvaluatedMove,
    TablebaseLookup,
)

Frame = dict[str, Any]

_NUMBERS = itertools.count()
"""For ids of commands and pings."""

PATIENCE_SECONDS = 60
"""How long a visitor waits for a frame."""
CLOSE_SECONDS = 1.0
"""How long a visitor waits for the answer to its close."""


class FirstMoveBots:
    """Bots that play the first legal move, and record their requests."""

    status = BotStatus.READY
    is_ready = True
    is_busy = False
    waiting_games: tuple[str, ...] = ()
    trouble = ""
    faulty_games: Mapping[str, str] = MappingProxyType({})

    def __init__(self) -> None:
        self.requests: list[BotRequest] = []
        self.value = 0
        """Their value of every position, from the mover's view."""
        self.analyses: list[BotRequest] = []
        self.may_analyse = asyncio.Event()
        """Nothing is found before this is set; it is set initially."""
        self.may_analyse.set()
        self.loss = 0
        """How much worse every move but the first is."""
        self.ending = TablebaseLookup((), None, ())
        self.drawn: tuple[DrawnEnding, ...] = (DrawnEnding("..W.....B...W....BWB.... b 0 0", 1, 2, 0.8),)
        """The endings that they draw."""
        self.judgements: list[EndingJudgement | None] = []
        """Their judgements on the next moves of endings; after them, every move keeps a win."""

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
        await asyncio.sleep(0)  # others have a turn while real bots search
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

    async def draw_endings(self, request: BotRequest) -> tuple[DrawnEnding, ...]:
        """Return what the test has set."""
        return self.drawn

    async def judge_ending(self, request: BotRequest) -> EndingJudgement | None:
        """Return the next judgement that the test has set, or answer a move that keeps a win."""
        if self.judgements:
            return self.judgements.pop(0)
        state = State.from_moves(find_game(request.game), request.setup, request.moves)
        return EndingJudgement(1, 1, request.moves[-1:], state.format_move(state.legal_moves[0]), 1)

    async def ponder(self, request: BotRequest) -> None:
        """Think of nothing."""

    async def close(self) -> None:
        """There is nothing to close."""


class Visitor:
    """A client at the bare socket: sends JSON objects, and reads frames until the expected one."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.welcome: Frame = {}
        self.read: list[Frame] = []
        self.unheard: deque[Frame] = deque()
        """Events of a `match_events` after the one that was looked for."""

    async def greet(self, token: str = "") -> Self:
        """Say hello, and return this visitor when it has been welcomed."""
        await self.say("hello", version=VERSION, token=token)
        self.welcome = await self.hear_until("welcome")
        return self

    async def say(self, type_: str, **fields: object) -> None:
        await self.connection.send(json.dumps({"type": type_, **fields}))

    async def hear(self) -> Frame:
        if self.unheard:
            return self.unheard.popleft()
        async with asyncio.timeout(PATIENCE_SECONDS):
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
        """Send a command, with a new id unless one is given, and return its answer."""
        id_ = fields.setdefault("id", f"{type_}-{next(_NUMBERS)}")
        await self.say(type_, **fields)
        while True:
            frame = await self.hear()
            if frame.get("id") == id_:
                return frame

    async def ping(self) -> None:
        """Return when the server has read this visitor's earlier messages."""
        nonce = next(_NUMBERS)
        await self.say("ping", nonce=nonce)
        await self.hear_until("pong", nonce=nonce)

    async def closed(self) -> tuple[int, str]:
        """Return the code and the reason with which the server closes the connection."""
        with pytest.raises(ConnectionClosedError) as error:
            await self.hear_until("never")
        assert error.value.rcvd is not None
        return error.value.rcvd.code, error.value.rcvd.reason

    @property
    def player(self) -> Frame:
        return dict(self.welcome["player"])

    @property
    def token(self) -> str:
        return str(self.welcome["token"])


class SteppedClock:
    """A clock of servers that stands until a test sets it forward."""

    def __init__(self) -> None:
        self.now_ms = 1_764_000_000_000

    def __call__(self) -> int:
        return self.now_ms


class Served:
    """A server and the way in."""

    def __init__(self, port: int, bots: FirstMoveBots, stack: AsyncExitStack) -> None:
        self.port = port
        self.bots = bots
        self._stack = stack

    @property
    def address(self) -> str:
        """Host and port, as `client.connect` takes it."""
        return f"localhost:{self.port}"

    @property
    def url(self) -> str:
        return f"ws://localhost:{self.port}/socket"

    async def socket(self, **options: Any) -> Visitor:
        """Return a visitor that has said nothing yet."""
        # The server may have stopped reading what a flooder sends, even its close.
        opened = connect(self.url, **{"compression": None, "close_timeout": CLOSE_SECONDS} | options)
        return Visitor(await self._stack.enter_async_context(opened))

    async def visitor(self, token: str = "") -> Visitor:
        """Return a visitor that has been welcomed."""
        return await (await self.socket()).greet(token)


Serve = Callable[..., Any]
