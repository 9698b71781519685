"""Puzzles one after the other against the clock: what storms and races have in common."""

import asyncio
from abc import abstractmethod
from collections.abc import Sequence

from msgspec.structs import replace

from millrace.protocol import Explored, GameInfo, Line, RacePlayed, StormPlayed, StormPuzzle

from ...clock_texts import format_countdown
from ...connection import Connection
from ..usage import UsageError
from .open_board import Follower, OpenBoard, Picture, seats_without_players
from .study import content_of


class OpenRun(OpenBoard):
    """A run of puzzles: the present one, and the next one."""

    is_timed = True
    missing = "No race is open. Type race to open one, or race CODE to join one."

    def __init__(self, me: Connection, follower: Follower, game: GameInfo, found: Explored) -> None:
        """`found` is the position that is shown before the first puzzle."""
        self.is_running = False
        """Whether moves can be made."""
        self.is_over = False
        self._me = me
        self._follower = follower
        self._game = game
        self._found = found
        self._puzzles: tuple[StormPuzzle, ...] = ()
        self._moves: tuple[str, ...] = ()
        """The moves of both sides in the present puzzle."""
        self._news = ""
        """What the latest move has led to."""
        self._ends: asyncio.Timeout | None = None
        """Ends the run."""

    @property
    @abstractmethod
    def about(self) -> str:
        """What it is."""

    @property
    @abstractmethod
    def status(self) -> str:
        """What is to be done while no puzzle can be played."""

    @property
    @abstractmethod
    def score(self) -> str:
        """The player's score, as a sentence; empty for spectators."""

    @property
    def standings(self) -> tuple[str, ...]:
        """A line for each of several players, best first."""
        return ()

    @abstractmethod
    async def judge(self, puzzle: StormPuzzle, moves: Sequence[str]) -> StormPlayed | RacePlayed:
        """Ask the server about the last of some moves, and keep the score. Raises: ClientError."""

    @property
    def line(self) -> Line:
        """The present puzzle's line and the moves so far."""
        if not self._puzzles:
            return Line(game=self._game.name)
        line = self._puzzles[0].line
        return replace(line, moves=(*line.moves, *self._moves))

    @property
    def left_ms(self) -> float | None:
        """The time until the end; None unless it runs."""
        if self._ends is None or self.is_over or (when := self._ends.when()) is None:
            return None
        return max(0.0, when - asyncio.get_running_loop().time()) * 1000

    @property
    def picture(self) -> Picture | None:
        """The present puzzle."""
        found, left_ms = self._found, self.left_ms
        return Picture(
            self._game,
            content_of(found),
            seats_without_players(self._game, found.seats, found.to_move, found.view.reserves, found.view.tallies),
            " ".join(filter(None, (self._news, self._task, self.score))),
            self._moves,
            found.moves if self.is_running and self._puzzles else None,
            about=self.about,
            countdown="" if left_ms is None else f"{format_countdown(left_ms)} left.",
            standings=self.standings,
        )

    @property
    def _task(self) -> str:
        if not self.is_running:
            return self.status
        if not self._puzzles:
            return "These were all the puzzles."
        puzzle = self._puzzles[0]
        return f"{puzzle.number}. {puzzle.task} You are {self._game.seat_names[puzzle.seat]}."

    async def play(self, move: str) -> None:
        """Play a move in the present puzzle. Raises: UsageError, RefusedError, ConnectionLostError."""
        if not self.is_running or not self._puzzles:
            raise UsageError(self._task)
        puzzle, line = self._puzzles[0], self.line
        # A slip of the keyboard is not a wrong move: the server judges legal ones only.
        if move not in self.legal_moves:
            move = (await self._me.analysis.explore(replace(line, moves=(*line.moves, move)))).move
        played = await self.judge(puzzle, (*self._moves, move))
        if played.over:
            self.finish()
            return
        self._set_left(played.left_ms)
        if played.reply:
            self._moves = (*self._moves, move, played.reply)
        else:
            self._puzzles, self._moves = (*self._puzzles[1:], *([played.next] if played.next else [])), ()
        await self._show()

    def finish(self) -> None:
        """End the run."""
        self.is_running, self.is_over, self._news = False, True, ""
        self._follower.changed(self, [])

    async def _run(self, puzzles: Sequence[StormPuzzle], moves: Sequence[str], left_ms: float) -> None:
        """Pose puzzles until the time is up. Raises: ClientError."""
        try:
            async with asyncio.timeout(left_ms / 1000) as self._ends:
                self.is_running, self.is_over = True, False
                self._puzzles, self._moves = tuple(puzzles), tuple(moves)
                await self._show()
                await asyncio.Event().wait()
        except TimeoutError:
            self.finish()

    def _set_left(self, left_ms: float) -> None:
        if self._ends is not None and not self._ends.expired():
            self._ends.reschedule(asyncio.get_running_loop().time() + left_ms / 1000)

    async def _show(self) -> None:
        if self._puzzles:
            self._game = next(game for game in self._me.games if game.name == self._puzzles[0].line.game)
            self._found = await self._me.analysis.explore(self.line)
        self._follower.changed(self, [])


async def first_position(me: Connection, name: str) -> tuple[GameInfo, Explored]:
    """Return a game, or the first with puzzles for no name, and its starting position.

    Raises: UsageError, RefusedError, ConnectionLostError.
    """
    games = [game for game in me.games if game.puzzles]
    found = next((game for game in games if name in ("", game.name)), None)
    if found is None:
        raise UsageError("This server has no puzzles." if not games else f"There are no puzzles of {name}.")
    return found, await me.analysis.explore(Line(game=found.name, setup=found.showcase or ""))


def points(count: int, noun: str) -> str:
    """Return a number of things.

    >>> points(1, "point"), points(2, "point")
    ('1 point', '2 points')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
