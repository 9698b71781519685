"""How many states of Nine Men's Morris without men in hand there are, without solving or listing them.

States that a symmetry maps to each other count once (Burnside's lemma: the mean, over the 16 symmetries, of the
placements that each leaves unchanged).
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

from ..games.morris.symmetries import board_symmetries
from ..games.morris.tablebase_index import men_of
from .pairs import PAIRS, tables_of
from .verification import FLYING

STATES_OF_GASSER = 7_673_759_269
"""Gasser's count (1996), which leaves out what cannot arise. A side that has captured k men has closed mills at most k
times, so that k of its men are together in all of its mills. The states for which that holds are 7,673,867,919: the
difference of 0.0014% is not explained."""


@cache
def states_in(table: str) -> int:
    """Return the number of states of a table, such as `4-3`: four men of the side to move and three others.

    >>> states_in("3-3"), states_in("4-3") == states_in("3-4")
    (169626, True)
    """
    mover_men, opponent_men = men_of(table)
    symmetries = board_symmetries(FLYING)
    unchanged = sum(_unchanged(_cycles_of(symmetry), mover_men, opponent_men) for symmetry in symmetries)
    return unchanged // len(symmetries)


def all_states() -> int:
    """Return the number of states of all tables.

    >>> f"{all_states():,}"
    '8,904,593,601'
    """
    return sum(states_in(table) for pair in PAIRS for table in tables_of(pair))


def _cycles_of(symmetry: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of the cycles in which a symmetry moves the points."""
    lengths, left = [], set(range(len(symmetry)))
    while left:
        point, length = left.pop(), 1
        while (point := symmetry[point]) in left:
            left.discard(point)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


@cache
def _unchanged(cycles: tuple[int, ...], mover_men: int, opponent_men: int) -> int:
    """Return how many placements a symmetry with these cycles leaves unchanged: each cycle is one side's, or empty."""
    counts = {(0, 0): 1}
    for length in cycles:
        longer: dict[tuple[int, int], int] = {}
        for ((mover, opponent), count), (more, others) in product(counts.items(), ((0, 0), (length, 0), (0, length))):
            key = mover + more, opponent + others
            if key[0] <= mover_men and key[1] <= opponent_men:
                longer[key] = longer.get(key, 0) + count
        counts = longer
    return counts.get((mover_men, opponent_men), 0)
