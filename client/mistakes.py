"""A player's own mistakes in reviewed matches, to be solved like puzzles.

posed = await me.mistakes.get("morris")
if posed.mistake:
    tried = await me.mistakes.attempt("morris", posed.mistake, "d6")
    print(tried.verdict, tried.left)
"""

from millrace import protocol

from .requests import Requests, new_id


class MistakeClient:
    """Requests about mistakes; `Connection.mistakes` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def get(self, game: str) -> protocol.MistakePosed:
        """Return the oldest mistake that is due. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(protocol.GetMistake(new_id(), game), protocol.MistakePosed)

    async def attempt(self, game: str, mistake: protocol.Mistake, move: str = "") -> protocol.MistakeTried:
        """Play another move than the mistake, or be shown the better one.

        Raises: RefusedError, ConnectionLostError.
        """
        command = protocol.TryMistake(new_id(), game, mistake.match, mistake.ply, move)
        return await self._requests.ask(command, protocol.MistakeTried)
