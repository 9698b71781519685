"""Analysis by the server's engine: positions, lines of play, openings, the tablebase, and reviews of matches.

    found = await me.analysis.evaluate(Line(game="morris", moves=("d6", "f4")), seconds=2)
    print(found.variations[0].moves)

A connection runs one search at a time.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from millrace import protocol

from .errors import ClientError
from .requests import Requests, new_id


class AnalysisClient:
    """Requests to the server's engine; `Connection.analysis` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._stopping: asyncio.Task[None] | None = None
        """Ends the latest search that was cancelled."""

    async def explore(self, line: protocol.Line) -> protocol.Explored:
        """Return the position at the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(protocol.Explore(new_id(), line), protocol.Explored)

    async def legal_moves(self, line: protocol.Line) -> tuple[protocol.LegalMove, ...]:
        """Return the legal moves at the end of a line; none if play is over.

        Raises: RefusedError, ConnectionLostError.
        """
        return (await self._requests.ask(protocol.GetLegalMoves(new_id(), line), protocol.LegalMoves)).moves

    async def engine_line(self, line: protocol.Line) -> protocol.EngineLine:
        """Return the end of a line for the game's engine as a WebAssembly module.

        Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(protocol.GetEngineLine(new_id(), line), protocol.EngineLine)

    async def compose(
        self,
        game: str,
        piles: Sequence[protocol.Change],
        *,
        setup: str = "",
        reserves: Sequence[int] = (),
        to_move: int = 0,
    ) -> str:
        """Return the text of a position, which `create` and `Line` take as a set-up, from its occupied cells.

        `setup` provides the board and the options. Raises: RefusedError, ConnectionLostError.
        """
        command = protocol.Compose(new_id(), game, setup, tuple(piles), tuple(reserves), to_move)
        return (await self._requests.ask(command, protocol.Composed)).position

    async def evaluate(
        self, line: protocol.Line, *, seconds: int = 8, variations: int = 1, also: str | None = None
    ) -> protocol.Evaluated:
        """Return the engine's result after `seconds`, or earlier if it cannot change any more.

        Cancelling this call ends the search. Raises: RefusedError, ConnectionLostError.
        """
        command = protocol.Analyse(new_id(), line, variations, seconds, also)
        try:
            return await self._requests.ask(command, protocol.Evaluated)
        except asyncio.CancelledError:
            self._stopping = asyncio.create_task(self._stop())
            raise

    async def explore_opening(self, line: protocol.Line, *, people: bool = False) -> protocol.OpeningExplored:
        """Return the moves played at the end of a line: how often, with what results, and the book's opinion.

        With `people`, only matches without bots count. Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(protocol.ExploreOpening(new_id(), line, people), protocol.OpeningExplored)

    async def openings(self, game: str) -> tuple[protocol.Opening, ...]:
        """Return the openings of a game that have a name. Raises: RefusedError, ConnectionLostError."""
        return (await self._requests.ask(protocol.GetOpenings(new_id(), game), protocol.Openings)).openings

    async def probe_tablebase(self, line: protocol.Line) -> protocol.TablebaseProbed:
        """Return what the tablebase knows about the end of a line. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(protocol.ProbeTablebase(new_id(), line), protocol.TablebaseProbed)

    async def _stop(self) -> None:
        with suppress(ClientError):
            await self._requests.ask(protocol.StopAnalysis(new_id()), protocol.Done)

    async def judge(self, match: protocol.MatchId) -> protocol.MatchAnalysed:
        """Return the review of a finished match, once it is complete.

        Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(protocol.AnalyseMatch(new_id(), match), protocol.MatchAnalysed)
