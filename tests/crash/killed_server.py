"""A server killed at chosen points and restarted each time, and clients that survive that."""

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from millrace.protocol import VERSION
from tests.crash.fork_server import Request
from tests.processes import end_with_tests
from tests.server.in_process_server import Frame

Forks = subprocess.Popen[str]

PATIENCE_S = 60.0
"""Far longer than any scenario takes, including its restarts."""


@contextmanager
def fork_server(log: Path) -> Iterator[Forks]:
    """Yield a process that forks servers, which write their log to a file."""
    with log.open("w") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.fork_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
            cwd=Path(__file__).parents[2],
            preexec_fn=end_with_tests,
        )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


class KilledServer:
    """Servers one after the other on one database."""

    def __init__(self, forks: Forks, url: str, kills: Sequence[Request]) -> None:
        self._forks = forks
        self._url = url
        self._kills = list(kills)
        self._port = asyncio.get_running_loop().create_future()
        self._pid = 0
        self._is_stopping = False
        self.points: list[int] = []
        """How many points each server has passed."""
        self.acknowledged: list[tuple[str, str, int]] = []
        """The id, the match and the event of each command that was accepted."""

    async def run(self) -> None:
        """Start a server, and another whenever one has died, until stopped."""
        while not self._is_stopping:
            request = self._kills.pop(0) if self._kills else Request(self._url)
            assert self._forks.stdin is not None
            self._forks.stdin.write(msgspec.json.encode(request).decode() + "\n")
            self._forks.stdin.flush()
            while (line := await asyncio.to_thread(self._read))[0] != "ended":
                self._pid = int(line[2])
                self._port.set_result(int(line[1]))
            if self._port.done():
                self._port = asyncio.get_running_loop().create_future()
            self.points.append(int(line[1]))

    async def port(self) -> int:
        """Return the port of the server, once it serves."""
        return int(await asyncio.shield(self._port))

    def stop(self) -> None:
        """Kill the server, and start no other."""
        self._is_stopping = True
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def _read(self) -> list[str]:
        assert self._forks.stdout is not None
        words = self._forks.stdout.readline().split()
        assert words, "the fork server has died"
        return words


class UnknownTokenError(Exception):
    """The server does not know the client's token, or no longer does."""


class Client:
    """A player who reconnects whenever the connection breaks, and then repeats the unanswered command."""

    def __init__(self, server: KilledServer, token: str = "") -> None:
        self._server = server
        self._token = token
        self._connection: ClientConnection | None = None
        self._ids = itertools.count()
        self.identity = ""
        self.heard: list[Frame] = []
        """What was received on the present connection."""

    async def ask(self, type_: str, **fields: object) -> Frame:
        """Send a command under one id until it is answered, and return the answer."""
        id_ = str(fields.pop("id", f"{type_}-{next(self._ids)}"))
        return await self.say_until(lambda frame: frame.get("id") == id_, {"type": type_, "id": id_, **fields})

    async def accept(self, type_: str, **fields: object) -> str:
        """Send a command of a match until it is accepted, and return its match."""
        answer = await self.ask(type_, **fields)
        assert answer["type"] == "accepted", answer
        self.note_acknowledged(answer["id"], answer["match"], answer["seq"])
        return str(answer["match"])

    def note_acknowledged(self, command: str, match: str, seq: int) -> None:
        """Note that the server has acknowledged a command with an event."""
        self._server.acknowledged.append((command, match, seq))

    async def done(self, type_: str, **fields: object) -> None:
        """Send a command until it is answered by `done`."""
        answer = await self.ask(type_, **fields)
        assert answer["type"] == "done", answer

    async def delete_account(self, password: str) -> None:
        """Delete the player's account. A client that missed the answer learns of it from a refusal."""
        with suppress(UnknownTokenError):
            await self.done("delete_account", password=password)
        await self.leave()

    async def say_until(self, is_last: Callable[[Frame], bool], *messages: Frame) -> Frame:
        """Send messages, again on each new connection, until the expected frame arrives; return it."""
        while True:
            with suppress(OSError, EOFError, WebSocketException):
                connection = await self.connected()
                for message in messages:
                    await connection.send(json.dumps(message))
                while True:
                    frame = await self._hear(connection)
                    if frame.get("code") == "unavailable":
                        break
                    if is_last(frame):
                        return frame
            await self.leave()

    async def connected(self) -> ClientConnection:
        """Return the connection, which is made if there is none."""
        if self._connection is None:
            self.heard = []
            connection = await connect(f"ws://localhost:{await self._server.port()}/socket", compression=None)
            await connection.send(json.dumps({"type": "hello", "version": VERSION, "token": self._token}))
            welcome = await self._hear(connection)
            if welcome["type"] != "welcome":
                connection.transport.abort()
                raise UnknownTokenError(welcome)
            self._token, self.identity = welcome["token"] or self._token, welcome["player"]["id"]
            self._connection = connection
        return self._connection

    async def arrive(self) -> None:
        """Connect, and learn the player's identity."""
        await self.ask("get_notification_kinds")

    async def leave(self) -> None:
        """Drop the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.transport.abort()
            await connection.wait_closed()

    async def _hear(self, connection: ClientConnection) -> Frame:
        frame: Frame = json.loads(await connection.recv())
        self.heard.append(frame)
        return frame


class Spectator:
    """Watches a match during a scenario, and keeps its events."""

    def __init__(self, server: KilledServer, match: str) -> None:
        self._client = Client(server)
        self._match = match
        self.events: dict[int, Frame] = {}

    async def see(self, type_: str) -> Frame:
        """Return the first event of a type, after it has happened."""
        while True:
            for event in self.events.values():
                if event["type"] == type_:
                    return event
            await self.see_more()

    async def see_more(self) -> None:
        """Return when there are further events."""
        watch = {"type": "watch", "match": self._match, "since": len(self.events)}
        await self._client.say_until(self._add, watch)

    def _add(self, frame: Frame) -> bool:
        added = frame["events"] if frame["type"] == "match_events" else [frame]
        for each in added:
            if each["type"] == "match_event":
                event = self.events.setdefault(each["seq"], each["event"])
                assert event == each["event"], "one seq has had two events"
        assert list(self.events) == list(range(1, len(self.events) + 1)), "the events have a gap"
        return frame["type"] in ("match_event", "match_events")

    async def leave(self) -> None:
        """Stop watching."""
        await self._client.leave()


@asynccontextmanager
async def killed_server(forks: Forks, url: str, kills: Sequence[Request]) -> AsyncIterator[KilledServer]:
    """Yield a server that is killed at these points."""
    server = KilledServer(forks, url, kills)
    running = asyncio.create_task(server.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield server
    finally:
        server.stop()
        await running
