"""One pairing wave: who may be paired, maximum weight, who is left; and even seat assignment."""

import itertools
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import IdentityId
from millrace.server.lobby.pairing_memory import SeatAssignment
from millrace.server.lobby.pairing_wave import (
    BARRED,
    FEWER_AFTER_WAVES,
    Aversions,
    Group,
    Seeker,
    make_groups,
    pair_weight,
)

ANN, BEN, CEM, DOT, EVE = (IdentityId(name) for name in ("ann", "ben", "cem", "dot", "eve"))


def names(groups: list[Group]) -> set[frozenset[IdentityId]]:
    return {frozenset(seeker.identity for seeker in group) for group in groups}


def barred(*pairs: tuple[IdentityId, IdentityId]) -> Aversions:
    aversions: dict[IdentityId, dict[IdentityId, int]] = {}
    for one, other in pairs:
        aversions.setdefault(one, {})[other] = BARRED
        aversions.setdefault(other, {})[one] = BARRED
    return aversions


def most_weight(seekers: list[Seeker], aversions: Aversions) -> int:
    """Return the maximum total weight of pairs, each plus 1, by exhaustive search."""
    if len(seekers) < 2:
        return 0
    first, *others = seekers
    alone = most_weight(others, aversions)
    with_others = (
        pair_weight(first, other, aversions)
        + 1
        + most_weight([each for each in others if each is not other], aversions)
        for other in others
        if pair_weight(first, other, aversions) >= 0
    )
    return max(alone, *with_others, 0)


@pytest.mark.parametrize(
    ("low", "high", "missed", "may_meet"),
    [
        (900, 1030, 0, False),
        (800, 930, 0, True),
        (800, 931, 0, False),
        (1200, 1300, 0, True),
        (1200, 1301, 0, False),
        (2250, 2400, 0, True),
        (2249, 2400, 0, False),
        (1200, 1312, 1, True),
        (1200, 1313, 1, False),
        (1000, 1560, 39, True),
        (1000, 1561, 1000, False),
    ],
)
def test_the_allowed_gap_grows_with_the_rating_and_each_missed_wave(
    low: int, high: int, missed: int, may_meet: bool
) -> None:
    groups, left = make_groups([Seeker(ANN, low, missed), Seeker(BEN, high)], 2, {})
    assert (groups != []) is may_meet
    assert len(left) == (0 if may_meet else 2)


def test_the_nearest_ratings_are_paired() -> None:
    seekers = [Seeker(ANN, 1500), Seeker(BEN, 1590), Seeker(CEM, 1510), Seeker(DOT, 1580)]
    assert names(make_groups(seekers, 2, {})[0]) == {frozenset((ANN, CEM)), frozenset((BEN, DOT))}


def test_the_player_who_waited_longest_goes_first() -> None:
    seekers = [Seeker(ANN, 1500, 0), Seeker(BEN, 1500, 3), Seeker(CEM, 1500, 2)]
    groups, left = make_groups(seekers, 2, {})
    assert names(groups) == {frozenset((BEN, CEM))}
    assert left == [seekers[0]]


def test_barred_players_are_paired_with_others() -> None:
    seekers = [Seeker(each, 1500) for each in (ANN, BEN, CEM, DOT)]
    aversions = barred((ANN, BEN), (CEM, DOT), (ANN, CEM))
    assert names(make_groups(seekers, 2, aversions)[0]) == {frozenset((ANN, DOT)), frozenset((BEN, CEM))}
    assert make_groups(seekers[:2], 2, aversions)[0] == []


def test_an_aversion_is_overcome_by_waiting() -> None:
    aversions = {ANN: {BEN: 120}, BEN: {ANN: 120}}
    assert make_groups([Seeker(ANN, 1400), Seeker(BEN, 1400)], 2, aversions)[0] == []
    assert make_groups([Seeker(ANN, 1400, 1), Seeker(BEN, 1400, 1)], 2, aversions)[0] != []


def test_a_group_has_as_many_members_as_the_match_has_seats() -> None:
    seekers = [Seeker(each, 1500 + 5 * index) for index, each in enumerate((ANN, BEN, CEM, DOT, EVE))]
    groups, left = make_groups(seekers, 4, {})
    assert [len(group) for group in groups] == [4]
    assert len(left) == 1
    assert make_groups(seekers[:3], 4, {})[0] == []


def test_no_two_players_of_a_group_are_barred() -> None:
    seekers = [Seeker(each, 1500) for each in (ANN, BEN, CEM, DOT, EVE)]
    groups, left = make_groups(seekers, 4, barred((ANN, CEM)))
    assert len(groups) == 1
    assert left[0].identity in (ANN, CEM)


@pytest.mark.parametrize(
    ("missed", "agree", "sizes"),
    [
        ((4, 4, 4), (True, True, True), [3]),
        ((4, 4, 3), (True, True, True), []),
        ((8, 8, 3), (True, True, True), [2]),
        ((8, 8, 4), (True, True, True), [3]),
        ((7, 7, 7), (True, True, False), []),
        ((8, 8, 8), (True, True, False), [2]),
        ((9, 9, 9), (True, False, False), []),
        ((3, 3, 3), (True, True, True), []),
    ],
)
def test_smaller_groups_are_made_after_a_while_if_all_agree(
    missed: tuple[int, ...], agree: tuple[bool, ...], sizes: list[int]
) -> None:
    seekers = [Seeker(*facts) for facts in zip((ANN, BEN, CEM), (1500,) * 3, missed, agree, strict=True)]
    groups, left = make_groups(seekers, 4, {})
    assert [len(group) for group in groups] == sizes
    assert len(left) == 3 - sum(sizes)


@pytest.mark.parametrize("late", range(FEWER_AFTER_WAVES))
def test_a_third_player_some_waves_later_is_not_left_out_by_two(late: int) -> None:
    seekers = [Seeker(each, 1500, takes_fewer=True) for each in (ANN, BEN)]
    for wave in itertools.count():
        if wave == late:
            seekers.append(Seeker(CEM, 1500, takes_fewer=True))
        groups, left = make_groups(seekers, 4, {})
        if groups:
            break
        seekers = [replace(seeker, missed=seeker.missed + 1) for seeker in left]
    assert names(groups) == {frozenset((ANN, BEN, CEM))}


@given(st.lists(st.tuples(st.integers(1000, 1499), st.integers(0, 40)), max_size=7))
def test_with_equal_windows_the_total_weight_is_maximal(facts: list[tuple[int, int]]) -> None:
    seekers = [Seeker(IdentityId(str(index)), *fact) for index, fact in enumerate(facts)]
    groups, _ = make_groups(seekers, 2, {})
    assert sum(pair_weight(one, other, {}) + 1 for one, other in groups) == most_weight(seekers, {})


@given(
    st.lists(st.tuples(st.integers(1300, 1700), st.integers(0, 9)), max_size=12),
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=12),
    st.integers(2, 4),
)
def test_every_group_is_allowed_and_every_player_is_grouped_once_or_left(
    facts: list[tuple[int, int]], bars: set[tuple[int, int]], seats: int
) -> None:
    seekers = [Seeker(IdentityId(str(index)), *fact, takes_fewer=True) for index, fact in enumerate(facts)]
    aversions = barred(*((IdentityId(str(one)), IdentityId(str(other))) for one, other in bars))
    groups, left = make_groups(seekers, seats, aversions)
    for group in groups:
        assert all(pair_weight(one, other, aversions) >= 0 for one, other in combinations(group, 2))
    everyone = Counter(seeker for group in groups for seeker in group) + Counter(left)
    assert everyone == Counter(seekers)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_same_players_get_every_seat_equally_often(seats: int) -> None:
    assignment, chance = SeatAssignment(), random.Random(seats)
    players = [ANN, BEN, CEM, DOT][:seats]
    had = {player: [0] * seats for player in players}
    for _ in range(50):
        chance.shuffle(players)
        for seat, player in enumerate(assignment.assign("toy", players)):
            had[player][seat] += 1
        assert all(max(counts) - min(counts) <= 1 for counts in had.values())


def test_a_player_who_had_a_seat_more_often_gets_another() -> None:
    assignment = SeatAssignment()
    assert assignment.assign("toy", [ANN, BEN]) == (ANN, BEN)
    assert assignment.assign("toy", [ANN, CEM]) == (CEM, ANN)
    assert assignment.assign("toy", [BEN, CEM]) == (BEN, CEM)
    assert assignment.assign("other", [ANN, BEN]) == (ANN, BEN)
