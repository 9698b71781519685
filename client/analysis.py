"""Analysis by the server's engine: positions, lines of play, the tablebase, and reviews of matches.

    found = await me.analysis.evaluate(Line(game="morris", moves=("d6", "f4")), seconds=2)
    print(found.variations[0].moves)

A connection runs one search at a time.
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
    """Requests to the server's engine; `Connection.analysis` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def explore(self, line: Line) -> Explored:
        """Return the position at the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(Explore(new_id(), line), Explored)

    async def evaluate(
        self, line: Line, *, seconds: int = 8, variations: int = 1, also: str | None = None
    ) -> Evaluated:
        """Return the engine's result after `seconds`, or earlier if it cannot change any more.

        Raises: RefusedError, ConnectionLostError.
        """
        command = Analyse(new_id(), line, variations, seconds, also)
        return await self._requests.ask(command, Evaluated)

    async def probe_tablebase(self, line: Line) -> TablebaseProbed:
        """Return what the tablebase knows about the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(ProbeTablebase(new_id(), line), TablebaseProbed)

    async def judge(self, match: MatchId) -> MatchAnalysed:
        """Return the review of a finished match, once it is complete.

        Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(AnalyseMatch(new_id(), match), MatchAnalysed)
