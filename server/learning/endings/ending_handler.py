"""The handler of endings: posing them, and playing on from a player's moves.

Drawing and judging wait for a worker, so they run in a separate task, and the session is free meanwhile.
"""

import asyncio
import random
from collections.abc import Awaitable

import structlog

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.state import State
from millrace.protocol import (
    Code,
    EndingGoal,
    EndingPlayed,
    EndingPosed,
    EndingStanding,
    GetEnding,
    IdentityId,
    Line,
    PlayEnding,
    Refused,
)
from millrace.protocol.refusal import Refusal

from ...bots.requests import BotError, BotRequest, Bots, Urgency
from ...callers.answers import Answers, Memory
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limit import HOUR_MS, Limit
from ...callers.limits import Limits
from ...journal.unavailable import refusing_failures
from ...matches.referee import play_text
from ...runtime.cancellation import cancel_and_wait
from .ending_store import EndingStore, GradeChange, Training
from .training import Ending, Trainee, fitting, rated, rating_of, step

log = structlog.get_logger()

DRAWING_MS = 150.0
"""Time for drawing the endings of which one is chosen."""

JUDGING_MS = 300.0
"""Expected time for a judgement."""

STORING_ATTEMPTS = 5
"""Maximum attempts to store a result, if others are rated with the same grade at the same time."""

ENDING_REQUESTS = Limit(
    name="ending_requests",
    counts="endings, and moves in them",
    refusal="You can play {bound} moves in endings an hour.",
    window_ms=HOUR_MS,
    account=2_000,
    guest=600,
    address=6_000,
)


class EndingHandler(Feature):
    """Answers players of endings."""

    def __init__(self, store: EndingStore, bots: Bots, limits: Limits, answers: Answers) -> None:
        self._store = store
        self._bots = bots
        self._limits = limits
        self._random_below = random.SystemRandom().randrange
        self._get, self._play = answers.once(self.get_ending), answers.once(self.play)
        self._tasks: dict[asyncio.Task[None], Caller] = {}
        self.routes = (Route(GetEnding, self.begin_getting), Route(PlayEnding, self.begin_playing))

    async def begin_getting(self, command: GetEnding, caller: Caller) -> None:
        """Answer in the background. Raises: Refusal."""
        self._begin(self._get(command, caller), command, caller)

    async def begin_playing(self, command: PlayEnding, caller: Caller) -> None:
        """Answer in the background. Raises: Refusal."""
        self._begin(self._play(command, caller), command, caller)

    async def get_ending(self, command: GetEnding, caller: Caller, memory: Memory) -> EndingPosed:
        """Answer with the player's present ending, or with a new one. Raises: Refusal."""
        self._require_tables(command.game)
        with refusing_failures("ending not stored"):
            before = await self._store.training(caller.identity, command.game)
            ratings = await self._store.ratings_of(command.game)
            ending = before.ending
            if ending is None or ending.is_over or command.fresh or command.goal not in {EndingGoal.ANY, ending.goal}:
                self._limits.use(ENDING_REQUESTS, caller)
                points = before.trainee.rating.points
                drawn = await self._bots.draw_endings(_request(command.game, "", (), DRAWING_MS, caller.identity))
                candidates = fitting(drawn, command.goal, points, ratings)
                if not candidates:
                    raise Refusal(Code.UNKNOWN_PUZZLE, "There are no solved endings of this kind here.")
                ending = candidates[self._random_below(len(candidates))]
            answer = _posed(command, ending, before.trainee, rating_of(ending, ratings).points)
            after = Training(before.trainee, ending)
            if not await self._store.put(caller.identity, command.game, before, after, None, memory.step(answer)):
                raise Refusal(Code.UNAVAILABLE, "You are playing this ending elsewhere too. Please try again.")
            return answer

    async def play(self, command: PlayEnding, caller: Caller, memory: Memory) -> EndingPlayed:
        """Answer with the judgement on a move and the reply. Raises: Refusal."""
        self._require_tables(command.game)
        with refusing_failures("ending not stored"):
            before = await self._store.training(caller.identity, command.game)
            ending = _require_at(before.ending, command.ply)
            line = ending.line
            state = play_text(State.from_moves(GAMES[command.game], ending.position, line), command.move)
            assert state.previous is not None
            move = state.previous.format_move(state.move)
            self._limits.use(ENDING_REQUESTS, caller)
            request = _request(command.game, ending.position, (*line, move), JUDGING_MS, caller.identity)
            judged = await self._bots.judge_ending(request)
            if judged is None:
                raise Refusal(Code.UNAVAILABLE, "The tables of this ending are not here now. Please try a new one.")
            done = step(ending, move, judged)
            for _ in range(STORING_ATTEMPTS):
                ratings = await self._store.ratings_of(command.game)
                trainee, change = before.trainee, None
                if done.is_success is not None:
                    trainee, after = rated(trainee, rating_of(ending, ratings), is_success=done.is_success)
                    change = GradeChange(ending.grade, ratings.get(ending.grade), after)
                answer = EndingPlayed(
                    command.id,
                    command.game,
                    move,
                    done.is_kept,
                    judged.reached,
                    judged.reply,
                    () if done.is_kept else judged.keeping,
                    done.is_solved,
                    done.left,
                    done.is_success is not None,
                    trainee.rating.points - before.trainee.rating.points,
                    _standing(trainee),
                )
                training = Training(trainee, done.ending)
                if await self._store.put(caller.identity, command.game, before, training, change, memory.step(answer)):
                    return answer
                if (await self._store.training(caller.identity, command.game)).version != before.version:
                    break
        raise Refusal(Code.UNAVAILABLE, "You are playing this ending elsewhere too. Please try again.")

    def disconnect(self, caller: Caller) -> None:
        """Stop the requests of a caller whose connection has ended."""
        for task, by in self._tasks.items():
            if by is caller:
                task.cancel()

    async def close(self) -> None:
        """Stop all requests."""
        await cancel_and_wait(tuple(self._tasks))

    def _begin(self, answering: Awaitable[None], command: GetEnding | PlayEnding, caller: Caller) -> None:
        task = asyncio.create_task(_answered(answering, command, caller))
        self._tasks[task] = caller
        task.add_done_callback(self._tasks.pop)

    def _require_tables(self, game: str) -> None:
        """Raises: Refusal for a game that is not solved, and while no bot can answer."""
        if game not in GAMES or GAMES[game].strength.tablebase is None:
            raise Refusal(Code.UNKNOWN_PUZZLE, "No endings of this game are solved.")
        if not self._bots.is_ready:
            raise Refusal(Code.UNAVAILABLE, "The endings are being prepared. Please try again in a moment.")


async def _answered(answering: Awaitable[None], command: GetEnding | PlayEnding, caller: Caller) -> None:
    """Wait for an answer; send the refusal instead."""
    try:
        await answering
    except Refusal as refusal:
        _refuse(refusal, command, caller)
    except BotError as error:
        log.error("ending not judged", request=command.id, player=caller.identity, error=str(error))
        _refuse(Refusal(Code.UNAVAILABLE, "The tables do not answer now. Please try again."), command, caller)


def _refuse(refusal: Refusal, command: GetEnding | PlayEnding, caller: Caller) -> None:
    caller.send(Refused(refusal.code, refusal.message, command.id, None, refusal.wording))


def _require_at(ending: Ending | None, ply: int) -> Ending:
    """Return an ending that goes on at a ply. Raises: Refusal."""
    if ending is None or ending.is_over:
        raise Refusal(Code.UNKNOWN_PUZZLE, "You are playing no ending. Get a new one first.")
    if ply != len(ending.line):
        raise Refusal(Code.ILLEGAL_MOVE, "The ending is at another move. Please open it again.")
    return ending


def _request(game: str, setup: str, moves: tuple[str, ...], movetime_ms: float, owner: IdentityId) -> BotRequest:
    seed = random.SystemRandom().randrange(2**32)
    return BotRequest(game, setup, moves, STRONGEST_LEVEL, seed, movetime_ms, urgency=Urgency.ANALYSIS, owner=owner)


def _posed(command: GetEnding, ending: Ending, trainee: Trainee, points: int) -> EndingPosed:
    return EndingPosed(
        command.id,
        command.game,
        ending.goal,
        Line(command.game, ending.position, moves=ending.line),
        State.of(GAMES[command.game], ending.position).seat,
        ending.length,
        ending.mistakes,
        points,
        ending.is_counted,
        _standing(trainee),
    )


def _standing(trainee: Trainee) -> EndingStanding:
    rating = trainee.rating
    return EndingStanding(rating.points, rating.deviation, rating.is_provisional, trainee.attempts, trainee.solved)
