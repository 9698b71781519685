"""Matchings of maximum weight: compared with trying all, also after preferences and choices."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from millrace.server.tournaments.pairing.matching import UNIT, Matching
from millrace.server.tournaments.pairing.primal_dual import Weights


@st.composite
def graphs(draw: st.DrawFn) -> Weights:
    """Graphs of up to eight vertices, with few different weights, so that many matchings are equally good."""
    count = 2 * draw(st.integers(1, 4))
    weights: Weights = [[None] * count for _ in range(count)]
    values = st.one_of(st.none(), st.integers(-2, 2), st.integers(-100, 100))
    for one in range(count):
        for other in range(one):
            value = draw(values)
            weights[one][other] = weights[other][one] = None if value is None else UNIT * value
    return weights


def copied(weights: Weights) -> Weights:
    return [list(row) for row in weights]


def perfect_matchings(weights: Weights, vertices: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    if not vertices:
        yield []
        return
    first, *others = vertices
    for other in others:
        if weights[first][other] is not None:
            left = tuple(vertex for vertex in others if vertex != other)
            yield from ([(first, other), *pairs] for pairs in perfect_matchings(weights, left))


def best_matchings(weights: Weights) -> list[list[tuple[int, int]]]:
    """Return all matchings of maximum weight."""
    matchings = list(perfect_matchings(weights, tuple(range(len(weights)))))
    totals = [sum(weights[one][other] or 0 for one, other in pairs) for pairs in matchings]
    return [pairs for pairs, total in zip(matchings, totals, strict=True) if total == max(totals)]


@given(graphs())
def test_a_matching_has_maximum_weight(weights: Weights) -> None:
    matching = Matching(copied(weights))
    best = best_matchings(weights)
    assert matching.solve() == bool(best)
    if best:
        assert matching.total() == sum(weights[one][other] or 0 for one, other in best[0])


@given(graphs(), st.data())
def test_choices_take_the_first_that_leaves_the_maximum(weights: Weights, data: st.DataObject) -> None:
    matching = Matching(copied(weights))
    if not matching.solve():
        return
    best = best_matchings(weights)
    order = data.draw(st.permutations(range(len(weights))))
    chosen: set[int] = set()
    for vertex in order:
        if vertex not in chosen:
            mates = {
                one if other == vertex else other for pairs in best for one, other in pairs if vertex in (one, other)
            }
            expected = next(each for each in order if each in mates)
            assert matching.choose(vertex, order) == expected
            best = [pairs for pairs in best if any({vertex, expected} == set(pair) for pair in pairs)]
            chosen |= {vertex, expected}


@given(graphs(), st.data())
def test_preferences_hold_if_they_leave_the_maximum(weights: Weights, data: st.DataObject) -> None:
    matching = Matching(copied(weights))
    if not matching.solve():
        return
    best = best_matchings(weights)
    everybody = list(range(len(weights)))
    for vertex in data.draw(st.permutations(everybody)):
        targets = data.draw(st.sets(st.sampled_from(everybody)))
        satisfying = [
            pairs for pairs in best if any(vertex in pair and set(pair) & (targets - {vertex}) for pair in pairs)
        ]
        assert matching.favour(vertex, targets - {vertex}) == bool(satisfying)
        best = satisfying or best
    assert matching.total() == sum(weights[one][other] or 0 for one, other in best[0])
