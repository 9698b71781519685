"""What solved endings say of a state: how it ends with the best play, and which moves keep to that.

Knows no game: each finds its own positions (`Strength.tablebase`). No files: tables are handed in.
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


@dataclass(frozen=True, slots=True)
class Solution:
    """How a state ends with the best play of both sides."""

    code: int
    """For the side to move: see `engine.tablebase.codes`."""
    moves: tuple[int, ...]
    """The moves that keep to it: of the shortest win, of the longest loss, or to a draw. Empty when play is over."""


class Tablebase:
    """A game's tables at hand."""

    def __init__(self, game: Game, tables: Mapping[str, TableBytes]) -> None:
        assert game.strength.tablebase is not None
        self.game = game
        self.tables = dict(tables)
        """By name. `endings` points into them."""
        self.index: TablebaseIndex = game.strength.tablebase.open_tables(self.tables)

    def code_of(self, state: State) -> int | None:
        """Return the code of a state as if no position had come up before.

        None if no table at hand has it, or if the limit of quiet plies may come before its end: what comes of that, the
        tables do not tell.
        """
        limit = self.game.rules.quiet_limit
        return self._look_up(state, MAX_WIN_PLIES if limit is None else limit - state.quiet_plies)

    def unlimited_code_of(self, state: State) -> int | None:
        """Return the same as if there were no limit of quiet plies either."""
        return self._look_up(state, MAX_WIN_PLIES)

    def code_after(self, state: State) -> int | None:
        """Return the code of a state that a move led to, for the side that is then to move."""
        return self.code_of(state) if state.outcome is None else _code_of_end(state.outcome)

    def solve(self, state: State) -> Solution | None:
        """Return how a state ends, and the moves that keep to it; None if the tables at hand do not tell.

        A move that would end the match as a draw by repetition or by the limit of quiet plies counts as a draw. Later
        repetitions cannot come about, since each move of a shortest win is nearer to the end.
        """
        if state.outcome is not None:
            is_known = self.unlimited_code_of(state) is not None
            return Solution(_code_of_end(state.outcome), ()) if is_known else None
        code = self.code_of(state)
        answers = self.answers(state)
        known = [answer for answer in answers.values() if answer is not None]
        if code is None or not known:
            return None
        worst_answer = min(known, key=_worth)
        best = DRAWN if worst_answer == DRAWN else worst_answer + 1
        if len(known) < len(answers) and _worth(best) < _worth(code):
            return None
        return Solution(best, tuple(move for move, answer in answers.items() if answer == worst_answer))

    def answers(self, state: State) -> dict[int, int | None]:
        """Return for each legal move what `code_after` says of the state that it leads to."""
        return {move: self.code_after(state.after(move)) for move in state.legal_moves}

    def line(self, state: State, solution: Solution) -> tuple[int, ...]:
        """Return the moves from a won or lost state to its end, each the first of those that keep to it."""
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
        """Return the code of a state whose match is drawn after so many more quiet plies, or None."""
        if state.game.strength.tablebase is not self.game.strength.tablebase or not self.tables:
            return None
        code = _door_of(self.game)(self.index, state.start.board, state.words, plies_left)
        return None if code == NOT_IN_TABLEBASE else code


@cache
def empty_index(game: Game) -> TablebaseIndex:
    """Return what `TablebaseKernels.probe` takes where no table is at hand."""
    return game.strength.tablebase.open_tables({}) if game.strength.tablebase is not None else ()


def _code_of_end(outcome: Outcome) -> int:
    """Return the code of a state in which play is over; whoever is to move then has not won."""
    return DRAWN if outcome.winner is None else LOST_NOW


def _worth(code: int) -> tuple[int, int]:
    """Return what orders codes from the worst to the best for the side that they are told of."""
    if is_lost(code):
        return (0, code)
    return (2, -code) if is_won(code) else (1, 0)


@cache
def _door_of(game: Game) -> Callable[[TablebaseIndex, Board, Words, int], int]:
    """Return the crossing from Python into a game's tables: what they tell where so many plies may still be quiet."""
    assert game.strength.tablebase is not None
    probe, ends_unless_quiet, unpack = (
        game.strength.tablebase.probe,
        game.strength.tablebase.ends_unless_quiet,
        packing_of(game).unpack,
    )

    @kernel
    def door(endings: TablebaseIndex, board: Board, words: Words, plies_left: int) -> int:
        position = unpack(words)
        return code_in_time(probe(endings, board, position), plies_left, ends_unless_quiet(position))

    return door
