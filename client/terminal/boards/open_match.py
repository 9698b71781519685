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
from ...errors import ClientError, RefusedError
from ...match_feed import Update
from ...match_view import MatchView, OpenOffer
from ..board import Content
from ..formatting import thought_text
from ..match_news import event_text
from ..seat_names import SeatNames
from ..usage import UsageError
from .match_positions import MatchPositions, record_position
from .open_board import Follower, OpenBoard, Picture, Seat, cell_names, counts_of

THINKING_SECONDS = 1
"""Time of the engine for each position, if it thinks beside the match."""

MOST_TOLD = 6
"""Maximum new plies to report one by one, when many arrive together."""


class OpenMatch(OpenBoard):
    """A match, its audience and its chat."""

    is_timed = True
    missing = "You have no match open. Type mine to list your matches, and open MATCH to open one."

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
        self._thinking: asyncio.Task[None] | None = None
        """The engine's search of one position after the other; None if it does not think beside the match."""
        self._has_moved = asyncio.Event()
        self._explained = ""
        """Why bots do not move, as last reported."""
        self._premoves: tuple[str, ...] = ()
        """The moves to play at the player's next turns, as they were typed."""

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
    def is_replaceable(self) -> bool:
        """Whether the next match takes its place: once it is over, unless an offered rematch may still begin."""
        view = self.view
        return view.result is not None and (view.rematch is not None or not view.rematch_offers)

    @property
    def is_current(self) -> bool:
        """Whether it has arrived, and shows everything that the player's commands have done."""
        return self.feed.is_current and self.picture is not None

    @property
    def waits_for_turn(self) -> bool:
        """Whether the player has to wait in a match that goes on, and can enter premoves."""
        view = self.view
        is_going_on = view.result is None and view.paused_until_ms is None
        return is_going_on and len(self.feed.my_seats) == 1 and self.feed.open_turn is None

    @property
    def waits_for_bot(self) -> bool:
        """Whether the player waits for the move of a built-in bot."""
        player = None if self.view.to_move is None else self.view.players[self.view.to_move]
        return self.waits_for_turn and player is not None and player.level is not None

    @property
    def bot_explanation(self) -> str:
        """Why the bot that is to move does not; empty if it can, or if a player is to move."""
        view = self.view
        player = None if view.to_move is None else view.players[view.to_move]
        is_bot = player is not None and player.level is not None
        return self._me.bot_availability.explanation(self.known_game.name) if is_bot and view.result is None else ""

    def bot_news(self) -> list[str]:
        """Return why the bot that is to move does not, unless that was the last answer too."""
        explanation = self.bot_explanation
        is_new = explanation not in ("", self._explained)
        if is_new or not self._me.bot_availability.latest.waiting:
            self._explained = explanation
        return [explanation] if is_new else []

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
            self.bot_explanation,
            self._premoves if self.waits_for_turn else None,
        )

    async def follow(self) -> None:
        """Follow the match until it is closed. Raises: ClientError."""
        async with self.feed as feed, asyncio.TaskGroup() as tasks:
            chat = tasks.create_task(self._follow_chat())
            try:
                async for update in feed.updates():
                    self._follower.changed(self, self._take(update))
                    if isinstance(update, MatchEvent) and isinstance(update.event, Moved | TakenBack):
                        self._has_moved.set()
                    await self._play_premove()
            finally:
                chat.cancel()
                self.stop_thinking()

    async def play(self, move: str) -> None:
        """Play a move, now or at the player's next turn. Raises: UsageError, RefusedError, ConnectionLostError."""
        if self.view.result is not None:
            raise UsageError("The match is over. Type rematch to play again.")
        if (turn := self.feed.open_turn) is not None:
            await turn.play(move)
        elif self.waits_for_turn:
            self.set_premoves((*self._premoves, move))
            self._follower.changed(self, [f"Premove: {_listed(self._premoves)}. Type premove none to drop it."])
        else:
            raise UsageError("It is not your turn." if self.feed.my_seats else "You are watching this match.")

    @property
    def premoves(self) -> tuple[str, ...]:
        """The moves to play at the player's next turns, in their order."""
        return self._premoves

    def set_premoves(self, moves: tuple[str, ...]) -> None:
        """Choose the moves to play at the player's next turns; none forgets them. Raises: UsageError."""
        if moves and not self.waits_for_turn:
            raise UsageError("Premoves are moves for your next turns, typed while another player is to move.")
        self._premoves = moves
        self._follower.changed(self, [])

    async def say(self, text: str) -> None:
        """Write in the chat. Raises: RefusedError, ConnectionLostError."""
        await self._me.chat.say(self.match, text)

    @property
    def is_thinking(self) -> bool:
        """Whether the engine thinks about each position beside the match."""
        return self._thinking is not None

    def think(self) -> None:
        """Report what the engine thinks of the latest position and of each that follows."""
        self._thinking = asyncio.create_task(self._think())

    def stop_thinking(self) -> None:
        """Report no more of it."""
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

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
        bots = self.bot_news()
        return [*([text] if text else []), *(bots if is_new else [])]

    def _is_recent(self, update: MatchEvent) -> bool:
        """Return whether to report an event from before the match was opened."""
        if isinstance(update.event, Ended):
            return True
        is_telling = isinstance(update.event, Moved) or (
            isinstance(update.event, Started) and update.event.first_ply_ms is not None
        )
        return is_telling and self.feed.latest_seq - update.seq < MOST_TOLD

    async def _play_premove(self) -> None:
        """Play the next premove if the player is to move; drop all that no longer fit. Raises: ConnectionLostError."""
        turn = self.feed.open_turn
        if not self._premoves or not (turn or self.view.result):
            return
        (move, *others), self._premoves = self._premoves, ()
        if turn is None:
            return
        try:
            await turn.play(self.whole_move(move))
            self._premoves = tuple(others)
        except RefusedError as refusal:
            self._follower.changed(self, [f"Your premove {move} was dropped: {refusal.message}"])
        except UsageError as error:
            self._follower.changed(self, [f"Your premove {move} was dropped. {error}"])

    async def _think(self) -> None:
        while self.view.created is not None and self.view.result is None:
            self._has_moved.clear()
            # As moves from the set-up, since a match by its id can be analysed only when it is over.
            line = Line(game=self.view.created.game, setup=self.view.created.setup, moves=self.view.moves)
            try:
                found = await self._me.analysis.evaluate(line, seconds=THINKING_SECONDS)
            except RefusedError as refusal:
                self._follower.changed(self, [refusal.message])
                break
            except ClientError:
                break
            if self.view.moves == line.moves:
                self._follower.changed(self, [thought_text(found)])
            await self._has_moved.wait()
        self._thinking = None

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
            premove = f"Premove: {_listed(self._premoves)}." if self._premoves else ""
            return f"{self.names.says(view.to_move, 'is')} to move. {premove}".rstrip()
        if len(self.feed.my_seats) > 1:
            return f"{self.names.title(view.to_move)} is to move."
        return "Your move."

    def _about(self, game: GameInfo, created: Created) -> str:
        return f"{game.title}, {format_timing(created.clock, created.seats)}, {'rated' if created.rated else 'casual'}"

    def _countdown(self) -> str:
        due_at_ms = self.view.first_ply_due_at_ms
        return "" if due_at_ms is None else f"{format_countdown(due_at_ms - self.server_now_ms)} to begin."

    def _audience(self) -> str:
        watching = 0 if self.feed.audience is None else self.feed.audience.spectators
        return f"{watching} watching" if watching else ""


def _listed(moves: Sequence[str]) -> str:
    return ", then ".join(moves)
