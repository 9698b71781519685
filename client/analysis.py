"""Lines of play walked, searched and looked up, and matches judged, by the server's engine.

    found = await me.analysis.evaluate(Line(game="morris", moves=("d6", "f4")), seconds=2)
    print(found.variations[0].moves)

No connection of its own; `Connection.analysis` is one of these. A connection has one search at a time.
"""

from millrace.server.protocol import (
    Analyse,
    AnalyseMatch,
    Evaluated,
    Explore,
    Explored,
    Line,
    MatchAnalysed,
    MatchId,
    ProbeTablebase,
    TablebaseProbed,
)

from .requests import Requests, new_id


class AnalysisClient:
    """What a connection asks of the server's engine."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def explore(self, line: Line) -> Explored:
        """Return what lies on the board at the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(Explore(new_id(), line), Explored)

    async def evaluate(
        self, line: Line, *, seconds: int = 8, variations: int = 1, also: str | None = None
    ) -> Evaluated:
        """Return what the engine has found when its time is over, or nothing is left to find.

        Raises: RefusedError, ConnectionLostError.
        """
        command = Analyse(new_id(), line, variations, seconds, also)
        return await self._requests.ask(command, Evaluated)

    async def probe_tablebase(self, line: Line) -> TablebaseProbed:
        """Return what the tablebase knows about the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(ProbeTablebase(new_id(), line), TablebaseProbed)

    async def judge(self, match: MatchId) -> MatchAnalysed:
        """Return how the plies of a match that is over are judged, once they are.

        Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(AnalyseMatch(new_id(), match), MatchAnalysed)
