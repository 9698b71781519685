"""Storms: as many puzzles as possible in three minutes.

begun = await me.storms.start("morris")
played = await me.storms.play(begun.puzzles[0], ["d6"])
print(played.right, played.left_ms, played.you.score)
"""

from collections.abc import Sequence

from millrace import protocol

from .requests import Requests, new_id


class StormClient:
    """Requests about storms; `Connection.storms` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def start(self, game: str) -> protocol.StormBegun:
        """Start a storm. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(protocol.StartStorm(new_id(), game), protocol.StormBegun)

    async def play(self, puzzle: protocol.StormPuzzle, moves: Sequence[str]) -> protocol.StormPlayed:
        """Play the last of some moves of both sides in the present puzzle.

        Raises: RefusedError, ConnectionLostError.
        """
        command = protocol.PlayStorm(new_id(), puzzle.line.game, puzzle.number, tuple(moves))
        return await self._requests.ask(command, protocol.StormPlayed)
