"""Mining: puzzles from the positions of matches.

The matches are given, or the engine plays them against itself from random openings. Every position is tried with the
tasks of the game, and each task with the largest gain that can be forced. No two puzzles of a game are the same
position, and neither a theme nor the easy ones take more than their share.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..game import Game, PuzzleTask, SolutionMove
from ..search import Limits, analyse, no_clock
from ..state import State
from ..transposition_table import new_table
from ..tuning.self_play import MAX_PLIES, RandomBelow, begin_match
from .difficulty import first_rating
from .goal import WIN, Goal
from .proof import Prover
from .puzzle import Puzzle
from .solution import find_refutations, find_solution

MINING_NODES = 3_000_000
"""Maximum nodes of a proof while mining; positions that need more are skipped."""

PLAYING_NODES = 1_500
"""Nodes of each search while playing: weak enough that many matches are decided by mistakes."""

RANDOM_PLIES = 8
BLUNDER_IN = 6
"""One of this many moves is random, so that there are mistakes to punish."""

PER_MATCH = 4
"""Maximum puzzles from one match; they resemble each other."""

EASY_RATING = 800
"""The rating up to which a puzzle counts as easy."""

TABLE_MEGABYTES = 1


class Quota(NamedTuple):
    """How many puzzles to find."""

    puzzles: int
    theme: int
    """Maximum puzzles of each theme; a puzzle of several themes counts for all of them."""
    easy: int
    """Maximum puzzles that the weakest level solves."""


class Miner:
    """Collects puzzles of a game."""

    def __init__(self, game: Game, quota: Quota, found: Iterable[Puzzle] = ()) -> None:
        assert game.puzzles is not None
        self._game, self._terms, self._quota = game, game.puzzles, quota
        self._prover = Prover(game, MINING_NODES)
        self.puzzles: list[Puzzle] = []
        self._known = set[str]()
        self._themes = Counter[str]()
        self._easy = 0
        for puzzle in found:
            self._add(puzzle)

    @property
    def is_full(self) -> bool:
        """Whether there are enough puzzles."""
        return len(self.puzzles) >= self._quota.puzzles

    def mine(self, match: Sequence[State], random_below: RandomBelow) -> int:
        """Add the puzzles of some of a match's positions; return their number."""
        count, left = 0, list(match)
        while left and count < PER_MATCH and not self.is_full:
            puzzle = self._puzzle_at(left.pop(random_below(len(left))))
            if puzzle is None or self._is_surplus(puzzle):
                continue
            rated = puzzle._replace(rating=first_rating(self._game, puzzle))
            if rated.rating <= EASY_RATING and self._easy >= self._quota.easy:
                continue
            self._add(rated)
            count += 1
        return count

    def _add(self, puzzle: Puzzle) -> None:
        self.puzzles.append(puzzle)
        self._known.add(puzzle.position)
        self._themes.update(puzzle.themes)
        self._easy += puzzle.rating <= EASY_RATING

    def _is_surplus(self, puzzle: Puzzle) -> bool:
        most = self._quota.theme
        return puzzle.position in self._known or all(self._themes[theme] >= most for theme in puzzle.themes)

    def _puzzle_at(self, state: State) -> Puzzle | None:
        """Return the puzzle of the first task that has a single solution in this position."""
        if state.outcome is not None or state.start.seats != 2 or len(state.legal_moves) < 3:
            return None
        # Without a history, like the puzzle.
        fresh = State.of(self._game, _without_quiet_plies(state))
        empties = sum(pile is None for pile in fresh.drawing.piles)
        for task in self._terms.tasks:
            if empties < task.least_empties or (task.most_empties is not None and empties > task.most_empties):
                continue
            puzzle = self._puzzle_of(fresh, task)
            if puzzle is not None:
                return puzzle
        return None

    def _puzzle_of(self, state: State, task: PuzzleTask) -> Puzzle | None:
        gains = (0,) if task.measure == WIN else range(task.most_gain, task.least_gain - 1, -1)
        if len(gains) > 1 and not self._can_reach(state, Goal(task.measure, task.least_gain, task.plies)):
            return None
        for gain in gains:
            goal = Goal(task.measure, gain, task.plies)
            if not self._can_reach(state, goal):
                continue
            solution = find_solution(self._prover, state, goal)
            return None if solution is None else self._classified(state, goal, solution)
        return None

    def _can_reach(self, state: State, goal: Goal) -> bool:
        return bool(self._prover.moves_to(state, goal, self._prover.least_lead(state, goal)))

    def _classified(self, state: State, goal: Goal, solution: tuple[str, ...]) -> Puzzle | None:
        """Return an unrated puzzle, or None if the solution has no theme."""
        puzzle = Puzzle(state.position_text, goal, solution, (), 0)
        themes = self._terms.classify(state.start.board, goal.measure, tuple(solution_moves(self._game, puzzle)))
        refutations = find_refutations(self._game, puzzle, self._prover)
        return puzzle._replace(themes=themes, refutations=refutations) if themes else None


def solution_moves(game: Game, puzzle: Puzzle) -> Iterator[SolutionMove]:
    """Yield the moves of a solution with the positions around them."""
    state = State.of(game, puzzle.position)
    for ply in range(len(puzzle.solution)):
        move = state.parse_move(puzzle.accepted_at(ply)[0])
        after = state.after(move)
        yield SolutionMove(state.words, move, after.words)
        state = after


def self_play(game: Game, random_below: RandomBelow) -> Iterator[tuple[State, ...]]:
    """Yield the positions of matches that the engine plays against itself, without end."""
    while True:
        state = begin_match(game, RANDOM_PLIES, random_below)
        table = new_table(TABLE_MEGABYTES)
        while state.outcome is None and state.ply < MAX_PLIES:
            if random_below(BLUNDER_IN) == 0:
                state = state.play(state.legal_moves[random_below(len(state.legal_moves))])
                continue
            found = analyse(state, Limits(nodes=PLAYING_NODES), no_clock, table=table)
            state = state.play_text(found.principal_variation[0])
        yield state.line


def _without_quiet_plies(state: State) -> str:
    """Return the position text of a state as if its last ply had been irreversible."""
    return state.game.texts.format_position(state.start, state.settled_words, state.seat, 0)
