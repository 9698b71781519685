"""A server of the protocol without rules, in the test's own process, which loses whatever a test wants lost.

Every match has two seats, both of the client. Any move is legal, and a match ends only by resignation.
"""

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from millrace.protocol import (
    Accepted,
    Board,
    Cell,
    Change,
    Code,
    CommandId,
    Create,
    Created,
    Ended,
    Event,
    GameInfo,
    Hello,
    IdentityId,
    LiveMatches,
    MatchEvent,
    MatchEvents,
    MatchId,
    MatchSummary,
    Message,
    Moved,
    Ping,
    Play,
    Player,
    Pong,
    Refused,
    Rematch,
    RematchStarted,
    Resign,
    Seated,
    SeatPlan,
    Started,
    Turn,
    Unwatch,
    View,
    Watch,
    Watching,
    WatchLobby,
    WatchYourMatches,
    Welcome,
    YourMatch,
    YourMatches,
    encode,
    parse_client_message,
)

BOARD = Board("points", (Cell("a1", 0.0, 0.0), Cell("b1", 1.0, 0.0)), ((0, 1),))
GAMES = (GameInfo("toy", "A toy", (2,), ("White", "Black"), 8),)
FIRST_MATCH = MatchId("m1")
NEXT_MATCH = MatchId("next")


class FakeServer:
    """Serves on a free port of the loopback while its context lasts."""

    def __init__(self) -> None:
        self.heard: list[Message] = []
        """Every message of every client, in order."""
        self.matches: dict[MatchId, list[MatchEvent]] = {}
        self.lose_commands = 0
        """Number of further commands that break the connection before they take effect."""
        self.lose_answers = 0
        """Number of further commands that take effect but break the connection before their answer."""
        self.lose_storage = 0
        """Number of further commands of which the server cannot tell that they are stored, although they are."""
        self.refuse_greetings: list[Code] = []
        """What the next greetings are refused with, one each."""
        self.ignore_greetings = 0
        """Number of further greetings that are not answered."""
        self._answers: dict[CommandId, Accepted] = {}
        self._watchers: set[tuple[ServerConnection, MatchId]] = set()
        self._sockets: set[ServerConnection] = set()
        self._players: dict[str, Player] = {}
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await serve(self._handle, "127.0.0.1", 0, compression=None)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Hang up on everybody and listen no longer."""
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    def drop(self) -> None:
        """Break every connection without a word."""
        for socket in self._sockets:
            socket.transport.abort()

    async def dismiss(self, close_code: int, reason: str) -> None:
        """Close every connection with a code and a reason."""
        await asyncio.gather(*(socket.close(close_code, reason) for socket in self._sockets))

    async def say(self, frame: bytes) -> None:
        """Send a frame to everybody, whatever it is."""
        for socket in self._sockets:
            await socket.send(frame, text=True)

    async def append(self, match: MatchId, event: Event, to_move: int | None) -> int:
        """Let something happen in a match, tell its watchers, and return its seq."""
        events = self.matches.setdefault(match, [])
        seq = len(events) + 1
        view = View((Change("a1", seq % 2, 1),), (9 - seq, 9)) if isinstance(event, Moved | Created) else None
        events.append(MatchEvent(match, seq, 1_000 * seq, event, to_move, view))
        for socket, watched in tuple(self._watchers):
            if watched == match:
                await self._send(socket, events[-1])
                await self._send_turn(socket, match)
        return seq

    async def start_match(self, match: MatchId = FIRST_MATCH) -> MatchId:
        """Make a match in which seat 0 is to move: four events."""
        await self.append(match, Created("toy", "", (SeatPlan("me"), SeatPlan("me")), None), None)
        for seat in range(2):
            await self.append(match, Seated(seat, Player(IdentityId("i0"), "Guest 0")), None)
        await self.append(match, Started(), 0)
        return match

    async def _handle(self, socket: ServerConnection) -> None:
        try:
            if await self._greet(socket, parse_client_message(await socket.recv())):
                self._sockets.add(socket)
                async for frame in socket:
                    message = parse_client_message(frame)
                    self.heard.append(message)
                    await self._serve(socket, message)
        except ConnectionClosed:
            pass
        finally:
            self._sockets.discard(socket)
            self._watchers = {watcher for watcher in self._watchers if watcher[0] is not socket}

    async def _greet(self, socket: ServerConnection, hello: Message) -> bool:
        assert isinstance(hello, Hello)
        self.heard.append(hello)
        token = hello.token or f"token {len(self._players)}"
        if hello.token and hello.token not in self._players:
            self.refuse_greetings.append(Code.BAD_TOKEN)
        if self.ignore_greetings:
            self.ignore_greetings -= 1
            await socket.wait_closed()
            return False
        if self.refuse_greetings:
            await self._send(socket, Refused(self.refuse_greetings.pop(0), "No."))
            return False
        count = len(self._players)
        player = self._players.setdefault(token, Player(IdentityId(f"i{count}"), f"Guest {count}"))
        await self._send(socket, Welcome(1, player, token, GAMES, 5_000))
        return True

    async def _serve(self, socket: ServerConnection, message: Message) -> None:
        match message:
            case Watch(match, since):
                await self._watch(socket, match, since)
            case Unwatch(match):
                self._watchers.discard((socket, match))
            case WatchYourMatches(on=True):
                line = YourMatch(MatchId("m1"), "toy", ("A", "B"), (0,), True, 3, None, None)
                await self._send(socket, YourMatches((line,)))
            case WatchLobby(on=True):
                summary = MatchSummary(MatchId("m1"), "toy", ("A", "B"), 3, 1, None)
                await self._send(socket, LiveMatches((summary,)))
            case Ping(nonce):
                await self._send(socket, Pong(nonce, 5_000))
            case Create() | Play() | Resign() | Rematch():
                await self._obey(socket, message)

    async def _obey(self, socket: ServerConnection, command: Create | Play | Resign | Rematch) -> None:
        if self.lose_commands:
            self.lose_commands -= 1
            socket.transport.abort()
            return
        if isinstance(command, Play) and command.move == "illegal":
            await self._send(socket, Refused(Code.ILLEGAL_MOVE, "Not here.", command.id, command.match))
            return
        if command.id not in self._answers:
            self._answers[command.id] = await self._effect(command)
        if self.lose_storage:
            self.lose_storage -= 1
            await self._send(socket, Refused(Code.UNAVAILABLE, "Cannot be stored now.", command.id))
        elif self.lose_answers:
            self.lose_answers -= 1
            socket.transport.abort()
        else:
            await self._send(socket, self._answers[command.id])

    async def _effect(self, command: Create | Play | Resign | Rematch) -> Accepted:
        match command:
            case Create():
                match_id = await self.start_match(MatchId(f"m{len(self.matches) + 1}"))
                return Accepted(command.id, match_id, 1)
            case Play(_, match_id, seat, move):
                seq = await self.append(match_id, Moved(seat, move, (7_000, 8_000)), 1 - seat)
            case Resign(_, match_id, seat):
                ended = Ended((2, 1) if seat == 0 else (1, 2), "resignation", "Given up.", seat)
                seq = await self.append(match_id, ended, None)
            case Rematch(_, match_id, _):
                seq = await self.append(match_id, RematchStarted(NEXT_MATCH), None)
        return Accepted(command.id, match_id, seq)

    async def _watch(self, socket: ServerConnection, match: MatchId, since: int) -> None:
        if match not in self.matches:
            await self._send(socket, Refused(Code.UNKNOWN_MATCH, "There is none.", None, match))
            return
        events = self.matches[match]
        await self._send(socket, Watching(match, len(events), BOARD, (0, 1), 5_000))
        await self._send(socket, MatchEvents(match, tuple(events[since:])))
        self._watchers.add((socket, match))
        await self._send_turn(socket, match)

    async def _send_turn(self, socket: ServerConnection, match: MatchId) -> None:
        latest = self.matches[match][-1]
        if latest.to_move is not None:
            await self._send(socket, Turn(match, latest.seq, latest.to_move, {"a1": {"b1": None}, "b1": None}))

    async def _send(self, socket: ServerConnection, message: Message) -> None:
        with suppress(ConnectionClosed):
            await socket.send(encode(message), text=True)
