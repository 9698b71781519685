"""Match reviews: every move of a match judged by the engine, at low urgency, once for everyone, and stored.

A review begins when a player asks for it, or in the background, when nobody waits for it.

The last move is judged first, so that the transposition table already knows the continuation of earlier ones. Apparent
mistakes are then searched again, five times as long: a short search often mistakes a good move for an inaccuracy.

In a cluster one node computes a review, and callers on the others see its progress. If it dies, another one starts
again.
"""

import asyncio

import structlog

from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.search.expected_score import engine_version
from millrace.engine.state import State
from millrace.protocol import (
    AnalyseMatch,
    Code,
    CommandId,
    Done,
    JudgedPly,
    Judgement,
    MatchAnalysed,
    MatchId,
    MatchProgress,
    Message,
    Refused,
)
from millrace.protocol.refusal import Refusal

from ...bots.books.book_files import BookLibrary
from ...bots.requests import AnalysisResult, BotError, BotRequest, Bots, Urgency
from ...callers.caller import Caller
from ...callers.limit import DAY_MS, Limit
from ...callers.limits import Hold, Limits
from ...callers.presence import PlayerSession
from ...cluster.bus import Bus
from ...matches.match import Match
from ...runtime.cancellation import cancel_and_wait
from ...runtime.system_clock import NowMs
from ...storage.errors import StorageError
from .accuracy import accuracies, turning_point
from .analysis_store import AnalysisStore
from .judgement import judge
from .shared_reviews import ReviewProgress, SharedReviews

log = structlog.get_logger()

PLY_NODES = 300_000
"""Nodes searched per move: about a tenth of a second."""

MATCH_NODES = 60_000_000
"""Maximum nodes searched per match; in a long match each move gets fewer."""

PLY_MS = 1_000
"""Maximum time per move, in case the machine is slow or busy."""

CHECKED_PLIES = 8
"""Maximum number of moves searched again; opening moves first, where a short search errs most."""
CHECK_NODES = 1_500_000
CHECK_MS = 2_000

ATTEMPTS = 3
"""Maximum number of searches of a position whose search was cut short."""

LOOK_SECONDS = 2.0
"""Time without news from the reviewing node after which the database is asked for the review."""

REVIEWS = Limit(
    name="reviews",
    counts="matches reviewed for the first time",
    refusal="You can request the analysis of {bound} matches a day.",
    code=Code.ANALYSIS_SPENT,
    window_ms=DAY_MS,
    account=40,
    guests=40,
    address=200,
)
REVIEWS_RUNNING = Limit(
    name="reviews_running",
    counts="matches being reviewed; one for each account, and one for all guests at an address",
    refusal="Many analyses are in progress. Wait until one is done.",
    code=Code.ANALYSIS_SPENT,
    address=4,
)


class _Review:
    """A review in progress."""

    def __init__(self, match: Match, by: str, hold: Hold | None, urgency: Urgency) -> None:
        self.match = match
        self.hold = hold
        """Counts it at the address whose allowance it uses."""
        self.by = by
        """Whose allowance it uses; empty if another node started it, or nobody has asked."""
        self.urgency = urgency
        self.waiting: dict[PlayerSession, tuple[Caller, CommandId]] = {}
        """The waiting callers, with their commands."""
        self.done = 0
        """Number of plies judged, here or on another node."""
        self.task: asyncio.Task[None] | None = None

    @property
    def total(self) -> int:
        """Number of plies to judge."""
        return self.match.state.ply

    @property
    def engine(self) -> str:
        """The version of the judging engine."""
        return engine_version(self.match.state.line[0].game)

    def progress(self, command_id: CommandId) -> Message:
        """Return the progress for a caller."""
        return MatchProgress(command_id, self.match.id, self.done, self.total)

    def tell_progress(self, done: int) -> None:
        """Send the callers the number of judged plies, if it has changed."""
        if done == self.done:
            return
        self.done = done
        for caller, command_id in tuple(self.waiting.values()):
            caller.send(self.progress(command_id))


class _AnotherIsFirstError(Exception):
    """Another node has started to compute the same review at the same time, and continues."""


class Reviews:
    """Reviews in progress and stored ones."""

    def __init__(
        self, bots: Bots, store: AnalysisStore, books: BookLibrary, now_ms: NowMs, limits: Limits, bus: Bus
    ) -> None:
        self._bots = bots
        self._books = books
        self._store = store
        self._now_ms = now_ms
        self._running: dict[MatchId, _Review] = {}
        self._shared = SharedReviews(bus)
        self._limits = limits

    async def ask(self, command: AnalyseMatch, match: Match, caller: Caller) -> None:
        """Send a caller the review of a match, at once or when it is done, or that none is stored.

        Raises: Refusal, StorageError.
        """
        engine = engine_version(match.state.line[0].game)
        plies = await self._store.find(match.id, engine)
        if plies is not None:
            caller.send(_analysed(command.id, match, engine, plies))
            return
        if command.only_stored:
            caller.send(Done(command.id))
            return
        review = self._running.get(match.id) or self._begin(match, caller)
        review.waiting[caller] = (caller, command.id)
        caller.send(review.progress(command.id))

    async def review(self, match: Match) -> None:
        """Review a match in the background, unless that is being done; return when it is over, also if it failed."""
        review = self._running.get(match.id) or self._start(match, "", None, Urgency.BACKGROUND)
        assert review.task is not None
        await asyncio.wait([review.task])

    def leave(self, caller: PlayerSession) -> None:
        """Forget a caller whose connection has ended; the review is still finished and stored."""
        for review in self._running.values():
            review.waiting.pop(caller, None)

    async def close(self) -> None:
        """Cancel all reviews."""
        await cancel_and_wait([review.task for review in self._running.values() if review.task is not None])

    def _begin(self, match: Match, caller: Caller) -> _Review:
        by, hold = "", None
        if self._shared.elsewhere(match.id) is None:
            by = caller.player.id if caller.player.registered else f"at {caller.connection_info.address}"
            if any(review.by == by for review in self._running.values()) or self._shared.is_busy_elsewhere(by):
                raise Refusal(Code.ANALYSIS_SPENT, "Your last analysis is still in progress. Wait until it is done.")
            hold = self._limits.hold(REVIEWS_RUNNING, caller)
            try:
                self._limits.use(REVIEWS, caller)
            except Refusal:
                hold.release()
                raise
        return self._start(match, by, hold, Urgency.ANALYSIS)

    def _start(self, match: Match, by: str, hold: Hold | None, urgency: Urgency) -> _Review:
        review = self._running[match.id] = _Review(match, by, hold, urgency)
        review.task = asyncio.create_task(self._run(review))
        return review

    async def _run(self, review: _Review) -> None:
        try:
            plies = None
            while plies is None:
                plies = await self._follow(review)
                if plies is None:
                    plies = await self._compute(review)
            for caller, command_id in tuple(review.waiting.values()):
                caller.send(_analysed(command_id, review.match, review.engine, plies))
        except (BotError, StorageError) as error:
            log.error("match not reviewed", match=review.match.id, error=str(error))
            text = "The match could not be reviewed. Please try again."
            for caller, command_id in tuple(review.waiting.values()):
                caller.send(Refused(Code.UNAVAILABLE, text, command_id))
        finally:
            del self._running[review.match.id]
            if review.hold is not None:
                review.hold.release()

    async def _follow(self, review: _Review) -> tuple[JudgedPly, ...] | None:
        """Wait while another node computes a review, and return what it has stored. Raises: StorageError."""
        match = review.match.id
        if self._shared.elsewhere(match) is None:
            return None
        while (progress := self._shared.elsewhere(match)) is not None:
            review.tell_progress(progress.done)
            if not await self._shared.wait(match, LOOK_SECONDS):
                # While the bus is interrupted, the end of the review is not announced.
                plies = await self._store.find(match, review.engine)
                if plies is not None:
                    return plies
        return await self._store.find(match, review.engine)

    async def _compute(self, review: _Review) -> tuple[JudgedPly, ...] | None:
        """Compute and store a review; return None if another node continues it. Raises: BotError, StorageError."""
        try:
            self._note_progress(review, 0)
            plies = await self._judge(review)
            await self._store.keep(review.match.id, review.engine, plies, self._now_ms())
        except _AnotherIsFirstError:
            return None
        finally:
            self._shared.remove(review.match.id)
        return plies

    def _note_progress(self, review: _Review, done: int) -> None:
        """Send callers and nodes the number of judged plies. Raises: _AnotherIsFirstError."""
        self._shared.put(review.match.id, ReviewProgress(review.by, done))
        review.tell_progress(done)
        if not self._shared.is_first(review.match.id):
            raise _AnotherIsFirstError

    async def _judge(self, review: _Review) -> tuple[JudgedPly, ...]:
        """Judge the plies of a match. Raises: _AnotherIsFirstError, BotError."""
        line = review.match.state.line
        nodes = min(PLY_NODES, MATCH_NODES // max(1, len(line)))
        book = await asyncio.to_thread(self._books.book, line[0].game.name)
        judged: list[JudgedPly] = []
        for before, after in zip(line[-2::-1], line[:0:-1], strict=True):
            move = before.format_move(after.move)
            judged.append(judge(before, move, await self._find(review, before, move, nodes, PLY_MS), book))
            self._note_progress(review, len(judged))
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
            urgency=review.urgency,
            owner=f"review of {review.match.id}",
            table=f"{review.match.id} review",
            nodes=nodes,
            also=move,
        )


def _analysed(command_id: CommandId, match: Match, engine: str, plies: tuple[JudgedPly, ...]) -> MatchAnalysed:
    seats = match.state.start.seats
    ranks = None if match.ended is None else match.ended.ranks
    return MatchAnalysed(
        command_id, match.id, engine, plies, accuracies(plies, seats), turning_point(plies, ranks, seats)
    )
