"""The handler of puzzles: choosing them, checking moves, rating first attempts, and a player's history."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime

from millrace.engine.game import TERRITORY
from millrace.engine.games import GAMES
from millrace.engine.puzzles import Puzzle
from millrace.engine.state import State
from millrace.protocol import (
    Code,
    GetPuzzle,
    GetPuzzleHistory,
    GiveUpPuzzle,
    Line,
    PuzzleHistory,
    PuzzleMode,
    PuzzlePosed,
    PuzzleStanding,
    PuzzleTried,
    Scope,
    TryPuzzle,
    Wording,
)
from millrace.protocol.refusal import Refusal

from ...callers.answers import Answers, Memory
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limit import DAY_MS, Limit
from ...callers.limits import Limits
from ...journal.unavailable import refusing_failures
from ...ratings.rating import Rating
from ...runtime.system_clock import NowMs
from .library import GamePuzzles, PuzzleLibrary, streak_points
from .puzzle_files import shipped_puzzles
from .puzzle_store import PuzzleStore, Solver
from .solving import Verdict, first_attempt, judge

SHOWN_ATTEMPTS = 50
STORING_ATTEMPTS = 5
"""Maximum attempts to store a first attempt, if others rate the same puzzle at the same time."""

PUZZLES_TRIED = Limit(
    name="puzzles_tried",
    counts="puzzles tried for the first time",
    refusal="You can try {bound} new puzzles a day.",
    window_ms=DAY_MS,
    account=1_000,
    guest=300,
    address=5_000,
)


class PuzzleHandler(Feature):
    """Answers solvers."""

    def __init__(self, store: PuzzleStore, now_ms: NowMs, limits: Limits, answers: Answers) -> None:
        self._store = store
        self._now_ms = now_ms
        self._limits = limits
        self.library = PuzzleLibrary({game: shipped_puzzles(game) for game in GAMES.values()})
        """All puzzles."""
        self._random_below = random.SystemRandom().randrange
        self.routes = (
            Route(GetPuzzle, self.get_puzzle, Scope.READ),
            Route(TryPuzzle, answers.once(self.try_move)),
            Route(GiveUpPuzzle, answers.once(self.give_up)),
            Route(GetPuzzleHistory, self.get_history, Scope.READ),
        )

    async def get_puzzle(self, command: GetPuzzle, caller: Caller) -> None:
        """Answer with a puzzle. Raises: Refusal."""
        with refusing_failures("puzzles not read", "look this up"):
            caller.send(await self._pose(command, caller))

    async def try_move(self, command: TryPuzzle, caller: Caller, memory: Memory) -> PuzzleTried:
        """Answer with the result of a move, and count a first attempt that is over. Raises: Refusal."""
        puzzles = self.library.find(command.game)
        verdict = judge(puzzles.game, _find(puzzles, command.puzzle), command.moves)
        with refusing_failures("puzzle not stored"):
            return await self._answer(command, puzzles, verdict, caller, memory)

    async def give_up(self, command: GiveUpPuzzle, caller: Caller, memory: Memory) -> PuzzleTried:
        """Answer with the solution, and count a first attempt as not solved. Raises: Refusal."""
        puzzles = self.library.find(command.game)
        _find(puzzles, command.puzzle)
        with refusing_failures("puzzle not stored"):
            return await self._answer(command, puzzles, Verdict(is_right=False), caller, memory)

    async def get_history(self, command: GetPuzzleHistory, caller: Caller) -> None:
        """Answer with a solver's rating and first attempts. Raises: Refusal."""
        puzzles = self.library.find(command.game)
        with refusing_failures("puzzles not read", "look this up"):
            solver = await self._store.solver(caller.identity, command.game)
            attempts = await self._store.history(caller.identity, command.game, SHOWN_ATTEMPTS)
            themes = puzzles.themes(await self._store.results(caller.identity, command.game))
            caller.send(PuzzleHistory(command.id, command.game, _standing(solver), tuple(attempts), themes))

    async def _pose(self, command: GetPuzzle, caller: Caller) -> PuzzlePosed:
        """Return the requested puzzle. Raises: Refusal, StorageError."""
        game, chosen, day = command.game, command.puzzle, ""
        if command.mode is PuzzleMode.DAILY and not chosen:
            now_ms = self._now_ms()
            daily = self.library.daily(now_ms // DAY_MS)
            if daily is None:
                raise Refusal(Code.UNKNOWN_PUZZLE, "There is no puzzle today.")
            game, chosen = daily
            day = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y-%m-%d")
        puzzles = self.library.find(game)
        solver = await self._store.solver(caller.identity, game)
        ratings = await self._store.ratings_of(game)
        tried = await self._store.tried(caller.identity, game)
        if not chosen:
            is_streak = command.mode is PuzzleMode.STREAK
            points = streak_points(solver.streak) if is_streak else solver.rating.points
            chosen = puzzles.choose(points, ratings, tried, command.theme, self._random_below) or ""
        puzzle = _find(puzzles, chosen)
        return _posed(command, puzzles, chosen, puzzle, ratings, solver, day, is_tried=chosen in tried)

    async def _answer(
        self,
        command: TryPuzzle | GiveUpPuzzle,
        puzzles: GamePuzzles,
        verdict: Verdict,
        caller: Caller,
        memory: Memory,
    ) -> PuzzleTried:
        """Count a first attempt that is over; return the answer to a move. Raises: Refusal, StorageError."""
        game, chosen = puzzles.game.name, command.puzzle
        is_over = verdict.is_solved or not verdict.is_right
        if is_over and chosen not in await self._store.tried(caller.identity, game):
            self._limits.use(PUZZLES_TRIED, caller)
            return await self._count(command, puzzles, verdict, caller, memory)
        solver = await self._store.solver(caller.identity, game)
        return _tried(command, puzzles, verdict, solver, solver)

    async def _count(
        self,
        command: TryPuzzle | GiveUpPuzzle,
        puzzles: GamePuzzles,
        verdict: Verdict,
        caller: Caller,
        memory: Memory,
    ) -> PuzzleTried:
        """Store a first attempt, unless another has just been stored; return the answer.

        Raises: Refusal, StorageError.
        """
        game, chosen = puzzles.game.name, command.puzzle
        for _ in range(STORING_ATTEMPTS):
            solver = await self._store.solver(caller.identity, game)
            if chosen in await self._store.tried(caller.identity, game):
                return _tried(command, puzzles, verdict, solver, solver)
            ratings = await self._store.ratings_of(game)
            attempt = first_attempt(
                caller.identity,
                game,
                chosen,
                command.mode,
                solver,
                ratings.get(chosen),
                puzzles.rating_of(chosen, ratings),
                self._now_ms(),
                is_solved=verdict.is_solved,
            )
            answer = _tried(command, puzzles, verdict, solver, attempt.solver_after, is_counted=True)
            if await self._store.add(attempt, memory.step(answer)):
                return answer
        raise Refusal(Code.UNAVAILABLE, "Too many people are solving this puzzle now. Please try again.")


def _find(puzzles: GamePuzzles, chosen: str) -> Puzzle:
    """Return a puzzle by its id. Raises: Refusal."""
    puzzle = puzzles.by_id.get(chosen)
    if puzzle is None:
        raise Refusal(Code.UNKNOWN_PUZZLE, "There is no such puzzle of {game}.", game=puzzles.game.title)
    return puzzle


def _tried(
    command: TryPuzzle | GiveUpPuzzle,
    puzzles: GamePuzzles,
    verdict: Verdict,
    before: Solver,
    after: Solver,
    *,
    is_counted: bool = False,
) -> PuzzleTried:
    puzzle, is_over = puzzles.by_id[command.puzzle], verdict.is_solved or not verdict.is_right
    why = verdict.why
    return PuzzleTried(
        command.id,
        command.puzzle,
        verdict.is_right,
        verdict.is_solved,
        verdict.reply,
        tuple(puzzle.accepted_at(ply)[0] for ply in range(len(puzzle.solution))) if is_over else (),
        puzzles.titled(puzzle.themes) if is_over else (),
        is_counted,
        after.rating.points - before.rating.points,
        _standing(after),
        "" if why is None else why.text,
        None if why is None else Wording(why.message, why.values),
    )


def _posed(
    command: GetPuzzle,
    puzzles: GamePuzzles,
    chosen: str,
    puzzle: Puzzle,
    ratings: Mapping[str, Rating],
    solver: Solver,
    day: str,
    *,
    is_tried: bool,
) -> PuzzlePosed:
    game = puzzles.game
    return PuzzlePosed(
        command.id,
        game.name,
        chosen,
        command.mode,
        Line(game.name, puzzle.position),
        State.of(game, puzzle.position).seat,
        puzzle.goal.task(game),
        Wording(puzzle.goal.message(game), {"gain": puzzle.goal.gain, "moves": puzzle.goal.moves}),
        len(puzzle.solver_plies),
        puzzles.rating_of(chosen, ratings).points,
        is_tried,
        _standing(solver),
        day,
        puzzle.goal.measure == TERRITORY,
    )


def _standing(solver: Solver) -> PuzzleStanding:
    rating = solver.rating
    return PuzzleStanding(
        rating.points,
        rating.deviation,
        rating.is_provisional,
        solver.attempts,
        solver.solved,
        solver.streak,
        solver.best_streak,
    )
