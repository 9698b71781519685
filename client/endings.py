"""Endings: solved positions, played against the most stubborn defence.

posed = await me.endings.get("morris")
played = await me.endings.play(posed, len(posed.line.moves), "d6-d7")
print(played.kept, played.reply, played.keeping, played.you.rating)
"""

from millrace import protocol

from .requests import Requests, new_id


class EndingClient:
    """Requests about endings; `Connection.endings` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def get(
        self, game: str, goal: protocol.EndingGoal = protocol.EndingGoal.ANY, *, fresh: bool = False
    ) -> protocol.EndingPosed:
        """Return this player's present ending, or a new one near the player's rating.

        Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(protocol.GetEnding(new_id(), game, goal, fresh), protocol.EndingPosed)

    async def play(self, posed: protocol.EndingPosed, ply: int, move: str) -> protocol.EndingPlayed:
        """Play a move after this number of moves of both sides. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(protocol.PlayEnding(new_id(), posed.game, ply, move), protocol.EndingPlayed)
