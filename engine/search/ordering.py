"""Which moves a search tries first: the table's move, noisy moves, killers, then by history.

Not the search: it only keeps and reads statistics in the arrays that it is given. Imported by `engine.search.tree` and
`engine.search.loop`.
See chessprogramming.org/Move_Ordering.

Arrays of many plies are passed whole, with the ply: a view of one row would be counted as a reference each time.
A ranked move is one number, `rank << 16 | move`, so that the largest comes first and equal ranks fall back on the
move itself, which makes every search repeatable.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.bits import kernel

Ranked: TypeAlias = NDArray[np.int64]
"""Ranked moves of the node at each ply: shape `(plies, max_moves)`."""

Killers: TypeAlias = NDArray[np.int64]
"""The last two quiet moves that refuted a node at each ply, latest first: shape `(plies, 2)`."""

History: TypeAlias = NDArray[np.int32]
"""How well quiet moves did, -HISTORY_LIMIT..HISTORY_LIMIT, by seat to move and move: shape `(seats, MOVE_LIMIT)`."""

MOVE_MASK = 0xFFFF
HISTORY_LIMIT = 1 << 14
FIRST_RANK = 1 << 20
NOISY_RANK = 1 << 18
KILLER_RANK = 1 << 16
"""Ranks below this are those of plain quiet moves."""


@kernel
def take_next(ranked: Ranked, ply: int, index: int, count: int) -> int:
    """Bring the largest of `ranked[ply, index:count]` to `index` and return it."""
    largest = index
    for candidate in range(index + 1, count):
        if ranked[ply, candidate] > ranked[ply, largest]:
            largest = candidate
    taken = ranked[ply, largest]
    ranked[ply, largest] = ranked[ply, index]
    ranked[ply, index] = taken
    return taken  # type: ignore[no-any-return]


@kernel
def note_killer(killers: Killers, ply: int, move: int) -> None:
    """Remember that a quiet move refuted a node at this ply."""
    if killers[ply, 0] != move:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = move


@kernel
def note_history(history: History, seat: int, move: int, bonus: int) -> None:
    """Move a quiet move's history towards the limit of the bonus's sign, the less the nearer it is."""
    standing = history[seat, move]
    history[seat, move] = standing + bonus - standing * abs(bonus) // HISTORY_LIMIT


@kernel
def note_refutation(history: History, seat: int, ranked: Ranked, ply: int, tried: int, bonus: int) -> None:
    """Praise the last tried move of a node, which refuted it, and blame the quiet ones tried before."""
    for index in range(tried - 1):
        if ranked[ply, index] >> 16 < NOISY_RANK:
            note_history(history, seat, ranked[ply, index] & MOVE_MASK, -bonus)
    note_history(history, seat, ranked[ply, tried - 1] & MOVE_MASK, bonus)
