"""Ratings from results: expected scores give back the ratings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.engines.elo import score_of_elo
from benchmarks.engines.ladder import fit, standings
from benchmarks.levels import Task, pairings_of, play_pair, tasks_of
from millrace.engine.levels.opponents import OPPONENTS

NAMES = ("a", "b", "c", "d")
PAIRINGS = [(one, other) for one in NAMES for other in NAMES if one < other]


@given(st.lists(st.floats(-300, 300), min_size=4, max_size=4))
@settings(max_examples=25)
def test_expected_scores_give_back_the_ratings(elos: list[float]) -> None:
    elo = {name: rating - sum(elos) / 4 for name, rating in zip(NAMES, elos, strict=True)}
    results = {(one, other): [2 * score_of_elo(elo[one] - elo[other])] * 1000 for one, other in PAIRINGS}
    assert fit(NAMES, results) == pytest.approx([elo[name] for name in NAMES], abs=2)


def test_a_player_who_always_wins_is_rated_and_the_error_shrinks_with_matches() -> None:
    few = standings(("a", "b"), {("a", "b"): [2.0, 2.0, 1.0, 2.0]}, seed=1)
    many = standings(("a", "b"), {("a", "b"): [2.0, 2.0, 1.0, 2.0] * 50}, seed=1)
    assert few[0].elo > 0 > few[1].elo
    assert many[0].error < few[0].error
    assert standings(("a", "b"), {("a", "b"): [2.0, 2.0]}, seed=1)[0].elo < 1000


def test_a_common_opponent_links_two_players_who_never_met() -> None:
    ratings = fit(("a", "b", "c"), {("a", "b"): [1.5] * 100, ("b", "c"): [1.5] * 100})
    assert ratings[0] - ratings[1] == pytest.approx(ratings[1] - ratings[2], abs=1e-6)


def test_players_meet_their_neighbours_and_personalities_meet_each_other() -> None:
    pairings = pairings_of(list(OPPONENTS), 1)
    assert {("1", "2"), ("7", "8")} <= set(pairings)
    assert ("1", "3") not in pairings
    assert {("4", "hunter"), ("hunter", "warden"), ("gambler", "dreamer")} <= set(pairings)
    assert ("3", "hunter") not in pairings
    assert {name for pairing in pairings for name in pairing} == set(OPPONENTS)


def test_the_same_seed_plays_the_same_matches() -> None:
    first, second = (tasks_of("morris", [("1", "2")], 2, 5, 10) for _ in range(2))
    assert first == second
    assert len({task.opening for task in first}) == 2
    task = Task("battlesheep", ("1", "2"), "r5,0,0,b3/0,b4,0,0/.,0,r2,0 r 2", 1, 10)
    assert play_pair(task) == play_pair(task)
    assert 0 <= play_pair(task) <= 2
