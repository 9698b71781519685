"""Analysis by the server's engine: positions, lines of play, openings, the tablebase, and reviews of matches.

    found = await me.analysis.evaluate(Line(game="morris", moves=("d6", "f4")), seconds=2)
    print(found.variations[0].moves)

A connection runs one search at a time.
"""

import asyncio
from contextlib import suppress

from millrace.protocol import (
    Analyse,
    AnalyseMatch,
    Done,
    Evaluated,
    Explore,
    Explored,
    ExploreOpening,
    GetLegalMoves,
    GetOpenings,
    LegalMove,
    LegalMoves,
    Line,
    MatchAnalysed,
    MatchId,
    Opening,
    OpeningExplored,
    Openings,
    ProbeTablebase,
    StopAnalysis,
    TablebaseProbed,
)

from .errors import ClientError
from .requests import Requests, new_id


class AnalysisClient:
    """Requests to the server's engine; `Connection.analysis` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._stopping: asyncio.Task[None] | None = None
        """Ends the latest search that was cancelled."""

    async def explore(self, line: Line) -> Explored:
        """Return the position at the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(Explore(new_id(), line), Explored)

    async def legal_moves(self, line: Line) -> tuple[LegalMove, ...]:
        """Return the legal moves at the end of a line; none if play is over.

        Raises: RefusedError, ConnectionLostError.
        """
        return (await self._requests.ask(GetLegalMoves(new_id(), line), LegalMoves)).moves

    async def evaluate(
        self, line: Line, *, seconds: int = 8, variations: int = 1, also: str | None = None
    ) -> Evaluated:
        """Return the engine's result after `seconds`, or earlier if it cannot change any more.

        Cancelling this call ends the search. Raises: RefusedError, ConnectionLostError.
        """
        command = Analyse(new_id(), line, variations, seconds, also)
        try:
            return await self._requests.ask(command, Evaluated)
        except asyncio.CancelledError:
            self._stopping = asyncio.create_task(self._stop())
            raise

    async def explore_opening(self, line: Line, *, people: bool = False) -> OpeningExplored:
        """Return the moves played at the end of a line: how often, with what results, and the book's opinion.

        With `people`, only matches without bots count. Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(ExploreOpening(new_id(), line, people), OpeningExplored)

    async def openings(self, game: str) -> tuple[Opening, ...]:
        """Return the openings of a game that have a name. Raises: RefusedError, ConnectionLostError."""
        return (await self._requests.ask(GetOpenings(new_id(), game), Openings)).openings

    async def probe_tablebase(self, line: Line) -> TablebaseProbed:
        """Return what the tablebase knows about the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(ProbeTablebase(new_id(), line), TablebaseProbed)

    async def _stop(self) -> None:
        with suppress(ClientError):
            await self._requests.ask(StopAnalysis(new_id()), Done)

    async def judge(self, match: MatchId) -> MatchAnalysed:
        """Return the review of a finished match, once it is complete.

        Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(AnalyseMatch(new_id(), match), MatchAnalysed)
