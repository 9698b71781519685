"""Who plays whom in a wave of an arena."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.protocol import IdentityId
from millrace.server.tournaments.kinds.arena_pairing import Waiting, pair_wave
from tests.server.tournaments.arenas import Arena


def waiting(
    rank: int,
    rating: int = 1500,
    since_ms: int = 0,
    opponents: tuple[str, ...] = (),
    seats: tuple[int, ...] = (),
) -> Waiting:
    return Waiting(IdentityId(f"p{rank}"), rank, rating, since_ms, tuple(map(IdentityId, opponents)), seats)


def meetings(players: list[Waiting], *, is_first: bool = False) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in pair_wave(players, len(players), is_first=is_first)}


def test_in_the_first_wave_neighbours_by_rating_meet() -> None:
    players = [waiting(1, 1500), waiting(2, 2100), waiting(3, 1520), waiting(4, 2000)]
    assert meetings(players, is_first=True) == {frozenset({"p2", "p4"}), frozenset({"p3", "p1"})}


def test_later_neighbours_in_the_standings_meet() -> None:
    assert meetings([waiting(rank) for rank in range(1, 7)]) == {
        frozenset({"p1", "p2"}),
        frozenset({"p3", "p4"}),
        frozenset({"p5", "p6"}),
    }


def test_players_who_have_just_met_are_kept_apart() -> None:
    players = [waiting(1, opponents=("p2",)), *(waiting(rank) for rank in range(2, 5))]
    assert frozenset({"p1", "p2"}) not in meetings(players)


def test_two_who_are_alone_meet_again() -> None:
    players = [waiting(1, opponents=("p2",)), waiting(2, opponents=("p1",))]
    assert meetings(players) == {frozenset({"p1", "p2"})}


def test_of_an_odd_number_the_one_who_came_last_stays_out() -> None:
    players = [waiting(1, since_ms=30), waiting(2, since_ms=10), waiting(3, since_ms=20)]
    assert meetings(players) == {frozenset({"p2", "p3"})}


def test_the_first_seat_is_for_who_had_it_less_often() -> None:
    players = [waiting(1, seats=(0, 1, 0)), waiting(2, seats=(1, 0, 1))]
    assert pair_wave(players, 2, is_first=False) == [("p2", "p1")]


def test_two_players_alternate_the_seats() -> None:
    arena = Arena("Ann", "Ben").begin()
    arena.play("ann", "ben", "ann", "ben")
    firsts = [wave[0].players[0] for wave in arena.waves]
    assert firsts in (["ann", "ben", "ann", "ben"], ["ben", "ann", "ben", "ann"])


@settings(max_examples=60)
@given(st.lists(st.integers(600, 2600), max_size=24), st.booleans())
def test_everyone_but_one_meets_exactly_one_opponent(ratings: list[int], is_first: bool) -> None:
    players = [waiting(rank, rating) for rank, rating in enumerate(ratings, 1)]
    pairs = pair_wave(players, len(players), is_first=is_first)
    seen = Counter(identity for pair in pairs for identity in pair)
    assert set(seen.values()) <= {1}
    assert len(seen) == len(players) - len(players) % 2


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 12), st.randoms(use_true_random=False))
def test_in_a_whole_arena_seats_stay_balanced_and_opponents_change(size: int, chance: Random) -> None:
    arena = Arena(*(f"P{number}" for number in range(size))).begin()
    for _ in range(10):
        for pair in arena.pair():
            arena.end(pair, chance.choice([*pair.players, None]))
    for entrant in arena.tournament.entrants.values():
        assert abs(entrant.seats.count(0) - entrant.seats.count(1)) <= 3
        repeats = sum(one == other for one, other in zip(entrant.opponents, entrant.opponents[1:], strict=False))
        assert size == 4 or repeats == 0
