"""The entry points through which Python calls a game's kernels; they take and fill `uint64` arrays.

They compile at their first call. A process that must not wait calls `interpret_rules`, and `use_compiled_rules` once
the kernels are in the cache.

Positions do not cross as NamedTuples: one that a kernel returns arrives in Python as plain `int`s, and passing it back
would compile a second, signed version of the kernel.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numba
import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.np.unsafe.ndarray import to_fixed_tuple
from numpy.typing import NDArray

from .bits import kernel, short_kernel
from .game import NO_CLICK, Board, Game, Kernels, MoveBuffer, Position, Words
from .game.repetition_kernels import make_repetition_kernels
from .interpretation import interpreted, silently
from .kernel_cache import implement

Decorator: TypeAlias = Callable[[Any], Any]
"""`kernel`, `short_kernel`, or a function that returns its argument."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Bindings(NamedTuple):
    """A game's entry points."""

    generate_moves: Callable[[Board, Words, MoveBuffer], int]
    write_clicks: Callable[[Board, Words, MoveBuffer, NDArray[np.int16]], None]
    """Write the clicks of each move to a row of the last array, shape `(moves, max_clicks + 1)`, and `NO_CLICK` to the
    rest of the row."""
    make_move: Callable[[Board, Words, int, Words], bool]
    """Write the position after the move to the last array, and return whether the move is irreversible."""
    keep_new: Callable[[Board, Words, NDArray[np.uint64], MoveBuffer, int], int]
    """Given the earlier positions that could equal later ones, oldest first, and the number of seats: remove the moves
    that repeat one from the buffer, and return how many are left."""
    outcome: Callable[[Board, Words, NDArray[np.int32]], int]
    evaluate: Callable[[Board, Words], int]
    key: Callable[[Words], int]
    is_noisy: Callable[[Board, Words, int], bool]
    is_settled: Callable[[Board, Words], bool]
    territory: Callable[[Board, Words, int], tuple[int | None, ...]] | None


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


implement(read_move, lambda moves, index: lambda moves, index: np.int64(moves[index]))


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
    """Return the compiled conversions for a game's position type; interpreted, if its rules are for good."""
    if game.rules.why_interpreted:
        return _packing(game, _as_it_is, is_interpreted=True)
    return _packing(game, kernel, is_interpreted=bool(numba.config.DISABLE_JIT))


def compiled_for(game: Game, function: _Function) -> _Function:
    """Return a kernel that calls a game's kernels; its interpreted twin, if the rules are interpreted for good."""
    return silently(interpreted(function)) if game.rules.why_interpreted else function


def bindings_of(game: Game) -> Bindings:
    """Return the entry points to a game's kernels: compiled, unless its rules are interpreted."""
    return _interpreted.get(game) or compiled_bindings_of(game)


@cache
def compiled_bindings_of(game: Game) -> Bindings:
    """Return the entry points to a game's compiled kernels, each compiled at its first call.

    Rules that are interpreted for good have only their interpreted entry points.
    """
    rules = game.rules
    if rules.why_interpreted:
        return _interpreted_bindings(game)
    return _bindings(game, rules.kernels, packing_of(game), short_kernel)._replace(territory=rules.territory)


def interpret_rules(game: Game) -> None:
    """Interpret a game's rules in this process, until `use_compiled_rules` is called."""
    _interpreted[game] = _interpreted_bindings(game)
    for entry in game.rules.setup_kernels:
        entry.in_use = silently(interpreted(entry.kernel))


def use_compiled_rules(game: Game) -> None:
    """Call a game's compiled kernels in this process again."""
    _interpreted.pop(game, None)
    for entry in game.rules.setup_kernels:
        entry.in_use = entry.kernel


_interpreted: dict[Game, Bindings] = {}


def _interpreted_bindings(game: Game) -> Bindings:
    kernels, packing = interpreted(game.rules.kernels), _packing(game, _as_it_is, is_interpreted=True)
    territory = None if game.rules.territory is None else interpreted(game.rules.territory)
    bindings = _bindings(game, kernels, packing, _as_it_is)._replace(territory=territory)
    return Bindings._make(entry and silently(entry) for entry in bindings)


def _as_it_is(function: Any) -> Any:
    return function


def _packing(game: Game, decorate: Decorator, *, is_interpreted: bool) -> Packing:
    position_type = game.rules.position_type
    length = game.rules.position_words
    no_fields = (np.uint64(0),) * length
    factors = factors_of_words(length)

    def unpack_interpreted(words: Words) -> Position:
        return position_type(*words)

    @kernel
    def unpack_compiled(words: Words) -> Position:
        return position_type(*to_fixed_tuple(words, length))

    @decorate
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

    @decorate
    def pack_row(position: Position, rows: NDArray[np.uint64], row: int) -> None:
        for index in range(length):
            rows[row, index] = position[index]

    @decorate
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

    unpack = unpack_interpreted if is_interpreted else unpack_compiled
    unpack_row = unpack_row_interpreted if is_interpreted else unpack_row_compiled

    @decorate
    def hash_words(words: Words) -> np.uint64:
        return hash_position(unpack(words), length)  # type: ignore[no-any-return]

    return Packing(unpack, pack, hash_words, unpack_row, pack_row, hash_position)


def _bindings(game: Game, kernels: Kernels, packing: Packing, decorate: Decorator) -> Bindings:
    generate_kernel, make_kernel, outcome_kernel = kernels.generate_moves, kernels.make_move, kernels.outcome
    evaluate_kernel, irreversible_kernel = kernels.evaluate, kernels.is_irreversible
    noisy_kernel, settled_kernel, clicks_kernel = kernels.is_noisy, kernels.is_settled, kernels.write_clicks
    position_type = game.rules.position_type
    unpack, pack, hash_words = packing.unpack, packing.pack, packing.hash_words
    keep_kernel = make_repetition_kernels(game.rules, kernels, read_move, decorate).keep_new

    @decorate
    def generate_moves(board: Board, words: Words, moves: MoveBuffer) -> int:
        return generate_kernel(board, unpack(words), moves)

    @decorate
    def write_clicks(board: Board, words: Words, moves: MoveBuffer, clicks: NDArray[np.int16]) -> None:
        position = unpack(words)
        for index in range(moves.shape[0]):
            row = clicks[index]
            for unused in range(clicks_kernel(board, position, read_move(moves, index), row), row.shape[0]):
                row[unused] = NO_CLICK

    @decorate
    def make_move(board: Board, words: Words, move: int, after: Words) -> bool:
        position = unpack(words)
        pack(make_kernel(board, position, move), after)
        return irreversible_kernel(board, position, move)

    @decorate
    def keep_new(board: Board, words: Words, past: NDArray[np.uint64], moves: MoveBuffer, seats: int) -> int:
        return keep_kernel(board, unpack(words), past, past.shape[0], past.shape[0], moves, moves.shape[0], seats)

    @decorate
    def outcome(board: Board, words: Words, ranks: NDArray[np.int32]) -> int:
        return outcome_kernel(board, unpack(words), ranks)

    @decorate
    def evaluate(board: Board, words: Words) -> int:
        return evaluate_kernel(board, unpack(words))

    @decorate
    def key(words: Words) -> int:
        return hash_words(words)  # type: ignore[return-value]  # crosses into Python as an int

    @decorate
    def is_noisy(board: Board, words: Words, move: int) -> bool:
        return noisy_kernel(board, unpack(words), move)

    def is_settled(board: Board, words: Words) -> bool:
        return settled_kernel is not None and settled_kernel(board, position_type(*words))

    return Bindings(
        generate_moves, write_clicks, make_move, keep_new, outcome, evaluate, key, is_noisy, is_settled, None
    )
