"""The rules of ladders: who may challenge whom, and how results move players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import Code, IdentityId
from millrace.server.tournaments.ladders.ladder_rules import (
    REST_MS,
    Challenged,
    Places,
    drop,
    find_refusal,
    highest_place,
    join,
    settle,
)


def places_of(names: str) -> Places:
    return tuple(map(IdentityId, names))


PLAYERS: Places = tuple(IdentityId(f"p{place}") for place in range(1, 101))
FALLING = {player: 3000 - place for place, player in enumerate(PLAYERS)}
"""Ratings in the order of the ladder."""


def refusal(place: int | None, highest: int, challenged: Challenged, now_ms: int = 0) -> Code | None:
    found = find_refusal(place, highest, challenged, now_ms)
    return None if found is None else found.code


def test_newcomers_join_at_the_bottom_once() -> None:
    assert join(PLAYERS, IdentityId("new"))[-1] == "new"
    assert join(PLAYERS, PLAYERS[4]) == PLAYERS


def test_who_leaves_closes_the_gap() -> None:
    assert drop(places_of("abc"), IdentityId("b")) == places_of("ac")


@pytest.mark.parametrize(
    ("place", "highest"), [(1, 1), (2, 1), (6, 1), (11, 1), (12, 2), (26, 16), (27, 16), (100, 60)]
)
def test_ten_places_or_two_fifths_of_those_above_can_be_challenged(place: int, highest: int) -> None:
    assert highest_place(PLAYERS, PLAYERS[place - 1], FALLING) == highest


def test_a_strong_newcomer_may_challenge_five_places_above_the_rank_by_rating() -> None:
    assert highest_place(PLAYERS, PLAYERS[99], {**FALLING, PLAYERS[99]: 2981}) == 16


@pytest.mark.parametrize(
    ("place", "challenged", "code"),
    [
        (20, 10, None),
        (20, 9, Code.TOO_FAR_ABOVE),
        (20, 20, Code.NOT_ABOVE),
        (20, 21, Code.NOT_ABOVE),
        (20, None, Code.NOT_JOINED),
        (None, 10, Code.NOT_JOINED),
    ],
)
def test_only_players_above_and_near_enough_can_be_challenged(
    place: int | None, challenged: int | None, code: Code | None
) -> None:
    assert refusal(place, 10, Challenged(challenged)) is code


@pytest.mark.parametrize(("place", "most"), [(1, 5), (5, 5), (6, 4), (10, 4), (11, 3), (50, 3)])
def test_challenges_to_a_player_are_limited(place: int, most: int) -> None:
    assert refusal(60, 1, Challenged(place, most)) is Code.TOO_MANY_CHALLENGES
    assert refusal(60, 1, Challenged(place, most - 1)) is None


def test_two_players_have_one_match_at_a_time() -> None:
    assert refusal(20, 10, Challenged(15, are_playing=True)) is Code.ALREADY_PLAYING


def test_two_players_rest_for_seven_days() -> None:
    assert refusal(20, 10, Challenged(15, met_at_ms=1), REST_MS) is Code.MET_RECENTLY
    assert refusal(20, 10, Challenged(15, met_at_ms=0), REST_MS) is None


def test_a_refusal_says_how_long_to_wait() -> None:
    found = find_refusal(2, 1, Challenged(1, met_at_ms=0), REST_MS - 3_600_000)
    assert found is not None
    assert found.message == "You have met recently; challenge again in 60 minutes."


@pytest.mark.parametrize(
    ("winner", "loser", "on_time", "then"),
    [
        ("d", "b", False, "adbce"),
        ("b", "d", False, "abcde"),
        ("d", "b", True, "adce"),
        ("b", "d", True, "abce"),
        ("x", "b", False, "abcde"),
        ("a", "x", True, "abcde"),
    ],
)
def test_results_move_players(winner: str, loser: str, on_time: bool, then: str) -> None:
    assert settle(places_of("abcde"), IdentityId(winner), IdentityId(loser), on_time=on_time) == places_of(then)


@given(st.permutations(places_of("abcdefgh")), st.data())
def test_no_result_loses_or_doubles_a_player(ladder: list[IdentityId], data: st.DataObject) -> None:
    winner, loser = data.draw(st.permutations(ladder))[:2]
    then = settle(tuple(ladder), winner, loser)
    assert sorted(then) == sorted(ladder)
    assert then.index(winner) < then.index(loser)
    assert [each for each in then if each != winner] == [each for each in ladder if each != winner]
