"""Match reviews: every move of a match judged by the engine, at low urgency, once for everyone, and stored.

The last move is judged first, so that the transposition table already knows the continuation of earlier ones. What then
looks like a mistake is searched again, five times as long: a short search takes many a good move for an inaccuracy.
"""

import asyncio

import structlog

from millrace.engine.analysis.expected_score import engine_version
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.state import State

from ..books.book_files import BookLibrary
from ..bots.requests import AnalysisResult, BotError, BotRequest, Bots, Urgency
from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..journal.store import StorageError
from ..limits.limit import DAY_MS, Limit
from ..limits.limits import Limits
from ..matches.match import Match
from ..protocol import (
    AnalyseMatch,
    Code,
    CommandId,
    JudgedPly,
    Judgement,
    MatchAnalysed,
    MatchId,
    MatchProgress,
    Message,
    Refused,
)
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .accuracy import accuracies, turning_point
from .judgement import judge
from .store import AnalysisStore
from .time_allowance import allowance_key

log = structlog.get_logger()

PLY_NODES = 300_000
"""Nodes searched per move: about a tenth of a second."""

MATCH_NODES = 60_000_000
"""Maximum nodes searched per match; in a long match each move gets fewer."""

PLY_MS = 1_000
"""Maximum time per move, in case the machine is slow or busy."""

CHECKED_PLIES = 8
"""Maximum moves that are searched again; in the opening first, where a short search errs most."""
CHECK_NODES = 1_500_000
CHECK_MS = 2_000

ATTEMPTS = 3
"""Maximum searches of a position whose search was cut short."""

REVIEWS = Limit(
    name="reviews",
    counts="matches reviewed that nobody has had reviewed before",
    refusal="You can have {bound} matches reviewed in a day.",
    code=Code.ANALYSIS_SPENT,
    window_ms=DAY_MS,
    account=40,
    guests=40,
    address=200,
)


class _Review:
    """A review in progress."""

    def __init__(self, match: Match, by: str) -> None:
        self.match = match
        self.by = by
        """Whose allowance it uses."""
        self.waiting: dict[PlayerSession, tuple[Caller, CommandId]] = {}
        """The callers who wait for it, with their commands."""
        self.done = 0
        self.task: asyncio.Task[None] | None = None

    @property
    def total(self) -> int:
        """Number of plies to judge."""
        return self.match.state.ply

    def progress(self, command_id: CommandId) -> Message:
        """Return the progress as sent to a caller."""
        return MatchProgress(command_id, self.match.id, self.done, self.total)


class Reviews:
    """Reviews in progress and stored ones."""

    def __init__(self, bots: Bots, store: AnalysisStore, books: BookLibrary, now_ms: NowMs, limits: Limits) -> None:
        self._bots = bots
        self._books = books
        self._store = store
        self._now_ms = now_ms
        self._running: dict[MatchId, _Review] = {}
        self._limits = limits

    async def ask(self, command: AnalyseMatch, match: Match, caller: Caller) -> None:
        """Send a caller the review of a match, at once or when it is done. Raises: Refusal, StorageError."""
        engine = engine_version(match.state.line[0].game)
        plies = await self._store.find(match.id, engine)
        if plies is not None:
            caller.send(_analysed(command.id, match, engine, plies))
            return
        review = self._running.get(match.id) or self._begin(match, caller)
        review.waiting[caller] = (caller, command.id)
        caller.send(review.progress(command.id))

    def leave(self, caller: PlayerSession) -> None:
        """Forget a caller whose connection has ended; the review is finished and stored all the same."""
        for review in self._running.values():
            review.waiting.pop(caller, None)

    async def close(self) -> None:
        """Cancel all reviews."""
        tasks = [review.task for review in self._running.values() if review.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, match: Match, caller: Caller) -> _Review:
        by = allowance_key(caller)
        if any(review.by == by for review in self._running.values()):
            raise Refusal(Code.ANALYSIS_SPENT, "Another review for you is in progress. Wait until it is done.")
        self._limits.use(REVIEWS, caller)
        review = self._running[match.id] = _Review(match, by)
        review.task = asyncio.create_task(self._run(review))
        return review

    async def _run(self, review: _Review) -> None:
        try:
            plies = await self._judge(review)
            engine = engine_version(review.match.state.line[0].game)
            await self._store.keep(review.match.id, engine, plies, self._now_ms())
            for caller, command_id in tuple(review.waiting.values()):
                caller.send(_analysed(command_id, review.match, engine, plies))
        except (BotError, StorageError) as error:
            log.error("match not reviewed", match=review.match.id, error=str(error))
            text = "The match could not be reviewed. Please try again."
            for caller, command_id in tuple(review.waiting.values()):
                caller.send(Refused(Code.UNAVAILABLE, text, command_id))
        finally:
            del self._running[review.match.id]

    async def _judge(self, review: _Review) -> tuple[JudgedPly, ...]:
        line = review.match.state.line
        nodes = min(PLY_NODES, MATCH_NODES // max(1, len(line)))
        book = await asyncio.to_thread(self._books.book, line[0].game.name)
        judged: list[JudgedPly] = []
        for before, after in zip(line[-2::-1], line[:0:-1], strict=True):
            move = before.format_move(after.move)
            judged.append(judge(before, move, await self._find(review, before, move, nodes, PLY_MS), book))
            review.done += 1
            for caller, command_id in tuple(review.waiting.values()):
                caller.send(review.progress(command_id))
        judged.reverse()
        suspected = [ply for ply, each in enumerate(judged) if each.judgement is not Judgement.GOOD]
        for ply in suspected[:CHECKED_PLIES]:
            move = judged[ply].move
            findings = await self._bots.analyse(self._request(review, line[ply], move, CHECK_NODES, CHECK_MS))
            if findings.depth > judged[ply].depth:
                judged[ply] = judge(line[ply], move, findings, book)
        return tuple(judged)

    async def _find(self, review: _Review, before: State, move: str, nodes: int, movetime_ms: float) -> AnalysisResult:
        """Return the search of a position and of the move played there, repeated while it was cut short."""
        request = self._request(review, before, move, nodes, movetime_ms)
        found = await self._bots.analyse(request)
        for _ in range(ATTEMPTS - 1):
            if not found.is_cut:
                break
            again = await self._bots.analyse(request)
            found = max(found, again, key=lambda each: each.depth)
        return found

    @staticmethod
    def _request(review: _Review, before: State, move: str, nodes: int, movetime_ms: float) -> BotRequest:
        return BotRequest(
            game=review.match.created.game,
            setup=review.match.created.setup,
            moves=before.move_texts,
            level=STRONGEST_LEVEL,
            seed=0,
            movetime_ms=movetime_ms,
            urgency=Urgency.ANALYSIS,
            owner=f"review of {review.match.id}",
            table=f"review {review.match.id}",
            nodes=nodes,
            also=move,
        )


def _analysed(command_id: CommandId, match: Match, engine: str, plies: tuple[JudgedPly, ...]) -> MatchAnalysed:
    seats = match.state.start.seats
    ranks = None if match.ended is None else match.ended.ranks
    return MatchAnalysed(
        command_id, match.id, engine, plies, accuracies(plies, seats), turning_point(plies, ranks, seats)
    )
