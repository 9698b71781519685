"""Puzzles: positions with one solution, which rate their solvers.

posed = await me.puzzles.next("morris")
tried = await me.puzzles.attempt(posed, ["d6"])
print(tried.right, tried.reply, tried.why, tried.you.rating)
"""

from collections.abc import Sequence

from millrace import protocol

from .requests import Requests, new_id


class PuzzleClient:
    """Requests for puzzles; `Connection.puzzles` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def next(self, game: str, *, theme: str = "", streak: bool = False) -> protocol.PuzzlePosed:
        """Return a puzzle near this player's rating, or the next one of the streak.

        Raises: RefusedError, ConnectionLostError.
        """
        mode = protocol.PuzzleMode.STREAK if streak else protocol.PuzzleMode.RATED
        return await self._requests.ask(protocol.GetPuzzle(new_id(), game, mode, theme), protocol.PuzzlePosed)

    async def daily(self) -> protocol.PuzzlePosed:
        """Return the puzzle of the day. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(
            protocol.GetPuzzle(new_id(), mode=protocol.PuzzleMode.DAILY), protocol.PuzzlePosed
        )

    async def attempt(self, posed: protocol.PuzzlePosed, moves: Sequence[str]) -> protocol.PuzzleTried:
        """Try the last of some moves of both sides from the puzzle's position.

        Raises: RefusedError, ConnectionLostError.
        """
        command = protocol.TryPuzzle(new_id(), posed.game, posed.puzzle, tuple(moves), posed.mode)
        return await self._requests.ask(command, protocol.PuzzleTried)

    async def give_up(self, posed: protocol.PuzzlePosed) -> protocol.PuzzleTried:
        """Return the solution of a puzzle. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(
            protocol.GiveUpPuzzle(new_id(), posed.game, posed.puzzle, posed.mode), protocol.PuzzleTried
        )

    async def history(self, game: str) -> protocol.PuzzleHistory:
        """Return this player's puzzle rating and latest attempts. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(protocol.GetPuzzleHistory(new_id(), game), protocol.PuzzleHistory)
