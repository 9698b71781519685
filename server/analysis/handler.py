"""The desk for analyses: lines walked, searched, looked up, and matches judged.

Whatever has to wait for an engine goes on beside the session, which must be free for the next move.
"""

import asyncio
from typing import get_args

import structlog

from millrace.engine.state import State

from ..bots.requests import BotError, Bots, SolvedEnding
from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..journal.unavailable import refusing_failures
from ..protocol import (
    Analyse,
    AnalyseMatch,
    AnalysisCommand,
    Code,
    Done,
    Explore,
    Line,
    LookUp,
    Refused,
    StopAnalysis,
)
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .fair_play import require_fair, require_over
from .lines import Lines
from .match_review import Reviews
from .replies import explored, looked_up
from .searches import Searches, request_for
from .store import AnalysisStore
from .time_allowance import Allowances

log = structlog.get_logger()

LOOK_UP_MS = 100
"""What to look something up is reckoned with."""


class AnalysisDesk:
    """What sessions ask for about lines of play."""

    commands = get_args(AnalysisCommand)

    def __init__(self, rooms: Rooms, bots: Bots, store: AnalysisStore, now_ms: NowMs, allowance: float) -> None:
        self._rooms = rooms
        self._bots = bots
        self._lines = Lines(rooms)
        self._searches = Searches(bots, now_ms, Allowances(allowance))
        self._reviews = Reviews(bots, store, now_ms)
        self._lookups: dict[PlayerSession, asyncio.Task[None]] = {}

    async def handle(self, command: AnalysisCommand, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        match command:
            case Explore():
                caller.send(explored(command.id, (await self._lines.walk(command.line, caller.identity)).state))
            case Analyse():
                self._searches.begin(command, await self._fair_end(command.line, caller), caller)
            case StopAnalysis():
                self._searches.stop(caller.identity)
                caller.send(Done(command.id))
            case AnalyseMatch():
                await self._review(command, caller)
            case LookUp():
                self._look_up(command, await self._fair_end(command.line, caller), caller)

    def leave(self, caller: PlayerSession) -> None:
        """End what a connection has asked for that is over."""
        self._searches.leave(caller)
        self._reviews.leave(caller)
        lookup = self._lookups.pop(caller, None)
        if lookup is not None:
            lookup.cancel()

    async def close(self) -> None:
        """End all of it."""
        lookups = tuple(self._lookups.values())
        for lookup in lookups:
            lookup.cancel()
        await asyncio.gather(self._searches.close(), self._reviews.close(), *lookups, return_exceptions=True)

    async def _fair_end(self, line: Line, caller: Caller) -> State:
        """Return the end of a line that somebody may have analysed. Raises: Refusal."""
        walked = await self._lines.walk(line, caller.identity)
        if walked.match is not None:
            require_over(walked.match)
        require_fair(walked.state, caller.identity, self._rooms.played_by(caller.identity))
        return walked.state

    async def _review(self, command: AnalyseMatch, caller: Caller) -> None:
        match = (await self._rooms.find(command.match)).match
        require_over(match)
        require_fair(match.state, caller.identity, self._rooms.played_by(caller.identity))
        with refusing_failures("analysis not read", "look this up", match=match.id):
            await self._reviews.ask(command, match, caller)

    def _look_up(self, command: LookUp, state: State, caller: Caller) -> None:
        """Look a position up beside the session; what the connection asked for before is no longer awaited."""
        if state.game.solved is None:
            caller.send(looked_up(command.id, SolvedEnding((), None, ())))
            return
        before = self._lookups.get(caller)
        if before is not None:
            before.cancel()
        self._lookups[caller] = asyncio.create_task(self._tell_ending(command, state, caller))

    async def _tell_ending(self, command: LookUp, state: State, caller: Caller) -> None:
        request = request_for(state, LOOK_UP_MS, caller.identity)
        try:
            caller.send(looked_up(command.id, await self._bots.look_up(request)))
        except BotError as error:
            log.error("ending not looked up", error=str(error))
            words = "Solved endings cannot be looked up now; please try again."
            caller.send(Refused(Code.UNAVAILABLE, words, command.id))
