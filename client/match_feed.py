"""Following one match: its events in order, each once, whatever happens to the connection underneath.

Not the connection, whose `client.match_feeds` hands each feed the messages of its match. A feed is read
by one task at a time. It holds a bounded number of messages: when its reader falls behind it lets the match go, and
asks for the rest from where it stopped once the reader has caught up; so nothing is lost and no other feed waits.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from millrace.server.protocol import (
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
    TakenBack,
    Turn,
    Unwatch,
    Watch,
    Watching,
)

from .errors import ClientError, HungUpError
from .match_view import MatchView, list_moves

CAPACITY = 1024
"""Messages that a feed holds for a reader that is behind."""

Update: TypeAlias = MatchEvent | Turn | AudienceUpdate | Renamed
"""What a feed reports."""

FeedMessage: TypeAlias = Watching | MatchEvent | MatchEvents | Turn | AudienceUpdate | Renamed
"""What the server sends to those who watch."""


class Link(Protocol):
    """What a feed needs of its connection."""

    def post(self, message: Message, /) -> None:
        """Send, if there is a connection just now."""

    def play(self, match: MatchId, seat: int, move: str, /) -> Awaitable[Accepted]:
        """Make a ply."""

    def forget(self, feed: "MatchFeed") -> None:
        """Hand the feed no more messages."""


@dataclass(frozen=True)
class MyTurn:
    """A seat of this player's is to move."""

    seq: int
    """The event after which it is."""
    seat: int
    tree: MoveTree
    """The legal moves by clicks."""
    _play: Callable[[str], Awaitable[Accepted]]

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """Every legal move, as `play` takes it."""
        return list_moves(self.tree)

    async def play(self, move: str) -> Accepted:
        """Play one of `moves` or a move's text. Raises: RefusedError, ConnectionLostError."""
        return await self._play(move)


class MatchFeed:
    """The events of one match. Got from `Connection.watch`; close it, or use it as a context manager.

    Read it in one of four ways, which may follow one another: `async for match_event in feed` up to the match's end,
    `async for turn in feed.turns()` to play, `await feed.result()`, or `feed.updates()`, which goes on after the end.
    Each raises RefusedError if the server refuses the watch, and ConnectionLostError.
    """

    def __init__(self, link: Link, player: IdentityId, match: MatchId, since: int, capacity: int) -> None:
        self.match = match
        self.view = MatchView(seq=since)
        """The match after the events read so far; what came before `since` is not in it."""
        self.turn: MyTurn | None = None
        """The legal moves, while a seat of this player's is to move."""
        self.board: Board | None = None
        """What to draw after the events read so far; None until the server has answered. `ready` waits for it."""
        self.latest_seq = since
        """Of the latest event when the server answered."""
        self.audience: AudienceUpdate | None = None
        """The latest word on who is there."""
        self._link = link
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
    def my_seats(self) -> tuple[int, ...]:
        """The seats that this player holds, as far as has been read."""
        return tuple(sorted(self._granted_seats.union(self.view.seats_of(self._player))))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aiter__(self) -> AsyncIterator[MatchEvent]:
        """Yield the events up to and with the next `Ended`; a second loop goes on with what follows the end."""
        while True:
            update = await self._next()
            if isinstance(update, MatchEvent):
                yield update
                if isinstance(update.event, Ended):
                    return

    async def updates(self) -> AsyncIterator[Update]:
        """Yield events, turns and audiences as they come, without end."""
        while True:
            yield await self._next()

    async def turns(self) -> AsyncIterator[MyTurn]:
        """Yield each turn of this player's once, until the match is over."""
        seen_seq = 0
        while (turn := await self.my_turn()) is not None:
            if turn.seq == seen_seq:
                await self._next()
            else:
                seen_seq = turn.seq
                yield turn

    async def my_turn(self) -> MyTurn | None:
        """Wait until a seat of this player's is to move, or return None when the match is over."""
        while self.view.result is None:
            if self.turn is not None and self.view.seq >= self._played_seq:
                return self.turn
            await self._next()
        return None

    async def result(self) -> Ended:
        """Wait for the end of the match."""
        while self.view.result is None:
            await self._next()
        return self.view.result

    async def ready(self) -> Board:
        """Wait until the server has answered; return the board to draw."""
        while self.board is None:
            await self._wait()
        return self.board

    def close(self) -> None:
        """Follow the match no longer."""
        if self._error is None:
            self._link.post(Unwatch(self.match))
            self._link.forget(self)
            self.fail(HungUpError("This feed has been closed."))

    # For the connection

    def resume(self) -> None:
        """Ask for every event that has not been received; called on each new connection."""
        self._attached = False
        if not self._behind:
            self._link.post(Watch(self.match, self._received_seq))

    def receive(self, message: FeedMessage) -> None:
        """Take a message of this match from the server."""
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
        """Offer no turn before event `seq`, which a command of this player's has caused."""
        self._played_seq = max(self._played_seq, seq)

    def fail(self, error: ClientError) -> None:
        """Raise `error` in the reader when it has read what is there."""
        if self._error is None:
            self._error = error
        self._arrival.set()

    # Own

    def _take_event(self, match_event: MatchEvent) -> None:
        if match_event.seq <= self._received_seq:
            return
        if self._attached and match_event.seq > self._received_seq + 1:
            # What an earlier feed of this match had asked for is still arriving.
            self._link.post(Unwatch(self.match))
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
            self._link.post(Unwatch(self.match))
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
            if isinstance(update.event, Moved | Ended | TakenBack | Paused) or self._is_mine_no_more(update.event):
                self.turn, self._moved_seq = None, update.seq
        elif isinstance(update, Renamed):
            self.view = self.view.renamed(update.seat, update.player)
        elif isinstance(update, Turn) and update.seq >= self._moved_seq:
            seat = update.seat
            self.turn = MyTurn(update.seq, seat, update.moves, lambda move: self._link.play(self.match, seat, move))
        return update

    def _is_mine_no_more(self, event: Event) -> bool:
        return isinstance(event, Left) and self.turn is not None and event.seat == self.turn.seat

    async def _wait(self) -> None:
        if self._error is not None:
            raise self._error
        if self._behind:
            self._behind = False
            self.resume()
        self._arrival.clear()
        await self._arrival.wait()
