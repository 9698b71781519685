"""A match that this terminal follows, as a player or as a spectator."""

import asyncio
from collections.abc import Callable, Sequence

from millrace.protocol import (
    AudienceUpdate,
    Board,
    Created,
    Ended,
    GameInfo,
    Line,
    MatchEvent,
    MatchId,
    Moved,
    Started,
    TakenBack,
)

from ...chat import ChatFeed
from ...clock_texts import ClockFace, format_countdown, format_timing
from ...connection import Connection
from ...match_feed import Update
from ...match_view import MatchView, OpenOffer
from ..board import Content
from ..match_news import event_text
from ..seat_names import SeatNames
from ..usage import UsageError
from .match_positions import MatchPositions, record_position
from .open_board import Follower, OpenBoard, Picture, Seat, cell_names, counts_of

MOST_TOLD = 6
"""Maximum new plies to report one by one, when many arrive together."""


class OpenMatch(OpenBoard):
    """A match, its audience and its chat."""

    def __init__(self, me: Connection, match: MatchId, follower: Follower, now_ms: Callable[[], float]) -> None:
        self.match = match
        self.feed = me.watch(match)
        self._me = me
        self._follower = follower
        self._now_ms = now_ms
        self._ahead_ms = 0.0
        """How far the server's clock is ahead of `now_ms`, by the latest event."""
        self._last: tuple[str, ...] = ()
        self._lit: tuple[str, ...] = ()
        self._offers: tuple[OpenOffer, ...] = ()
        """The offers that were open after the latest event."""
        self._chat: ChatFeed = me.chat.listen(match)
        self._positions: MatchPositions = []

    @property
    def view(self) -> MatchView:
        """The match after the events received so far."""
        return self.feed.view

    @property
    def plies(self) -> int:
        """The number of plies received."""
        return len(self.view.moves)

    @property
    def positions(self) -> Sequence[tuple[MatchView, Board]]:
        """The match after each ply received, from its start on, for a replay; empty before the server has answered."""
        return tuple(self._positions)

    @property
    def seat(self) -> int | None:
        """The player's seat: the one to move if it is theirs, otherwise the first of theirs."""
        turn, seats = self.feed.turn, self.feed.my_seats
        return turn.seat if turn is not None else seats[0] if seats else None

    @property
    def my_seat(self) -> int:
        """The player's seat. Raises: UsageError for spectators."""
        if self.seat is None:
            raise UsageError("You are watching this match. Only its players can do that.")
        return self.seat

    @property
    def game(self) -> GameInfo | None:
        """The game; None before the server has answered."""
        created = self.view.created
        return None if created is None else next(game for game in self._me.games if game.name == created.game)

    @property
    def known_game(self) -> GameInfo:
        """The game. Raises: UsageError before the server has answered."""
        if self.game is None:
            raise UsageError("The board has not arrived yet.")
        return self.game

    @property
    def names(self) -> SeatNames:
        """What its seats are called. The server must have answered."""
        assert self.game is not None
        return SeatNames(self.game.seat_names, self.view.players, self.feed.my_seats, self._me.player.id)

    @property
    def server_now_ms(self) -> float:
        """The time by the server's clock, as far as it is known."""
        return self._now_ms() + self._ahead_ms

    @property
    def title(self) -> str:
        """The game and the opponents."""
        if self.game is None:
            return self.match
        others = [self.names.player(seat) for seat in range(len(self.view.players)) if seat not in self.feed.my_seats]
        against = ", ".join(others) if others else "here"
        return f"{self.game.title}: {against}" if self.feed.my_seats else f"Watching {' - '.join(others)}"

    @property
    def line(self) -> Line:
        """The moves received so far."""
        return Line(match=self.match, ply=self.plies)

    @property
    def needs_attention(self) -> bool:
        """Whether the player is to move."""
        return self.view.to_move is not None and self.view.to_move in self.feed.my_seats

    @property
    def picture(self) -> Picture | None:
        """The match as it stands."""
        view, board, game = self.view, self.feed.board, self.game
        if board is None or game is None or view.created is None:
            return None
        turn = self.feed.open_turn
        return Picture(
            game,
            Content(board, view.piles, view.ground, view.territory),
            tuple(self._seat(seat) for seat in range(len(view.players))),
            self._status(),
            view.moves,
            turn.tree if turn is not None and view.paused_until_ms is None else None,
            self._last,
            self._lit,
            self._about(game, view.created),
            self._audience(),
            self._countdown(),
        )

    async def follow(self) -> None:
        """Follow the match until it is closed. Raises: ClientError."""
        async with self.feed as feed, asyncio.TaskGroup() as tasks:
            chat = tasks.create_task(self._follow_chat())
            try:
                async for update in feed.updates():
                    self._follower.changed(self, self._take(update))
            finally:
                chat.cancel()

    async def play(self, move: str) -> None:
        """Play a move. Raises: UsageError, RefusedError, ConnectionLostError."""
        if self.view.result is not None:
            raise UsageError("The match is over. Type rematch to play again.")
        if self.feed.turn is None:
            raise UsageError("It is not your turn." if self.feed.my_seats else "You are watching this match.")
        await self.feed.turn.play(move)

    async def say(self, text: str) -> None:
        """Write in the chat. Raises: RefusedError, ConnectionLostError."""
        await self._me.chat.say(self.match, text)

    def close(self) -> None:
        """Stop following the match."""
        self._chat.close()
        self.feed.close()

    def face_of(self, seat: int) -> ClockFace | None:
        """Return what a seat's clock shows now; None in an untimed match."""
        return self.view.clock_face(seat, self.server_now_ms)

    def _take(self, update: Update) -> list[str]:
        """Return the sentences about an update, which the feed's view contains already."""
        if self.feed.board is not None and self.view.created is not None:
            record_position(self._positions, self.view, self.feed.board)
        if isinstance(update, AudienceUpdate) or not isinstance(update, MatchEvent):
            return []
        is_new = update.seq > self.feed.latest_seq
        if is_new:
            self._ahead_ms = update.at_ms - self._now_ms()
        if isinstance(update.event, Created | Moved | TakenBack | Ended) and update.view is not None:
            board = self.feed.board
            self._last = tuple(change.cell for change in update.view.changes) if update.seq > 1 else ()
            lit = (index for highlight in update.view.highlights for index in highlight.cells)
            self._lit = cell_names(board, tuple(lit)) if board is not None else ()
        offers, self._offers = self._offers, self.view.offers
        text = event_text(update, self.view, self.names, offers) if is_new or self._is_recent(update) else ""
        return [text] if text else []

    def _is_recent(self, update: MatchEvent) -> bool:
        """Return whether to report an event from before the match was opened."""
        if isinstance(update.event, Ended):
            return True
        is_telling = isinstance(update.event, Moved) or (
            isinstance(update.event, Started) and update.event.first_ply_ms is not None
        )
        return is_telling and self.feed.latest_seq - update.seq < MOST_TOLD

    async def _follow_chat(self) -> None:
        async with self._chat as lines:
            async for line in lines:
                self._follower.changed(self, [f"{line.player.name}: {line.text}"])

    def _seat(self, seat: int) -> Seat:
        view, audience = self.view, self.feed.audience
        notes = self._rating_notes(seat)
        is_present = audience is None or seat >= len(audience.present) or audience.present[seat]
        if view.players[seat] is not None and not is_present and view.result is None:
            notes.append("away")
        notes += ["left" for departure in view.departures if departure.seat == seat]
        return Seat(
            self._label(seat),
            view.to_move == seat,
            self.face_of(seat),
            view.running_seat == seat,
            view.reserves[seat] if seat < len(view.reserves) else 0,
            counts_of(seat, view.tallies, view.territory),
            tuple(notes),
        )

    def _label(self, seat: int) -> str:
        """Return a seat's player, preceded by the seat's colour if sentences use that."""
        name = self.names.player(seat)
        if self.feed.my_seats == (seat,):
            return f"{name} (you)"
        title = self.names.title(seat)
        return name if self.view.players[seat] is None or title == name else f"{title}: {name}"

    def _rating_notes(self, seat: int) -> list[str]:
        rated = self.view.rated
        change = rated.changes[seat] if rated is not None and seat < len(rated.changes) else None
        return [] if change is None else [f"{change.after} ({change.after - change.before:+})"]

    def _status(self) -> str:
        view = self.view
        if view.result is not None:
            return self.names.result(view.result)
        if view.paused_until_ms is not None:
            return "The match is paused. Type resume to continue."
        if view.to_move is None:
            return f"Waiting for players. The match is {self.match}."
        if view.to_move not in self.feed.my_seats:
            return f"{self.names.says(view.to_move, 'is')} to move."
        if len(self.feed.my_seats) > 1:
            return f"{self.names.title(view.to_move)} is to move."
        return "Your move."

    def _about(self, game: GameInfo, created: Created) -> str:
        return f"{game.title}, {format_timing(created.clock)}, {'rated' if created.rated else 'casual'}"

    def _countdown(self) -> str:
        due_at_ms = self.view.first_ply_due_at_ms
        return "" if due_at_ms is None else f"{format_countdown(due_at_ms - self.server_now_ms)} to begin."

    def _audience(self) -> str:
        watching = 0 if self.feed.audience is None else self.feed.audience.spectators
        return f"{watching} watching" if watching else ""
