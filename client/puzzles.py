"""Puzzles: positions with one solution, which rate their solvers.

posed = await me.puzzles.next("morris")
tried = await me.puzzles.attempt(posed, ["d6"])
print(tried.right, tried.reply, tried.you.rating)
"""

from collections.abc import Sequence

from millrace.protocol import (
    GetPuzzle,
    GetPuzzleHistory,
    GiveUpPuzzle,
    PuzzleHistory,
    PuzzleMode,
    PuzzlePosed,
    PuzzleTried,
    TryPuzzle,
)

from .requests import Requests, new_id


class PuzzleClient:
    """Requests for puzzles; `Connection.puzzles` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def next(self, game: str, *, theme: str = "", streak: bool = False) -> PuzzlePosed:
        """Return a puzzle near this player's rating, or the next one of the streak.

        Raises: RefusedError, ConnectionLostError.
        """
        mode = PuzzleMode.STREAK if streak else PuzzleMode.RATED
        return await self._requests.ask(GetPuzzle(new_id(), game, mode, theme), PuzzlePosed)

    async def daily(self) -> PuzzlePosed:
        """Return the puzzle of the day. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(GetPuzzle(new_id(), mode=PuzzleMode.DAILY), PuzzlePosed)

    async def attempt(self, posed: PuzzlePosed, moves: Sequence[str]) -> PuzzleTried:
        """Try the last of some moves of both sides from the puzzle's position.

        Raises: RefusedError, ConnectionLostError.
        """
        command = TryPuzzle(new_id(), posed.game, posed.puzzle, tuple(moves), posed.mode)
        return await self._requests.ask(command, PuzzleTried)

    async def give_up(self, posed: PuzzlePosed) -> PuzzleTried:
        """Return the solution of a puzzle. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(GiveUpPuzzle(new_id(), posed.game, posed.puzzle, posed.mode), PuzzleTried)

    async def history(self, game: str) -> PuzzleHistory:
        """Return this player's puzzle rating and latest attempts. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(GetPuzzleHistory(new_id(), game), PuzzleHistory)
