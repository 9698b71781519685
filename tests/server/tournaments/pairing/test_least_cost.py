"""The matching of least cost, held against one found by trying all."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.server.tournaments.pairing.matching import match_all


def cheapest(costs: list[list[int]]) -> int:
    """Return the least cost of a perfect matching, by trying all."""
    count = len(costs)

    @cache
    def of(taken: int) -> int:
        if taken == (1 << count) - 1:
            return 0
        first = next(index for index in range(count) if not taken >> index & 1)
        others = (other for other in range(first + 1, count) if not taken >> other & 1)
        return min(costs[first][other] + of(taken | 1 << first | 1 << other) for other in others)

    return of(0)


@st.composite
def symmetric_costs(draw: st.DrawFn) -> list[list[int]]:
    count = 2 * draw(st.integers(0, 5))
    most = draw(st.sampled_from([1, 3, 20, 10**7]))
    costs = [[0] * count for _ in range(count)]
    for row in range(count):
        for column in range(row):
            costs[row][column] = costs[column][row] = draw(st.integers(0, most))
    return costs


@settings(max_examples=300)
@given(symmetric_costs())
def test_everyone_has_one_partner_at_the_least_cost(costs: list[list[int]]) -> None:
    pairs = match_all(costs)
    assert sorted(index for pair in pairs for index in pair) == list(range(len(costs)))
    assert sum(costs[one][other] for one, other in pairs) == cheapest(costs)


def test_odd_cycles_of_cheap_pairs_are_no_trap() -> None:
    costs = [[100] * 6 for _ in range(6)]
    for one, other in ((0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)):
        costs[one][other] = costs[other][one] = 1
    pairs = match_all(costs)
    assert sum(costs[one][other] for one, other in pairs) == 102
