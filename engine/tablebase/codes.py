"""The codes in a tablebase: who wins with best play of both sides, and in how many plies.

A win in n plies is one whose n-th ply ends the match; a loss in 0 plies has already happened. Since the winner makes
the last ply, wins take an odd number of plies and losses an even one, so that one number says both:

    0        a draw: neither side can force a win
    n + 1    a win (n odd) or a loss (n even) in n plies, for the side to move

Tables ignore repetition and the limit of quiet plies: a shortest win repeats nothing, and `code_in_time` adjusts a code
where the limit may come first.

How codes are stored is `tables`.
"""

from ..bits import kernel
from ..game import NOT_IN_TABLEBASE

DRAWN = 0
LOST_NOW = 1
"""The side to move has already lost: the code of 0 plies."""

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
    """Return what a code, or `NOT_IN_TABLEBASE`, means for a match that is drawn after this many more quiet plies.

    An end within `plies_left` comes first, whatever is played; at the limit itself, a lost position is still lost. A
    longer one need not be a draw, since irreversible moves reset the quiet plies: it is `NOT_IN_TABLEBASE`, unless
    every irreversible move ends the match.

    >>> code_in_time(8, 7, False), code_in_time(8, 6, False), code_in_time(8, 6, True)
    (8, -1, 0)
    """
    if code - 1 <= plies_left:
        return code
    return DRAWN if ends_unless_quiet else NOT_IN_TABLEBASE


def plies_of(code: int) -> int:
    """Return the plies to the end of a position that is not drawn."""
    return code - 1
