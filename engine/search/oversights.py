"""Oversights: the moves that weak levels do not see.

Oversights depend only on position, move and seed, so a player is blind to the same move at every depth, and the same
seed plays the same match. Noisy moves are overlooked half as often as quiet ones, and never at the root, so that a
level captures what it can. The free pass is never overlooked: it may be the only move when repetition forbids all
others.
"""

from collections.abc import Callable

import numpy as np

from ..bindings import read_move
from ..bits import kernel, to_count
from ..game import Board, Game, MoveBuffer, Position

CERTAIN = 1000
"""Oversights are counted in thousandths: a move with this rate is always overlooked."""


@kernel
def is_overlooked(key: np.uint64, move: int, seed: int, oversights: int) -> bool:
    """Return whether a move of the position with this key is overlooked: `oversights` of 1000 are."""
    mixed = (key ^ np.uint64(seed) ^ np.uint64(move) * np.uint64(0xD1B54A32D192ED03)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(32)) * np.uint64(0xBF58476D1CE4E5B9)
    return to_count(mixed >> np.uint64(32)) % CERTAIN < oversights


Overlook = Callable[[Board, Position, MoveBuffer, int, np.uint64, int, int, int], int]
"""`(board, position, moves, count, key, seed, oversights, ply)`: remove overlooked moves from `moves`, but never all of
them, and return how many are left."""


def make_oversights(game: Game) -> Overlook:
    """Return the compiled function that removes overlooked moves of a game."""
    is_noisy, free_pass = game.rules.kernels.is_noisy, game.rules.free_pass

    @kernel
    def overlook_moves(
        board: Board,
        position: Position,
        moves: MoveBuffer,
        count: int,
        key: np.uint64,
        seed: int,
        oversights: int,
        ply: int,
    ) -> int:
        seen = 0
        for index in range(count):
            move = read_move(moves, index)
            rate = oversights
            if is_noisy(board, position, move):
                rate = oversights // 2 if ply > 0 else 0
            is_sure = move == free_pass or (seen == 0 and index == count - 1)
            if is_sure or not is_overlooked(key, move, seed, rate):
                moves[seen] = move
                seen += 1
        return seen

    return overlook_moves
