"""The handler of analysis messages: exploring and searching lines, tablebase probes, match reviews.

Work that waits for an engine runs in a separate task, so that the session is free for the next move.
"""

import asyncio
from collections.abc import Sequence

import structlog

from millrace.engine.game import Drawing, EngineError, Pile
from millrace.engine.state import State
from millrace.protocol import (
    Analyse,
    AnalyseMatch,
    Change,
    Code,
    Compose,
    Composed,
    Done,
    Explore,
    GetEngineLine,
    GetLegalMoves,
    Line,
    ProbeTablebase,
    Refused,
    Scope,
    StopAnalysis,
    SwitchableFeature,
)
from millrace.protocol.refusal import Refusal

from ...bots.books.book_files import BookLibrary
from ...bots.requests import BotError, Bots, TablebaseLookup
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limits import Limits
from ...cluster.bus import Bus
from ...journal.unavailable import refusing_failures
from ...matches.fair_play import require_fair, require_over
from ...matches.named_games import require_start
from ...rooms.rooms import Rooms
from ...runtime.cancellation import cancel_and_wait
from ...runtime.system_clock import NowMs
from .analysis_store import AnalysisStore
from .lines import Lines
from .match_review import Reviews
from .page_engine import PageEngine
from .replies import explored, legal_moves, tablebase_probed
from .searches import Searches, request_for

log = structlog.get_logger()

PROBE_MS = 100
"""Expected time of a tablebase probe."""


class AnalysisHandler(Feature):
    """Answers requests about lines of play and finished matches."""

    def __init__(
        self,
        rooms: Rooms,
        bots: Bots,
        store: AnalysisStore,
        books: BookLibrary,
        now_ms: NowMs,
        limits: Limits,
        bus: Bus,
    ) -> None:
        self._rooms = rooms
        self._bots = bots
        self._lines = Lines(rooms)
        self._searches = Searches(bots, now_ms, limits)
        self.reviews = Reviews(bots, store, books, now_ms, limits, bus)
        self._probes: dict[Caller, asyncio.Task[None]] = {}
        self._engine = PageEngine()
        self.resources = self._engine.resources
        self.routes = (
            Route(Explore, self.explore, Scope.READ),
            Route(GetLegalMoves, self.list_moves, Scope.READ),
            Route(GetEngineLine, self.describe_line, Scope.READ),
            Route(Compose, self.compose, Scope.READ),
            Route(Analyse, self.analyse, Scope.READ, feature=SwitchableFeature.ANALYSIS),
            Route(StopAnalysis, self.stop, Scope.READ),
            Route(AnalyseMatch, self.review, Scope.READ, feature=SwitchableFeature.ANALYSIS),
            Route(ProbeTablebase, self.probe_tablebase, Scope.READ),
        )

    async def explore(self, command: Explore, caller: Caller) -> None:
        """Answer with the position at the end of a line, and its legal moves. Raises: Refusal."""
        caller.send(explored(command.id, (await self._lines.walk(command.line, caller.identity)).state))

    async def list_moves(self, command: GetLegalMoves, caller: Caller) -> None:
        """Answer with the legal moves at the end of a line. Raises: Refusal."""
        caller.send(legal_moves(command.id, (await self._lines.walk(command.line, caller.identity)).state))

    async def describe_line(self, command: GetEngineLine, caller: Caller) -> None:
        """Answer with the end of a line for the page's own engine. Raises: Refusal if it may not be analysed."""
        caller.send(await self._engine.describe(command.id, await self._fair_end(command.line, caller)))

    async def compose(self, command: Compose, caller: Caller) -> None:
        """Answer with the text of a position set up by hand. Raises: Refusal."""
        caller.send(Composed(command.id, composed(command)))

    async def analyse(self, command: Analyse, caller: Caller) -> None:
        """Start a search whose progress is sent to the caller. Raises: Refusal."""
        self._searches.begin(command, await self._fair_end(command.line, caller), caller)

    async def stop(self, command: StopAnalysis, caller: Caller) -> None:
        """Stop the caller's search."""
        self._searches.stop(caller.identity)
        caller.send(Done(command.id))

    async def review(self, command: AnalyseMatch, caller: Caller) -> None:
        """Start the review of a finished match, or answer with the stored one. Raises: Refusal."""
        match = (await self._rooms.find(command.match)).match
        require_over(match)
        require_fair(match.state, caller.identity, await self._rooms.played_by(caller.identity))
        with refusing_failures("analysis not read", "look this up", match=match.id):
            await self.reviews.ask(command, match, caller)

    async def probe_tablebase(self, command: ProbeTablebase, caller: Caller) -> None:
        """Probe the tablebase in the background; an earlier probe of the caller is abandoned. Raises: Refusal."""
        state = await self._fair_end(command.line, caller)
        if state.game.strength.tablebase is None:
            caller.send(tablebase_probed(command.id, TablebaseLookup((), None, ())))
            return
        before = self._probes.get(caller)
        if before is not None:
            before.cancel()
        self._probes[caller] = asyncio.create_task(self._send_probe(command, state, caller))

    def disconnect(self, caller: Caller) -> None:
        """Stop the requests of a caller whose connection has ended."""
        self._searches.leave(caller)
        self.reviews.leave(caller)
        probe = self._probes.pop(caller, None)
        if probe is not None:
            probe.cancel()

    async def close(self) -> None:
        """End all searches, reviews and probes."""
        probes = tuple(self._probes.values())
        await asyncio.gather(self._searches.close(), self.reviews.close(), cancel_and_wait(probes))

    async def _fair_end(self, line: Line, caller: Caller) -> State:
        """Return the end of a line if the caller may analyse it. Raises: Refusal."""
        end = await self._lines.walk(line, caller.identity)
        if end.match is not None:
            require_over(end.match)
        require_fair(end.state, caller.identity, await self._rooms.played_by(caller.identity))
        return end.state

    async def _send_probe(self, command: ProbeTablebase, state: State, caller: Caller) -> None:
        request = request_for(state, PROBE_MS, caller.identity)
        try:
            caller.send(tablebase_probed(command.id, await self._bots.look_up(request)))
        except BotError as error:
            log.error("tablebase not probed", request=command.id, player=caller.identity, error=str(error))
            text = "The tablebase cannot be probed now. Please try again."
            caller.send(Refused(Code.UNAVAILABLE, text, command.id))


def composed(command: Compose) -> str:
    """Return the set-up text of a position on a client's board. Raises: Refusal if the game has no such position."""
    start = require_start(command.game, command.setup)
    editor = start.game.drawing.editor
    if editor is None:
        raise Refusal(Code.BAD_SETUP, "Positions of this game are set up as text.")
    names = [cell.name for cell in start.geometry.cells]
    seats = start.start.seats
    piles = _piles_of(command.piles, names, seats, editor.largest_pile)
    reserves = command.reserves if editor.largest_reserve else start.drawing.reserves
    if len(reserves) != seats or max(reserves) > max(editor.largest_reserve, *start.drawing.reserves):
        raise Refusal(Code.BAD_SETUP, "These pieces in hand do not fit the game.")
    if command.to_move >= seats:
        raise Refusal(Code.BAD_SETUP, "The seat to move does not exist.")
    text = editor.compose(start.start, Drawing(piles, tuple(reserves)), command.to_move)
    try:
        return State.of(start.game, text).position_text
    except EngineError as error:
        raise Refusal(Code.BAD_SETUP, str(error)) from None


def _piles_of(changes: Sequence[Change], names: Sequence[str], seats: int, largest: int) -> tuple[Pile | None, ...]:
    """Return the pile on each cell. Raises: Refusal."""
    piles: list[Pile | None] = [None] * len(names)
    for cell, seat, size in ((each.cell, each.seat, each.size) for each in changes):
        if cell not in names or not 0 <= seat < seats or not 1 <= size <= largest:
            raise Refusal(Code.BAD_SETUP, "These pieces do not fit the board.")
        piles[names.index(cell)] = Pile(seat, size)
    return tuple(piles)
