"""Whole matches judged ply by ply: at low urgency, once for all who ask, and kept.

The last ply comes first, so that the table of the search already knows how things went on when it comes to the earlier
ones.
"""

import asyncio

import structlog

from millrace.engine.expectation import engine_version
from millrace.engine.opponents import STRONGEST_LEVEL
from millrace.engine.state import State

from ..accounts.rate_limits import SlidingWindow
from ..bots.requests import BotError, BotRequest, Bots, Findings, Urgency
from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..journal.store import StorageError
from ..matches.match import Match
from ..protocol import (
    AnalyseMatch,
    Code,
    CommandId,
    JudgedPly,
    MatchAnalysed,
    MatchId,
    MatchProgress,
    Message,
    Refused,
)
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .judgement import judge
from .store import AnalysisStore
from .time_allowance import allowance_of

log = structlog.get_logger()

PLY_NODES = 300_000
"""Searched for each ply: about a tenth of a second."""

MATCH_NODES = 60_000_000
"""Searched for a match at most: in a longer one each ply gets less."""

PLY_MS = 1_000
"""The most that a ply may take, in case the machine is slow or others come between."""

ATTEMPTS = 3
"""What was cut short is searched again, at most so many times in all."""

DAY_MS = 86_400_000
MATCHES_A_DAY = 40
"""So many matches that nobody has had judged before, for an account, or for the guests at one address."""


class _Review:
    """A match that is being judged."""

    def __init__(self, match: Match, by: str) -> None:
        self.match = match
        self.by = by
        """Whose allowance it counts for."""
        self.askers: dict[PlayerSession, tuple[Caller, CommandId]] = {}
        """Who is told, by connection."""
        self.done = 0
        self.task: asyncio.Task[None] | None = None

    @property
    def total(self) -> int:
        """How many plies there are."""
        return self.match.state.ply

    def progress(self, command_id: CommandId) -> Message:
        """Return what is told on the way."""
        return MatchProgress(command_id, self.match.id, self.done, self.total)


class Reviews:
    """The matches that are being judged, and those that have been."""

    def __init__(self, bots: Bots, store: AnalysisStore, now_ms: NowMs) -> None:
        self._bots = bots
        self._store = store
        self._now_ms = now_ms
        self._running: dict[MatchId, _Review] = {}
        self._counted = SlidingWindow(MATCHES_A_DAY, DAY_MS)

    async def ask(self, command: AnalyseMatch, match: Match, caller: Caller) -> None:
        """Tell somebody how a match is judged, at once or when that is done. Raises: Refusal, StorageError."""
        engine = engine_version(match.state.line[0].game)
        plies = await self._store.find(match.id, engine)
        if plies is not None:
            caller.send(MatchAnalysed(command.id, match.id, engine, plies))
            return
        review = self._running.get(match.id) or self._begin(match, caller)
        review.askers[caller] = (caller, command.id)
        caller.send(review.progress(command.id))

    def leave(self, caller: PlayerSession) -> None:
        """Tell a connection nothing more that is over; what it asked for is judged to the end all the same."""
        for review in self._running.values():
            review.askers.pop(caller, None)

    async def close(self) -> None:
        """Judge no more."""
        tasks = [review.task for review in self._running.values() if review.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, match: Match, caller: Caller) -> _Review:
        by, _ = allowance_of(caller)
        if any(review.by == by for review in self._running.values()):
            raise Refusal(Code.ANALYSIS_SPENT, "Another match is being analysed for you; wait until that is done.")
        if not self._counted.has_room(by, self._now_ms()):
            raise Refusal(Code.ANALYSIS_SPENT, f"{MATCHES_A_DAY} matches a day can be analysed; more tomorrow.")
        self._counted.add(by, self._now_ms())
        review = self._running[match.id] = _Review(match, by)
        review.task = asyncio.create_task(self._run(review))
        return review

    async def _run(self, review: _Review) -> None:
        try:
            plies = await self._judge(review)
            engine = engine_version(review.match.state.line[0].game)
            await self._store.keep(review.match.id, engine, plies, self._now_ms())
            for caller, command_id in tuple(review.askers.values()):
                caller.send(MatchAnalysed(command_id, review.match.id, engine, plies))
        except (BotError, StorageError) as error:
            log.error("match not analysed", match=review.match.id, error=str(error))
            words = "The match could not be analysed now; please try again."
            for caller, command_id in tuple(review.askers.values()):
                caller.send(Refused(Code.UNAVAILABLE, words, command_id))
        finally:
            del self._running[review.match.id]

    async def _judge(self, review: _Review) -> tuple[JudgedPly, ...]:
        line = review.match.state.line
        nodes = min(PLY_NODES, MATCH_NODES // max(1, len(line)))
        judged: list[JudgedPly] = []
        for before, after in zip(line[-2::-1], line[:0:-1], strict=True):
            move = before.format_move(after.move)
            judged.append(judge(before, move, await self._find(review, before, move, nodes)))
            review.done += 1
            for caller, command_id in tuple(review.askers.values()):
                caller.send(review.progress(command_id))
        return tuple(reversed(judged))

    async def _find(self, review: _Review, before: State, move: str, nodes: int) -> Findings:
        """Return what is found of a position and of the move that was played there, if possible uncut."""
        request = BotRequest(
            game=review.match.created.game,
            setup=review.match.created.setup,
            moves=before.move_texts,
            level=STRONGEST_LEVEL,
            seed=0,
            movetime_ms=PLY_MS,
            urgency=Urgency.ANALYSIS,
            owner=f"review of {review.match.id}",
            table=f"review {review.match.id}",
            nodes=nodes,
            also=move,
        )
        found = await self._bots.analyse(request)
        for _ in range(ATTEMPTS - 1):
            if not found.is_cut:
                break
            again = await self._bots.analyse(request)
            found = max(found, again, key=lambda each: each.depth)
        return found
