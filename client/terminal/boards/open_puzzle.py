"""A puzzle that is being solved."""

import re

from msgspec.structs import replace

from millrace.protocol import Explored, PuzzleMode, PuzzlePosed, PuzzleTried

from ...connection import Connection
from ..usage import UsageError
from .open_board import Follower
from .open_task import OpenTask

_CELL = re.compile(r"[a-z]+\d+")


class OpenPuzzle(OpenTask[PuzzlePosed]):
    """A puzzle, and the moves that were found so far."""

    kind = "Puzzle"

    def __init__(self, me: Connection, follower: Follower, posed: PuzzlePosed, found: Explored) -> None:
        super().__init__(me, follower, posed, found)
        if not posed.tried:
            self._status += " With a hint it counts as not solved."
        self._solution: tuple[str, ...] = ()
        """Known after a hint: the moves of both sides from the puzzle's position."""
        self._hinted_plies = -1
        """How many moves had been found when the last hint was given."""

    @property
    def task(self) -> str:
        """What is to be found."""
        return self.posed.task

    @property
    def facts(self) -> str:
        """The ratings, or the streak."""
        you = self.posed.you
        standing = f"your streak {you.streak}" if self.posed.mode is PuzzleMode.STREAK else f"you {you.rating}"
        return f"puzzle rated {self.posed.rating}, {standing}"

    @property
    def following(self) -> str:
        """The command that poses the next puzzle: of the streak, if this one belongs to a streak."""
        return f"streak {self._game.name}" if self.posed.mode is PuzzleMode.STREAK else "puzzle"

    async def play(self, move: str) -> None:
        """Try a move. Raises: UsageError, RefusedError, ConnectionLostError."""
        self._check_open()
        line = self.line
        text = (await self._me.analysis.explore(replace(line, moves=(*line.moves, move)))).move
        tried = await self._me.puzzles.attempt(self.posed, (*self._moves, text))
        self._answer(tried)
        if tried.right:
            self._moves = (*self._moves, text, *([tried.reply] if tried.reply else []))
        await self._show()

    async def give_up(self) -> None:
        """Show the solution. Raises: UsageError, RefusedError, ConnectionLostError."""
        self._check_open()
        self._answer(await self._me.puzzles.give_up(self.posed))
        await self._show()

    async def hint(self) -> None:
        """Say which piece to move and, the second time, where. The puzzle then counts as not solved.

        Raises: UsageError, RefusedError, ConnectionLostError.
        """
        self._check_open()
        change = ""
        if not self._solution:
            tried = await self._me.puzzles.give_up(self.posed)
            self._solution, change = tried.solution, self._change(tried)
        move = self._solution[len(self._moves)]
        first, *others = _CELL.findall(move) or [move]
        is_whole = not others or self._hinted_plies == len(self._moves)
        self._hinted_plies = len(self._moves)
        words = f"the move is {move}" if is_whole else f"move the piece on {first}"
        self._status = f"{self.posed.task} Hint: {words}.{change}"
        await self._show()

    def _check_open(self) -> None:
        if self.is_over:
            raise UsageError(f"This puzzle is over. {self._go_on}")

    def _change(self, tried: PuzzleTried) -> str:
        rating = f" Your rating: {tried.you.rating} ({tried.change:+})." if tried.change else ""
        streak = f" Your streak: {tried.you.streak}." if self.posed.mode is PuzzleMode.STREAK else ""
        return rating + streak

    def _answer(self, tried: PuzzleTried) -> None:
        self.is_over = tried.solved or not (tried.right or tried.why)
        change = self._change(tried)
        if tried.solved:
            self._status = f"Solved!{change} {self._go_on}"
        elif tried.right:
            self._status = f"Correct. Your opponent plays {tried.reply}." if tried.reply else "Correct. Keep going."
        elif tried.why:
            self._status = f"Wrong. {tried.why}{change} Try again, or type hint or solution."
        else:
            self._status = f"The solution is {', '.join(tried.solution)}.{change} {self._go_on}"
