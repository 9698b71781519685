"""What an entry of a table says: who wins with the best play of both sides, and in how many plies.

A win in n plies is one whose n-th ply ends the match; a loss in 0 plies is one that has happened. Since the winner
makes the last ply, wins take an odd number of plies and losses an even one, so that the number tells both:

    0        a draw: neither side can force a win
    n + 1    a win (n odd) or a loss (n even) in n plies, for the side to move

Repetition and the limit of quiet plies play no part in the tables: a shortest win repeats nothing, and `code_in_time`
says what is left of a code where the limit may come first.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from ..game import NOT_IN_TABLEBASE, TableBytes

Codes: TypeAlias = NDArray[np.uint8 | np.uint16]
"""A table: the code of each entry, in two bytes (the lower first) if any distance needs them."""

NO_CODES: Codes = np.zeros(0, dtype=np.uint8)
"""In place of the table that takings lead to, where they win at once."""

DRAWN = 0
LOST_NOW = 1
"""The side to move has lost already: the code of 0 plies."""

WON_AT_ONCE = 2


@kernel
def is_won(code: int) -> bool:
    """Return whether the side to move wins."""
    return code > 0 and code & 1 == 0


@kernel
def is_lost(code: int) -> bool:
    """Return whether the side to move loses."""
    return code & 1 == 1


@kernel
def code_in_time(code: int, plies_left: int, ends_unless_quiet: bool) -> int:
    """Return what a code, or `NOT_IN_TABLEBASE`, says of a position whose match is drawn after so many more quiet
    plies.

    An end that takes at most so many plies comes first, whatever is played: the last of them may be the one at which
    the limit is reached, since a lost position is lost all the same. A longer one need not be a draw, since what is
    irreversible has plies counted anew: it is `NOT_IN_TABLEBASE` unless nothing of the kind can happen before the end.

    >>> code_in_time(8, 7, False), code_in_time(8, 6, False), code_in_time(8, 6, True)
    (8, -1, 0)
    """
    if code - 1 <= plies_left:
        return code
    return DRAWN if ends_unless_quiet else NOT_IN_TABLEBASE


def plies_of(code: int) -> int:
    """Return the plies to the end of a position that is not drawn."""
    return code - 1


def table_bytes(codes: Codes) -> TableBytes:
    """Return a table as it lies in a file."""
    return codes.astype(codes.dtype.newbyteorder("<"), copy=False).view(np.uint8)


def bytes_in(buffer: memoryview) -> TableBytes:
    """Return the table that lies in a buffer, which is not copied."""
    return np.frombuffer(buffer, dtype=np.uint8)


def codes_in(table: TableBytes, width: int) -> Codes:
    """Return the codes of a table whose entries have so many bytes."""
    return table if width == 1 else table.view("<u2")
