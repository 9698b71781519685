"""What solved endings say of a state: how it ends with the best play, and which moves keep to that.

Knows no game: each finds its own positions (`Game.solved`). No files: tables are handed in. Imported by
`engine.analysis` and by those who open tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from engine.bits import kernel
from engine.game import NOT_SOLVED, Board, Endings, Game, TableBytes, Words
from engine.rules import packing_of
from engine.state import State
from engine.tablebase.codes import DRAWN, LOST_NOW, is_lost, is_won


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
        assert game.solved is not None
        self.game = game
        self.tables = dict(tables)
        """By name. `endings` points into them."""
        self.endings: Endings = game.solved.open_tables(self.tables)

    def code_of(self, state: State) -> int | None:
        """Return the code of a state as if no position had come up before, or None if no table at hand has it."""
        if state.game.solved is not self.game.solved or not self.tables:
            return None
        code = _door_of(self.game)(self.endings, state.start.board, state.words)
        return None if code == NOT_SOLVED else code

    def code_after(self, state: State) -> int | None:
        """Return the code of a state that a move led to, for the side that is then to move."""
        if state.outcome is None:
            return self.code_of(state)
        return LOST_NOW if state.outcome.winner is not None else DRAWN

    def solve(self, state: State) -> Solution | None:
        """Return how a state ends, and the moves that keep to it; None if the tables at hand do not tell.

        A move that would end the match as a draw by repetition or by the limit of quiet plies counts as a draw. Later
        repetitions cannot come about, since each move of a shortest win is nearer to the end; but see
        `engine.tablebase.codes` for wins that take nothing for long.
        """
        code = self.code_of(state)
        if code is None:
            return None
        if state.outcome is not None:
            return Solution(code if state.outcome.winner is not None else DRAWN, ())
        codes: dict[int, int] = {}
        for move, answer in self.answers(state).items():
            if answer is None:
                return None
            codes[move] = answer
        worst_answer = min(codes.values(), key=_worth)
        moves = tuple(move for move, answer in codes.items() if answer == worst_answer)
        return Solution(DRAWN if worst_answer == DRAWN else worst_answer + 1, moves)

    def answers(self, state: State) -> dict[int, int | None]:
        """Return for each legal move the code of what it leads to, for the side that is then to move; None where no
        table at hand has that."""
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


@cache
def no_endings(game: Game) -> Endings:
    """Return what `SolvedEndings.probe` takes where no table is at hand."""
    return game.solved.open_tables({}) if game.solved is not None else ()


def _worth(code: int) -> tuple[int, int]:
    """Return what orders codes from the worst to the best for the side that they are told of."""
    if is_lost(code):
        return (0, code)
    return (2, -code) if is_won(code) else (1, 0)


@cache
def _door_of(game: Game) -> Callable[[Endings, Board, Words], int]:
    """Return the crossing from Python into a game's `SolvedEndings.probe`."""
    assert game.solved is not None
    probe, unpack = game.solved.probe, packing_of(game).unpack

    @kernel
    def door(endings: Endings, board: Board, words: Words) -> int:
        return probe(endings, board, unpack(words))

    return door
