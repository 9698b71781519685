"""Counts the states of Nine Men's Morris without men in hand, without solving or listing them.

States that a symmetry maps to each other count once (Burnside's lemma: the mean, over the 16 symmetries, of the
placements that each leaves unchanged).
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations, product

from ..games.morris.symmetries import board_symmetries
from ..games.morris.tablebase_index import men_of
from .pairs import PAIRS, tables_of
from .verification import FLYING

STATES_OF_GASSER = 7_673_759_269
"""Gasser's count (1996), without unreachable states. A side that has captured k men has closed mills at most k times,
so k of its men must cover all of its mills. 7,673,867,919 states satisfy this. With three men each, both sides fly, and
the rings may be exchanged in any order: 48 symmetries instead of 16, which leave 56,922 states of 169,626. That makes
7,673,755,215. Gasser has 4,054 more, 0.00005%, which we cannot explain.
"""

RING_POINTS = 8
POINTS = range(3 * RING_POINTS)

SYMMETRIES_OF_FLYING = 48
"""The symmetries of the mills alone: the square's eight, with the rings in any order."""


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


def flying_states() -> int:
    """Return the number of states of 3-3, counting states once that are equal under the symmetries of the mills.

    >>> flying_states()
    56922
    """
    of_square = {symmetry for symmetry in board_symmetries(FLYING) if symmetry[0] < RING_POINTS}
    unchanged = [
        _unchanged(
            _cycles_of([RING_POINTS * rings[point // RING_POINTS] + turn[point % RING_POINTS] for point in POINTS]),
            3,
            3,
        )
        for turn in of_square
        for rings in permutations(range(3))
    ]
    assert len(unchanged) == SYMMETRIES_OF_FLYING
    return sum(unchanged) // SYMMETRIES_OF_FLYING


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
