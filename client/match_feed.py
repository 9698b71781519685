"""Match feeds: the events of a match in order, each once, across reconnections.

One task at a time reads a feed. It buffers a limited number of messages. If its reader falls behind, the feed
unsubscribes, and subscribes again from where it stopped once the reader has caught up: nothing is lost, and other feeds
do not wait.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from millrace.protocol import (
    Accepted,
    AudienceUpdate,
    Board,
    Ended,
    Event,
    IdentityId,
    Left,
    MatchEvent,
    MatchEvents,
    MatchId,
    Message,
    Moved,
    MoveTree,
    Paused,
    Renamed,
    Seated,
    SeatFreed,
    TakenBack,
    Turn,
    Unwatch,
    Watch,
    Watching,
)

from .errors import ClientError, HungUpError
from .feeds_by_match import FeedsByMatch
from .match_view import MatchView, list_moves

CAPACITY = 1024
"""Default number of messages that a feed buffers for a slow reader."""

Update: TypeAlias = MatchEvent | Turn | AudienceUpdate | Renamed
"""What a feed yields."""

FeedMessage: TypeAlias = Watching | MatchEvent | MatchEvents | Turn | AudienceUpdate | Renamed
"""What the server sends about a watched match."""


class FeedConnection(Protocol):
    """What a feed needs of its connection."""

    def post(self, message: Message, /) -> None:
        """Send a message, if there is a connection at the moment."""

    def play(self, match: MatchId, seat: int, move: str, /) -> Awaitable[Accepted]:
        """Play a move."""

    def forget(self, feed: "MatchFeed") -> None:
        """Stop passing messages to the feed."""


@dataclass(frozen=True)
class MyTurn:
    """The turn of one of the player's seats."""

    seq: int
    """The number of the event before this turn."""
    seat: int
    tree: MoveTree
    """The legal moves, as a tree of clicks."""
    board: Board
    """The cells of the board, and the lines between them."""
    _play: Callable[[str], Awaitable[Accepted]]

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The legal moves, as `play` accepts them."""
        return list_moves(self.tree)

    async def play(self, move: str) -> Accepted:
        """Play one of `moves`, or a move's text. Raises: RefusedError, ConnectionLostError."""
        return await self._play(move)


class MatchFeed:
    """The events of one match. `Connection.watch` returns it; close it, or use it as a context manager.

    Read it in one of four ways, which may follow one another: `async for match_event in feed` up to the match's end,
    `async for turn in feed.turns()` to play, `await feed.result()`, or `feed.updates()`, which goes on after the end.
    Each raises RefusedError if the server refuses the watch, and ConnectionLostError.
    """

    def __init__(
        self, connection: FeedConnection, player: IdentityId, match: MatchId, since: int, capacity: int
    ) -> None:
        self.match = match
        self.view = MatchView(seq=since)
        """The match after the events read so far, without those before `since`."""
        self.turn: MyTurn | None = None
        """The player's turn, if one of their seats is to move."""
        self.board: Board | None = None
        """The board after the events read so far; None until the server has answered. `ready` waits for it."""
        self.latest_seq = since
        """The number of the latest event when the server answered."""
        self.audience: AudienceUpdate | None = None
        """The players and spectators who are present, as last reported."""
        self._connection = connection
        self._player = player
        self._capacity = capacity
        self._granted_seats: frozenset[int] = frozenset()
        self._inbox: deque[Update] = deque()
        self._received_seq = since
        self._moved_seq = 0
        self._played_seq = 0
        self._attached = False
        self._behind = False
        self._error: ClientError | None = None
        self._arrival = asyncio.Event()

    @property
    def open_turn(self) -> MyTurn | None:
        """The player's turn; None if the event of one of their commands that ended it is still to come."""
        return self.turn if self.is_current else None

    @property
    def is_current(self) -> bool:
        """Whether the events of all commands of this player that were answered have been read."""
        return self.view.seq >= self._played_seq

    @property
    def my_seats(self) -> tuple[int, ...]:
        """The player's seats, by the events read so far."""
        return tuple(sorted(self._granted_seats.union(self.view.seats_of(self._player))))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aiter__(self) -> AsyncIterator[MatchEvent]:
        """Yield events up to and including the next `Ended`. A second loop continues after it."""
        while True:
            update = await self._next()
            if isinstance(update, MatchEvent):
                yield update
                if isinstance(update.event, Ended):
                    return

    async def updates(self) -> AsyncIterator[Update]:
        """Yield all updates as they arrive, without end."""
        while True:
            yield await self._next()

    async def turns(self) -> AsyncIterator[MyTurn]:
        """Yield each turn of the player once, until the match is over."""
        seen_seq = 0
        while (turn := await self.my_turn()) is not None:
            if turn.seq == seen_seq:
                await self._next()
            else:
                seen_seq = turn.seq
                yield turn

    async def my_turn(self) -> MyTurn | None:
        """Wait for the player's next turn; return None when the match is over."""
        while self.view.result is None:
            if (turn := self.open_turn) is not None:
                return turn
            await self._next()
        return None

    async def result(self) -> Ended:
        """Wait for the end of the match."""
        while self.view.result is None:
            await self._next()
        return self.view.result

    async def ready(self) -> Board:
        """Wait until the server has answered, and return the board."""
        while self.board is None:
            await self._wait()
        return self.board

    def close(self) -> None:
        """Stop following the match."""
        if self._error is None:
            self._connection.post(Unwatch(self.match))
            self._connection.forget(self)
            self.fail(HungUpError("This feed has been closed."))

    # For the connection

    def resume(self) -> None:
        """Request the events that have not been received, on a new connection."""
        self._attached = False
        if not self._behind:
            self._connection.post(Watch(self.match, self._received_seq))

    def receive(self, message: FeedMessage) -> None:
        """Receive a message about this match."""
        match message:
            case Watching():
                self._attached = True
                self.latest_seq = message.seq
                self.board = self.board or message.board
                self._granted_seats = frozenset(message.your_seats)
            case MatchEvents(events=events):
                for match_event in events:
                    self._take_event(match_event)
            case MatchEvent():
                self._take_event(message)
            case AudienceUpdate():
                self.audience = message
                self._take_audience(message)
            case Turn() | Renamed():
                self._take(message)
        self._arrival.set()

    def expect(self, seq: int) -> None:
        """Report no turn before event `seq`, which a command of this player caused."""
        self._played_seq = max(self._played_seq, seq)

    def fail(self, error: ClientError) -> None:
        """Raise `error` in the reader, after the buffered messages."""
        if self._error is None:
            self._error = error
        self._arrival.set()

    # Own

    def _take_event(self, match_event: MatchEvent) -> None:
        if match_event.seq <= self._received_seq:
            return
        if self._attached and match_event.seq > self._received_seq + 1:
            # Events that an earlier feed of this match had requested are still arriving.
            self._connection.post(Unwatch(self.match))
            self.resume()
        if self._take(match_event):
            self._received_seq = match_event.seq

    def _take_audience(self, audience: AudienceUpdate) -> None:
        if self._inbox and isinstance(self._inbox[-1], AudienceUpdate):
            self._inbox[-1] = audience
        else:
            self._take(audience)

    def _take(self, update: Update) -> bool:
        if not self._attached:
            return False
        if len(self._inbox) >= self._capacity:
            self._attached, self._behind = False, True
            self._connection.post(Unwatch(self.match))
            return False
        self._inbox.append(update)
        return True

    async def _next(self) -> Update:
        while not self._inbox:
            await self._wait()
        update = self._inbox.popleft()
        if isinstance(update, MatchEvent):
            self.view = self.view.after(update)
            self.board = self.view.board or self.board
            if isinstance(update.event, Seated | SeatFreed):
                self._granted_seats -= {update.event.seat}
            if isinstance(update.event, Moved | Ended | TakenBack | Paused) or self._is_mine_no_more(update.event):
                self.turn, self._moved_seq = None, update.seq
        elif isinstance(update, Renamed):
            self.view = self.view.renamed(update.seat, update.player)
        elif isinstance(update, Turn) and update.seq >= self._moved_seq:
            assert self.board is not None  # the server has answered before
            seat = update.seat
            self.turn = MyTurn(
                update.seq, seat, update.moves, self.board, lambda move: self._connection.play(self.match, seat, move)
            )
        return update

    def _is_mine_no_more(self, event: Event) -> bool:
        return isinstance(event, Left | SeatFreed) and self.turn is not None and event.seat == self.turn.seat

    async def _wait(self) -> None:
        if self._error is not None:
            raise self._error
        if self._behind:
            self._behind = False
            self.resume()
        self._arrival.clear()
        await self._arrival.wait()


class MatchFeeds(FeedsByMatch[MatchFeed]):
    """The match feeds of a connection."""

    receives = (Accepted, Watching, MatchEvent, MatchEvents, Turn, AudienceUpdate, Renamed)

    def __init__(
        self, post: Callable[[Message], None], play: Callable[[MatchId, int, str], Awaitable[Accepted]]
    ) -> None:
        super().__init__()
        self.post = post
        self.play = play

    def watch(self, player: IdentityId, match: MatchId, since: int, capacity: int) -> MatchFeed:
        """Start a feed; close an earlier one of the same match."""
        return self._open(MatchFeed(self, player, match, since, capacity))

    # For the connection

    def receive(self, message: Accepted | FeedMessage) -> None:
        """Pass a message to the feed of its match."""
        feed = self._feeds.get(message.match)
        if feed is None:
            return
        if isinstance(message, Accepted):
            feed.expect(message.seq)
        else:
            feed.receive(message)
