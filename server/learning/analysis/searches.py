"""Searches for players: results are sent as the search deepens; one search at a time per player.

A search runs in growing slices at low urgency, so that bots' moves come first. Each slice continues from the
transposition table of the previous one.
"""

import asyncio
from dataclasses import dataclass, replace
from zlib import crc32

import structlog

from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.state import State
from millrace.protocol import Analyse, Code, IdentityId, Refused, Wording
from millrace.protocol.refusal import Refusal

from ...bots.requests import AnalysisResult, BotError, BotRequest, Bots, Urgency
from ...callers.caller import Caller
from ...callers.limit import Limit
from ...callers.limits import Limits
from ...callers.presence import PlayerSession
from ...runtime.cancellation import cancel_and_wait
from ...runtime.system_clock import NowMs
from .replies import evaluated

log = structlog.get_logger()

FIRST_SLICE_MS = 300
"""Longer than short searches, so that all slices go to the same workers."""

SLICE_GROWTH = 2.0
LONGEST_SLICE_MS = 5_000

ANALYSIS_MS = Limit(
    name="analysis_ms",
    counts="milliseconds of processor time for analyses",
    refusal="You have used up your analysis time.",
    code=Code.ANALYSIS_SPENT,
    window_ms=180_000,
    account=180_000,
    guests=60_000,
    address=360_000,
)
"""The processor time that a player may spend. The guests at one address share it."""
MIN_MS = 300
"""Minimum allowance to start a search."""

MORE_WITH_ACCOUNT = "Sign in to triple this limit."


@dataclass(eq=False)
class _Search:
    caller: Caller
    task: asyncio.Task[None] | None = None


class Searches:
    """The searches in progress."""

    def __init__(self, bots: Bots, now_ms: NowMs, limits: Limits) -> None:
        self._bots = bots
        self._now_ms = now_ms
        self._limits = limits
        self._running: dict[IdentityId, _Search] = {}

    def begin(self, command: Analyse, state: State, caller: Caller) -> None:
        """Start a search whose results are sent to the caller; the player's previous search ends. Raises: Refusal."""
        self._require_allowance(caller)
        self.stop(caller.identity)
        search = self._running[caller.identity] = _Search(caller)
        search.task = asyncio.create_task(self._run(search, command, state))

    def stop(self, identity: IdentityId) -> None:
        """Stop a player's search, if there is one."""
        search = self._running.pop(identity, None)
        if search is not None and search.task is not None:
            search.task.cancel()

    def leave(self, caller: PlayerSession) -> None:
        """End the search of a caller whose connection has ended."""
        search = self._running.get(caller.identity)
        if search is not None and search.caller is caller:
            self.stop(caller.identity)

    async def close(self) -> None:
        """End all searches."""
        tasks = [search.task for search in self._running.values() if search.task is not None]
        self._running.clear()
        await cancel_and_wait(tasks)

    def _require_allowance(self, caller: Caller) -> None:
        try:
            self._limits.check(ANALYSIS_MS, caller, MIN_MS)
        except Refusal as refusal:
            if not caller.player.registered:
                refusal.add([Wording(MORE_WITH_ACCOUNT)])
            raise

    async def _run(self, search: _Search, command: Analyse, state: State) -> None:
        try:
            await self._deepen(search.caller, command, state)
        except BotError as error:
            log.error("analysis failed", request=command.id, player=search.caller.identity, error=str(error))
            text = "The engine does not answer. Please try again."
            search.caller.send(Refused(Code.UNAVAILABLE, text, command.id))
        finally:
            if self._running.get(search.caller.identity) is search:
                del self._running[search.caller.identity]

    async def _deepen(self, caller: Caller, command: Analyse, state: State) -> None:
        wanted_ms, slice_ms = float(command.seconds * 1000), float(FIRST_SLICE_MS)
        nodes = 0
        is_final = False
        while not is_final:
            left_ms = int(self._limits.left(ANALYSIS_MS, caller))
            bound_ms = max(MIN_MS, min(slice_ms, wanted_ms, left_ms))
            findings = await self._find(_request(command, state, caller.identity, bound_ms), caller)
            left_ms = int(self._limits.left(ANALYSIS_MS, caller))
            wanted_ms -= max(findings.elapsed_ms, 1.0)
            nodes += findings.nodes
            slice_ms = min(slice_ms * SLICE_GROWTH, LONGEST_SLICE_MS)
            is_final = findings.is_settled or wanted_ms < MIN_MS or left_ms < MIN_MS
            caller.send(evaluated(command.id, state, findings, nodes, max(0, left_ms), is_final=is_final))

    async def _find(self, request: BotRequest, caller: Caller) -> AnalysisResult:
        """Return the result of a slice, and charge its time, even if it is cancelled."""
        began_ms, spent_ms = self._now_ms(), 0.0
        try:
            findings = await self._bots.analyse(request)
            spent_ms = findings.elapsed_ms
        except asyncio.CancelledError:
            spent_ms = min(request.movetime_ms or 0.0, self._now_ms() - began_ms)
            raise
        finally:
            self._limits.spend(ANALYSIS_MS, caller, spent_ms)
        return findings


def request_for(state: State, movetime_ms: float, owner: str) -> BotRequest:
    """Return the request to search a position."""
    return BotRequest(
        game=state.line[0].game.name,
        setup=state.line[0].position_text,
        moves=state.move_texts,
        level=STRONGEST_LEVEL,
        seed=0,
        movetime_ms=movetime_ms,
        urgency=Urgency.ANALYSIS,
        owner=owner,
    )


def _request(command: Analyse, state: State, identity: IdentityId, movetime_ms: float) -> BotRequest:
    line = command.line
    return replace(
        request_for(state, movetime_ms, identity),
        table=f"{line.match or f'- {line.game} {crc32(line.setup.encode()):08x}'} analysis {identity}",
        variations=command.variations,
        also=command.also or "",
    )
