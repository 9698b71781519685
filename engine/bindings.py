"""The compiled entry points through which Python calls a game's kernels; they take and fill `uint64` arrays.

Positions do not cross as NamedTuples: one that a kernel returns arrives in Python as plain `int`s, and passing it back
would compile a second, signed version of the kernel.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload
from numba.np.unsafe.ndarray import to_fixed_tuple
from numpy.typing import NDArray

from .bits import kernel
from .game import Board, Game, MoveBuffer, Position, Words


class Bindings(NamedTuple):
    """A game's entry points, each compiled at its first call."""

    generate_moves: Callable[[Board, Words, MoveBuffer], int]
    make_move: Callable[[Board, Words, int, Words], bool]
    """Write the position after the move to the last array, and return whether the move is irreversible."""
    outcome: Callable[[Board, Words, NDArray[np.int32]], int]
    evaluate: Callable[[Board, Words], int]
    key: Callable[[Words], int]
    is_noisy: Callable[[Board, Words, int], bool]


class Packing(NamedTuple):
    """How kernels that keep positions in arrays convert a game's position to array elements and back.

    The search passes the whole array with a row number: a view of one row would be reference-counted at every node.
    """

    unpack: Callable[[Words], Position]
    pack: Callable[[Position, Words], None]
    hash_words: Callable[[Words], np.uint64]
    unpack_row: Callable[[NDArray[np.uint64], int], Position]
    pack_row: Callable[[Position, NDArray[np.uint64], int], None]
    hash_position: Callable[[Position, int], np.uint64]
    """Return the key of a position, taking all words after the first `kept` as zero."""


def read_move(moves: MoveBuffer, index: int) -> int:
    """Return a move of a buffer as the `int64` that kernels take, so that each kernel has one compiled signature."""
    return int(moves[index])


overload(read_move)(lambda moves, index: lambda moves, index: np.int64(moves[index]))


def factors_of_words(words: int) -> NDArray[np.uint64]:
    """Return two odd factors for each word of a position, shape `(2, words)`: outputs of SplitMix. They are unrelated,
    so that equal changes of two words do not cancel out in a key."""
    mask = (1 << 64) - 1
    factors = []
    for index in range(1, 2 * words + 1):
        mixed = index * 0x9E3779B97F4A7C15 & mask
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & mask
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
        factors.append(mixed ^ mixed >> 31 | 1)
    return np.array(factors, dtype=np.uint64).reshape(2, words)


@cache
def packing_of(game: Game) -> Packing:
    """Return the compiled conversions for a game's position type."""
    position_type = game.rules.position_type
    length = game.rules.position_words
    no_fields = (np.uint64(0),) * length
    factors = factors_of_words(length)

    def unpack_interpreted(words: Words) -> Position:
        return position_type(*words)

    @kernel
    def unpack_compiled(words: Words) -> Position:
        return position_type(*to_fixed_tuple(words, length))

    @kernel
    def pack(position: Position, words: Words) -> None:
        for index in range(length):
            words[index] = position[index]

    def unpack_row_interpreted(rows: NDArray[np.uint64], row: int) -> Position:
        return position_type(*rows[row])

    @kernel
    def unpack_row_compiled(rows: NDArray[np.uint64], row: int) -> Position:
        fields = no_fields
        for index in range(length):
            fields = tuple_setitem(fields, index, rows[row, index])
        return position_type(*fields)

    @kernel
    def pack_row(position: Position, rows: NDArray[np.uint64], row: int) -> None:
        for index in range(length):
            rows[row, index] = position[index]

    @kernel
    def hash_position(position: Position, kept: int) -> np.uint64:
        """Return a 64-bit key of a position: each word is multiplied and folded (after SplitMix by Steele and Vigna)
        independently of the others, then the results are added.

        Two factors for each word are needed: bit 63 times any odd factor is bit 63, so that with one factor a change of
        it in one word would look like a change of it in another.
        """
        key = np.uint64(0)
        for index in range(length):
            word = (position[index] if index < kept else np.uint64(0)) * factors[0, index]
            key += (word ^ word >> np.uint64(32)) * factors[1, index]
        key = (key ^ key >> np.uint64(29)) * np.uint64(0x94D049BB133111EB)
        return key ^ key >> np.uint64(32)

    unpack = unpack_interpreted if numba.config.DISABLE_JIT else unpack_compiled
    unpack_row = unpack_row_interpreted if numba.config.DISABLE_JIT else unpack_row_compiled

    @kernel
    def hash_words(words: Words) -> np.uint64:
        return hash_position(unpack(words), length)

    return Packing(unpack, pack, hash_words, unpack_row, pack_row, hash_position)


@cache
def bindings_of(game: Game) -> Bindings:
    """Return the entry points to a game's kernels."""
    kernels = game.rules.kernels
    generate_kernel, make_kernel, outcome_kernel = kernels.generate_moves, kernels.make_move, kernels.outcome
    evaluate_kernel, irreversible_kernel = kernels.evaluate, kernels.is_irreversible
    noisy_kernel = kernels.is_noisy
    packing = packing_of(game)
    unpack, pack, hash_words = packing.unpack, packing.pack, packing.hash_words

    @kernel
    def generate_moves(board: Board, words: Words, moves: MoveBuffer) -> int:
        return generate_kernel(board, unpack(words), moves)

    @kernel
    def make_move(board: Board, words: Words, move: int, after: Words) -> bool:
        position = unpack(words)
        pack(make_kernel(board, position, move), after)
        return irreversible_kernel(board, position, move)

    @kernel
    def outcome(board: Board, words: Words, ranks: NDArray[np.int32]) -> int:
        return outcome_kernel(board, unpack(words), ranks)

    @kernel
    def evaluate(board: Board, words: Words) -> int:
        return evaluate_kernel(board, unpack(words))

    @kernel
    def key(words: Words) -> int:
        return hash_words(words)  # type: ignore[return-value]  # crosses into Python as an int

    @kernel
    def is_noisy(board: Board, words: Words, move: int) -> bool:
        return noisy_kernel(board, unpack(words), move)

    return Bindings(generate_moves, make_move, outcome, evaluate, key, is_noisy)
