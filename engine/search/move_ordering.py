"""Move ordering: the table move, noisy moves, killer moves, then history.

See chessprogramming.org/Move_Ordering.

Arrays of all plies are passed whole with a ply, since a view of one row would be reference-counted each time. A ranked
move is one number, `rank << 16 | move`: the largest comes first, and equal ranks are ordered by the move itself, which
makes every search reproducible.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bindings import read_move
from ..bits import kernel
from ..game import Board, Game, MoveBuffer, Position
from ..game.techniques import Techniques

Ranked: TypeAlias = NDArray[np.int64]
"""The ranked moves of the node at each ply: shape `(plies, max_moves)`."""

Killers: TypeAlias = NDArray[np.int64]
"""The last two quiet moves that caused a cutoff at each ply, latest first: shape `(plies, 2)`."""

History: TypeAlias = NDArray[np.int32]
"""How often each seat's moves caused cutoffs, -HISTORY_LIMIT..HISTORY_LIMIT: shape `(seats, MOVE_LIMIT)`."""

MOVE_MASK = 0xFFFF
LEAVE_UNMARKED = kernel(lambda _board, _position, _moves, _count: None)
"""For games without `Kernels.mark_noisy`."""

HISTORY_LIMIT = 1 << 13
MAX_HISTORY_BONUS = 1 << 10
"""Maximum change of a history value by one cutoff."""

FIRST_RANK = 1 << 20
NOISY_RANK = 1 << 18
KILLER_RANK = 1 << 16
"""Lower ranks are those of quiet moves that are not killers."""


class MoveOrdering(NamedTuple):
    """The kernels that order a game's moves."""

    rank_moves: Callable[[Board, Position, MoveBuffer, int, bool, int, int, int, Ranked, Killers, History], int]
    """`(board, position, moves, count, only_noisy, first, ply, seat, ranked, killers, history)`: write the moves to try
    with their ranks, and return their number. `first` is the table move."""
    learn: Callable[[Ranked, Killers, History, int, int, int, int, bool], None]
    """`(ranked, killers, history, ply, seat, tried, depth, is_quiet)`: learn that the last tried move of a node caused
    a cutoff, and the moves before it did not."""


def make_move_ordering(game: Game, techniques: Techniques) -> MoveOrdering:
    """Return the compiled move ordering of a game with these techniques."""
    is_noisy, mark_noisy = game.rules.kernels.is_noisy, game.rules.kernels.mark_noisy or LEAVE_UNMARKED
    is_told_apart, is_marked = game.rules.kernels.generate_noisy is not None, game.rules.kernels.mark_noisy is not None
    noisy_first, killers_early, by_history = techniques.noisy_first, techniques.killers, techniques.history

    @kernel
    def rank_moves(
        board: Board,
        position: Position,
        moves: MoveBuffer,
        count: int,
        only_noisy: bool,
        first: int,
        ply: int,
        seat: int,
        ranked: Ranked,
        killers: Killers,
        history: History,
    ) -> int:
        kept = 0
        are_all_noisy = is_told_apart and only_noisy
        if is_marked and not are_all_noisy:
            mark_noisy(board, position, moves, count)
        for index in range(count):
            marked = read_move(moves, index)
            move = marked & MOVE_MASK
            rank = 0
            if by_history:
                rank += int(history[seat, move])
            if are_all_noisy or (marked != move if is_marked else is_noisy(board, position, move)):
                if noisy_first:
                    rank += NOISY_RANK
            elif only_noisy:
                continue
            elif killers_early and (move == killers[ply, 0] or move == killers[ply, 1]):
                rank = KILLER_RANK
            if move == first:
                rank = FIRST_RANK
            ranked[ply, kept] = rank << 16 | move
            kept += 1
        return kept

    @kernel
    def learn(
        ranked: Ranked,
        killers: Killers,
        history: History,
        ply: int,
        seat: int,
        tried: int,
        depth: int,
        is_quiet: bool,
    ) -> None:
        refutation = ranked[ply, tried - 1] & MOVE_MASK
        bonus = min(depth * depth, MAX_HISTORY_BONUS)
        if by_history:
            for index in range(tried - 1):
                update_history(history, seat, ranked[ply, index] & MOVE_MASK, -bonus)
            update_history(history, seat, refutation, bonus)
        if killers_early and is_quiet:
            store_killer(killers, ply, refutation)

    return MoveOrdering(rank_moves, learn)


@kernel
def select_next(ranked: Ranked, ply: int, index: int, count: int) -> int:
    """Move the largest of `ranked[ply, index:count]` to `index` and return it (selection sort)."""
    largest = index
    for candidate in range(index + 1, count):
        if ranked[ply, candidate] > ranked[ply, largest]:
            largest = candidate
    taken = ranked[ply, largest]
    ranked[ply, largest] = ranked[ply, index]
    ranked[ply, index] = taken
    return taken  # type: ignore[no-any-return]


@kernel
def store_killer(killers: Killers, ply: int, move: int) -> None:
    """Store a quiet move that caused a cutoff at this ply."""
    if killers[ply, 0] != move:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = move


@kernel
def update_history(history: History, row: int, move: int, bonus: int) -> None:
    """Move a history value towards the limit of the bonus's sign, less the nearer it is."""
    standing = history[row, move]
    history[row, move] = standing + bonus - standing * abs(bonus) // HISTORY_LIMIT
