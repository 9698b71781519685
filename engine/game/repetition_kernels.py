"""The rules on repetition as kernels, for the legal moves of `State` and for the browser. See `engine.repetition`."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .game import Rules
from .kernels import Board, Kernels, MoveBuffer, Position


class RepetitionKernels(NamedTuple):
    """The rules on repetition as kernels. They find earlier positions in an array with a row for each ply."""

    count_repeats: Callable[[NDArray[np.uint64], int, int, int, Position], int]
    """`(line, at, past, seats, position)`: how many of the `past` rows before the row `at` have the same position with
    the same seat to move, as `count_repetitions` counts."""
    keep_new: Callable[[Board, Position, NDArray[np.uint64], int, int, MoveBuffer, int, int], int]
    """`(board, position, line, at, past, moves, count, seats)`: remove the moves that lead to one of the `past`
    positions before the row `at` from the first `count` of the buffer, and return how many are left."""


def make_repetition_kernels(
    rules: Rules, kernels: Kernels, read_move: Callable[[MoveBuffer, int], int], decorate: Callable[[Any], Any]
) -> RepetitionKernels:
    """Return the kernels of a game, compiled or not as `decorate` decides."""
    width, settled_width = rules.position_words, rules.position_words - rules.transient_words
    make_move = kernels.make_move

    @decorate
    def is_repeated(line: NDArray[np.uint64], row: int, position: Position) -> bool:
        for index in range(width):
            word = line[row, index] if index < settled_width else np.uint64(0)
            if position[index] != word:
                return False
        return True

    @decorate
    def count_repeats(line: NDArray[np.uint64], at: int, past: int, seats: int, position: Position) -> int:
        repeats = 0
        for distance in range(seats, past + 1, seats):
            repeats += int(is_repeated(line, at - distance, position))
        return repeats

    @decorate
    def keep_new(
        board: Board,
        position: Position,
        line: NDArray[np.uint64],
        at: int,
        past: int,
        moves: MoveBuffer,
        count: int,
        seats: int,
    ) -> int:
        kept = 0
        for index in range(count):
            move = read_move(moves, index)
            after = make_move(board, position, move)
            if count_repeats(line, at + 1, past + 1, seats, after) == 0:
                moves[kept] = move
                kept += 1
        return kept

    return RepetitionKernels(count_repeats, keep_new)
