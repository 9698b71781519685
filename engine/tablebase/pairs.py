"""The tables of Nine Men's Morris, and the order in which to solve them.

Tables are solved in pairs, `u-t` with `t-u`, named by the one with more men on the mover's side. Pairs are ordered by
the number of all men, balanced ones first: 3-3, 4-3, 4-4, 5-3, 5-4, 6-3, 5-5, 6-4, ... A capture leads from a pair to
one with one man less, which therefore comes before it.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ..game import EngineError
from ..games.morris.position import MEN
from ..games.morris.tablebase_index import LEAST_MEN, men_of, table_name

Pair: TypeAlias = tuple[int, int]
"""The men of the two sides, the larger number first."""

PAIRS: tuple[Pair, ...] = tuple(
    (men - fewer, fewer)
    for men in range(2 * LEAST_MEN, 2 * MEN + 1)
    for fewer in range(men // 2, LEAST_MEN - 1, -1)
    if men - fewer <= MEN
)
"""All pairs, in the order in which they can be solved."""

_UP_TO_TWELVE_MEN = (6, 2, 0.5, 0.5, 1, 2, 1, 4, 8, 13, 20, 17, 16, 70, 35, 22)
_OF_MORE_MEN = (109, 100, 55, 108, 249, 128, 350, 338, 224, 423, 613, 312)
USUAL_SECONDS: Mapping[Pair, float] = dict(zip(PAIRS, _UP_TO_TWELVE_MEN + _OF_MORE_MEN, strict=True))
"""Seconds that a build took for each pair (docs/tablebase.md), to estimate the time left of another."""


def usual_seconds(pairs: Sequence[Pair]) -> float:
    """Return the time that pairs took in the build of `USUAL_SECONDS`."""
    return sum(USUAL_SECONDS[pair] for pair in pairs)


def pairs_up_to(last: Pair) -> tuple[Pair, ...]:
    """Return the pairs up to and including this one, in order.

    >>> pairs_up_to((5, 3))
    ((3, 3), (4, 3), (4, 4), (5, 3))
    """
    return PAIRS[: PAIRS.index(last) + 1]


def parse_pair(text: str) -> Pair:
    """Parse a pair such as `5-4`, in either order. Raises: EngineError."""
    try:
        fewer, more = sorted(men_of(text))
    except ValueError:
        raise EngineError(f"Tables are named like 5-4, not {text!r}.") from None
    if (more, fewer) not in PAIRS:
        raise EngineError(f"Each side has {LEAST_MEN} to {MEN} men, so there is no table {text!r}.")
    return more, fewer


def tables_of(pair: Pair) -> tuple[str, ...]:
    """Return the names of the tables of a pair: two, or one where both sides have the same number of men."""
    return tuple(dict.fromkeys((table_name(*pair), table_name(*pair[::-1]))))


def pairs_below(pair: Pair) -> tuple[Pair, ...]:
    """Return the pairs that must be solved before this one."""
    more, fewer = pair
    taken = {(more, fewer - 1), (max(more - 1, fewer), min(more - 1, fewer))}
    return tuple(below for below in PAIRS if below in taken)


def tables_after(table: str) -> tuple[str, ...]:
    """Return the tables reached from a table's positions: by quiet moves, and by captures that do not win.

    >>> tables_after("5-4"), tables_after("3-3")
    (('4-5', '3-5'), ('3-3',))
    """
    mover_men, opponent_men = men_of(table)
    quiet = table_name(opponent_men, mover_men)
    return (quiet,) if opponent_men == LEAST_MEN else (quiet, table_name(opponent_men - 1, mover_men))
