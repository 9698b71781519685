"""Probes a tablebase: the result of a state with best play, and the moves that keep it.

It works for every game with `Strength.tablebase`. No files: tables are passed in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from ..bindings import packing_of
from ..bits import kernel
from ..game import NOT_IN_TABLEBASE, Board, Game, Outcome, TablebaseIndex, TableBytes, Words
from ..state import State
from ..transposition_table import MAX_WIN_PLIES
from .codes import DRAWN, LOST_NOW, code_in_time, is_lost, is_won
from .results import Results


@dataclass(frozen=True, slots=True)
class Solution:
    """How a state ends with best play by both sides."""

    code: int
    """For the side to move: see `engine.tablebase.codes`."""
    moves: tuple[int, ...]
    """The moves of the shortest win, of the longest loss, or that keep the draw. Empty when play is over."""


class Tablebase:
    """The available tables of a game."""

    def __init__(self, game: Game, tables: Mapping[str, TableBytes], results: Results | None = None) -> None:
        assert game.strength.tablebase is not None
        self.game = game
        self.results = results
        """Results without distances."""
        self.tables = dict(tables)
        """By name. `endings` points into them."""
        self.index: TablebaseIndex = game.strength.tablebase.open_tables(self.tables)

    @property
    def names(self) -> frozenset[str]:
        """The names of the tables, of all editions."""
        return frozenset(self.tables) | frozenset(() if self.results is None else self.results.tables)

    def code_of(self, state: State) -> int | None:
        """Return the code of a state, ignoring earlier occurrences of positions.

        None if no table has it, or if the limit of quiet plies may come before its end; tables do not cover that.
        """
        limit = self.game.rules.quiet_limit
        return self._look_up(state, MAX_WIN_PLIES if limit is None else limit - state.quiet_plies)

    def unlimited_code_of(self, state: State) -> int | None:
        """Return the code of a state, also ignoring the limit of quiet plies."""
        return self._look_up(state, MAX_WIN_PLIES)

    def code_after(self, state: State) -> int | None:
        """Return the code of a state after a move, for the side then to move; of a finished state too."""
        return self.code_of(state) if state.outcome is None else _code_of_end(state.outcome)

    def solve(self, state: State) -> Solution | None:
        """Return how a state ends, and the moves that keep that result; None if the tables do not know.

        A move that draws the match by repetition or by the limit of quiet plies counts as a draw. Later repetitions
        cannot occur, since each move of a shortest win comes nearer to the end.
        """
        if state.outcome is not None:
            is_known = self.unlimited_code_of(state) is not None
            return Solution(_code_of_end(state.outcome), ()) if is_known else None
        code = self.code_of(state)
        answers = self.answers(state)
        known = [answer for answer in answers.values() if answer is not None]
        if code is None or not known:
            return None
        worst_answer = min(known, key=_rank_of)
        best = DRAWN if worst_answer == DRAWN else worst_answer + 1
        if len(known) < len(answers) and _rank_of(best) < _rank_of(code):
            return None
        return Solution(best, tuple(move for move, answer in answers.items() if answer == worst_answer))

    def answers(self, state: State) -> dict[int, int | None]:
        """Return the result of `code_after` for each legal move."""
        return {move: self.code_after(state.after(move)) for move in state.legal_moves}

    def line(self, state: State, solution: Solution) -> tuple[int, ...]:
        """Return the moves from a won or lost state to its end, each the first that keeps the result."""
        moves: list[int] = []
        while solution.moves and solution.code != DRAWN:
            moves.append(solution.moves[0])
            state = state.after(solution.moves[0])
            if state.outcome is not None:
                break
            following = self.solve(state)
            if following is None:
                break
            solution = following
        return tuple(moves)

    def _look_up(self, state: State, plies_left: int) -> int | None:
        """Return the code of a state whose match is drawn after this many more quiet plies, or None."""
        if state.game.strength.tablebase is not self.game.strength.tablebase or not self.tables:
            return None
        code = _entry_point_of(self.game)(self.index, state.start.board, state.words, plies_left)
        return None if code == NOT_IN_TABLEBASE else code


@cache
def empty_index(game: Game) -> TablebaseIndex:
    """Return an index without tables, for `TablebaseKernels.probe`."""
    return game.strength.tablebase.open_tables({}) if game.strength.tablebase is not None else ()


def _code_of_end(outcome: Outcome) -> int:
    """Return the code of a finished state; the side to move has not won."""
    return DRAWN if outcome.winner is None else LOST_NOW


def _rank_of(code: int) -> tuple[int, int]:
    """Return the sort key of a code, from the worst to the best for its side."""
    if is_lost(code):
        return (0, code)
    return (2, -code) if is_won(code) else (1, 0)


@cache
def _entry_point_of(game: Game) -> Callable[[TablebaseIndex, Board, Words, int], int]:
    """Return the compiled entry point to a game's tablebase: `(index, board, words, plies_left)` to a code."""
    assert game.strength.tablebase is not None
    probe, ends_unless_quiet, unpack = (
        game.strength.tablebase.probe,
        game.strength.tablebase.ends_unless_quiet,
        packing_of(game).unpack,
    )

    @kernel
    def code_of(endings: TablebaseIndex, board: Board, words: Words, plies_left: int) -> int:
        position = unpack(words)
        return code_in_time(probe(endings, board, position), plies_left, ends_unless_quiet(position))

    return code_of
