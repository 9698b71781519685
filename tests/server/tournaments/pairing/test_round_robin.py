"""Round robins: the published Berger tables, and what holds for every number of players."""

from collections import Counter
from itertools import combinations, groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.tournaments.pairing.round_robin import berger_rounds, byes

BERGER_TABLES = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / "
    "3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1",
}
"""FIDE C.05, annex 1."""


@pytest.mark.parametrize("count", BERGER_TABLES)
def test_the_rounds_are_those_of_the_published_tables(count: int) -> None:
    rounds = berger_rounds(range(1, count + 1))
    assert (
        " / ".join(" ".join(f"{white}-{black}" for white, black in pairs) for pairs in rounds) == BERGER_TABLES[count]
    )


@given(st.integers(2, 30))
def test_everybody_meets_everybody_once_and_plays_once_a_round(count: int) -> None:
    rounds = berger_rounds(range(count))
    meetings = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert meetings == Counter(frozenset(pair) for pair in combinations(range(count), 2))
    for pairs in rounds:
        players = [player for pair in pairs for player in pair]
        assert len(players) == len(set(players)) == count - count % 2


@given(st.integers(2, 30))
def test_colours_differ_by_one_at_most(count: int) -> None:
    rounds = berger_rounds(range(count))
    whites = Counter(white for pairs in rounds for white, _ in pairs)
    blacks = Counter(black for pairs in rounds for _, black in pairs)
    assert all(abs(whites[player] - blacks[player]) <= 1 for player in range(count))


@given(st.integers(3, 30))
def test_a_double_round_robin_exchanges_colours_and_repeats_none_three_times(count: int) -> None:
    rounds = berger_rounds(range(count), double=True)
    meetings = Counter(pair for pairs in rounds for pair in pairs)
    assert meetings == Counter((one, other) for one in range(count) for other in range(count) if one != other)
    for player in range(count):
        colours = [pair.index(player) for pairs in rounds for pair in pairs if player in pair]
        assert max(len(list(same)) for _, same in groupby(colours)) <= 2


@given(st.integers(1, 14))
def test_each_of_an_odd_number_has_one_bye(half: int) -> None:
    players = range(2 * half + 1)
    assert sorted(each for each in byes(players, berger_rounds(players)) if each is not None) == list(players)


def test_nobody_has_a_bye_among_an_even_number() -> None:
    assert byes("1234", berger_rounds("1234")) == [None, None, None]
