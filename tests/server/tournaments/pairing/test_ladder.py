"""Ladders: who may challenge whom, and how results move players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.tournaments.pairing.ladder import (
    REST_MS,
    Ladder,
    LadderState,
    Objection,
    drop,
    find_objection,
    highest_place,
    join,
    may_challenge,
    settle,
)

PLAYERS: Ladder = tuple(f"p{place}" for place in range(1, 101))
FALLING = {player: 3000 - place for place, player in enumerate(PLAYERS)}
"""Ratings in the order of the ladder."""


def objection(challenger: str, challenged: str, **changes: object) -> Objection | None:
    return find_objection(LadderState(PLAYERS, **changes), challenger, challenged, FALLING, now_ms=10 * REST_MS)  # type: ignore[arg-type]


def test_newcomers_join_at_the_bottom_once() -> None:
    assert join(PLAYERS, "new")[-1] == "new"
    assert join(PLAYERS, "p5") == PLAYERS


@pytest.mark.parametrize(
    ("place", "highest"), [(1, 1), (2, 1), (6, 1), (11, 1), (12, 2), (26, 16), (27, 16), (100, 60)]
)
def test_ten_places_or_two_fifths_of_those_above_can_be_challenged(place: int, highest: int) -> None:
    assert highest_place(PLAYERS, f"p{place}", FALLING) == highest


def test_a_strong_newcomer_may_challenge_five_places_above_the_rank_by_rating() -> None:
    assert highest_place(PLAYERS, "p100", {**FALLING, "p100": 2980}) == 16


def test_only_players_above_and_near_enough_can_be_challenged() -> None:
    assert objection("p20", "p10") is None
    assert objection("p20", "p9") is Objection.TOO_FAR
    assert objection("p20", "p21") is Objection.NOT_ABOVE
    assert objection("p20", "p20") is Objection.NOT_ABOVE
    assert objection("p20", "nobody") is Objection.NOT_ON_LADDER


@pytest.mark.parametrize(("place", "most"), [(1, 5), (5, 5), (6, 4), (10, 4), (11, 3), (50, 3)])
def test_challenges_to_a_player_are_limited(place: int, most: int) -> None:
    challenged, challenger = f"p{place}", f"p{place + 9}"
    challengers = [f"p{place + index}" for index in range(1, most + 1)]
    busy = frozenset((each, challenged) for each in challengers)
    assert objection(challenger, challenged, challenges=busy) is Objection.BUSY
    assert objection(challenger, challenged, challenges=frozenset(list(busy)[1:])) is None


def test_two_players_have_one_match_at_a_time_whoever_challenged() -> None:
    assert objection("p20", "p15", challenges=frozenset([("p15", "p20")])) is Objection.ALREADY_PLAYING


def test_two_players_rest_for_seven_days() -> None:
    pair = frozenset(("p20", "p15"))
    assert objection("p20", "p15", ended_ms={pair: 9 * REST_MS + 1}) is Objection.TOO_SOON
    assert objection("p20", "p15", ended_ms={pair: 9 * REST_MS}) is None


def test_all_who_may_be_challenged_are_listed_from_the_top() -> None:
    assert may_challenge(LadderState(PLAYERS), "p12", FALLING, 0) == list(PLAYERS[1:11])


@pytest.mark.parametrize(
    ("winner", "players", "on_time", "after"),
    [
        ("d", ("d", "b"), False, "adbce"),
        ("b", ("d", "b"), False, "abcde"),
        (None, ("d", "b"), False, "abcde"),
        ("d", ("d", "b"), True, "adce"),
        ("b", ("d", "b"), True, "abce"),
        ("x", ("x", "b"), False, "abcde"),
        ("a", ("x", "a"), True, "abcde"),
    ],
)
def test_results_move_players(winner: str | None, players: tuple[str, str], on_time: bool, after: str) -> None:
    assert settle(tuple("abcde"), winner, players, lost_on_time=on_time) == tuple(after)


@given(st.permutations("abcdefgh"), st.data())
def test_no_result_loses_or_doubles_a_player(ladder: list[str], data: st.DataObject) -> None:
    one, other = data.draw(st.permutations(ladder))[:2]
    after = settle(tuple(ladder), one, (one, other))
    assert sorted(after) == sorted(ladder)
    assert after.index(one) < after.index(other)
    assert [each for each in after if each != one] == [each for each in ladder if each != one]


def test_who_leaves_closes_the_gap() -> None:
    assert drop(("ann", "ben", "cem"), "ben") == ("ann", "cem")
