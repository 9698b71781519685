"""The handler of storms: starting one, and judging and timing its moves."""

import random

from millrace.engine.game import TERRITORY
from millrace.engine.state import State
from millrace.protocol import (
    Code,
    Line,
    PlayStorm,
    StartStorm,
    StormBegun,
    StormPlayed,
    StormPuzzle,
    StormStanding,
    Wording,
)
from millrace.protocol.refusal import Refusal

from ...callers.answers import Answers, Memory, require_first
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limit import DAY_MS, HOUR_MS, Limit
from ...callers.limits import Limits
from ...journal.unavailable import refusing_failures
from ...runtime.system_clock import NowMs
from ..puzzles.library import GamePuzzles, PuzzleLibrary
from ..puzzles.solving import judge
from .storm import Storm, is_over, played, started
from .storm_store import StormStore

STORMS_STARTED = Limit(
    name="storms_started",
    counts="storms started",
    refusal="You can start {bound} storms an hour.",
    window_ms=HOUR_MS,
    account=60,
    guest=30,
    address=600,
)


class StormHandler(Feature):
    """Answers players of storms."""

    def __init__(
        self, store: StormStore, library: PuzzleLibrary, now_ms: NowMs, limits: Limits, answers: Answers
    ) -> None:
        self._store = store
        self._library = library
        self._now_ms = now_ms
        self._limits = limits
        self._random_below = random.SystemRandom().randrange
        self.routes = (
            Route(StartStorm, answers.once(self.start)),
            Route(PlayStorm, answers.once(self.play)),
        )

    async def start(self, command: StartStorm, caller: Caller, memory: Memory) -> StormBegun:
        """Start a storm. Raises: Refusal."""
        puzzles = self._library.find(command.game)
        self._limits.use(STORMS_STARTED, caller)
        with refusing_failures("storm not stored"):
            before, now_ms = await self._store.find(caller.identity, command.game), self._now_ms()
            storm = started(before.storm, puzzles, now_ms, self._random_below)
            posed = tuple(pose(puzzles, storm.ids[number - 1], number) for number in (1, 2))
            standing = _standing(storm, now_ms)
            answer = StormBegun(command.id, command.game, storm.ends_ms - now_ms, posed, standing)
            require_first(await self._store.put(caller.identity, command.game, before, storm, memory.step(answer)))
            return answer

    async def play(self, command: PlayStorm, caller: Caller, memory: Memory) -> StormPlayed:
        """Judge a move in the present puzzle. Raises: Refusal."""
        puzzles, now_ms = self._library.find(command.game), self._now_ms()
        with refusing_failures("storm not stored"):
            before = await self._store.find(caller.identity, command.game)
            storm = before.storm
            if storm.number == 0:
                raise Refusal(Code.UNKNOWN_PUZZLE, "You have not started a storm.")
            if is_over(storm, now_ms):
                answer = StormPlayed(command.id, command.game, False, True, "", 0, 0, None, _standing(storm, now_ms))
                await memory.keep(answer)
                return answer
            if command.number != storm.number or len(command.moves) != storm.plies + 1:
                raise Refusal(Code.ILLEGAL_MOVE, "The storm is at another move.")
            verdict = judge(puzzles.game, puzzles.by_id[storm.present], command.moves)
            after = played(storm, verdict, puzzles, now_ms // DAY_MS, self._random_below)
            is_next = after.number > storm.number
            answer = StormPlayed(
                command.id,
                command.game,
                verdict.is_right,
                False,
                verdict.reply if verdict.is_right else "",
                after.ends_ms - storm.ends_ms,
                max(0, after.ends_ms - now_ms),
                pose(puzzles, after.ids[after.number], after.number + 1) if is_next else None,
                _standing(after, now_ms),
            )
            require_first(await self._store.put(caller.identity, command.game, before, after, memory.step(answer)))
            return answer


def pose(puzzles: GamePuzzles, chosen: str, number: int) -> StormPuzzle:
    """Return a puzzle for its solvers, without its solution."""
    game, puzzle = puzzles.game, puzzles.by_id[chosen]
    goal = puzzle.goal
    return StormPuzzle(
        number,
        chosen,
        Line(game.name, puzzle.position),
        State.of(game, puzzle.position).seat,
        goal.task(game),
        Wording(goal.message(game), {"gain": goal.gain, "moves": goal.moves}),
        goal.measure == TERRITORY,
    )


def _standing(storm: Storm, now_ms: int) -> StormStanding:
    return StormStanding(storm.score, storm.combo, storm.best_today(now_ms // DAY_MS), storm.best)
