"""Arenas of three and four seats: tables, places, duplicate pastures, and what follows from leaving."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.protocol import Code, IdentityId, TournamentPlan
from millrace.protocol.refusal import Refusal
from millrace.server.tournaments.decisions import can_berserk, disqualify, due, join, require_plan, score
from millrace.server.tournaments.events import Closed, Pair, Scored, WavePaired
from millrace.server.tournaments.kinds.all_kinds import kind_of, standings_of
from tests.server.tables import MATCH, ME, OPEN, Table
from tests.server.tournaments.arenas import PLAN, START_MS, Arena, candidate

FOUR = replace(PLAN, game="battlesheep", seats=4)
DUPLICATE = replace(FOUR, duplicate=True)
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
POINT = 12
"""In twelfths."""


def begun(players: int = 4, plan: TournamentPlan = FOUR) -> Arena:
    names = (*NAMES, *map(str, range(100, 200)))[:players]
    return Arena(*names, plan=plan).begin()


def differences(arena: Arena) -> dict[str, float]:
    found = {each.entrant.identity: each.difference for each in standings_of(arena.tournament)}
    return {identity: float(difference) for identity, difference in found.items() if difference is not None}


def end_all(arena: Arena, tables: tuple[Pair, ...]) -> None:
    for pair in tables:
        arena.end_table(pair, *range(1, len(pair.players) + 1))


def test_four_meet_at_a_table_and_are_given_points_by_place() -> None:
    arena = begun()
    (table,) = arena.pair()
    assert table.players == ("ann", "ben", "cat", "dan")
    arena.end_table(table, 2, 1, 4, 3, cells=(14, 16, 10, 12))
    assert arena.table() == [("ben", 4 * POINT), ("ann", 2 * POINT), ("dan", POINT), ("cat", 0)]
    assert [each.first_places for each in standings_of(arena.tournament)] == [1, 0, 0, 0]
    assert arena.replayed() == arena.tournament


def test_players_who_share_places_share_their_points() -> None:
    arena = begun()
    (table,) = arena.pair()
    arena.end_table(table, 1, 1, 1, 4)
    assert dict(arena.table()) == {"ann": 28, "ben": 28, "cat": 28, "dan": 0}


def test_the_first_round_waits_a_pause_for_players_to_arrive() -> None:
    arena = begun(3)
    assert arena.pair(after_ms=29_000) == ()
    arena.store(*join(arena.tournament, candidate("Dan")))
    (table,) = arena.pair(after_ms=1_000)
    assert len(table.players) == 4


def test_a_round_waits_for_the_last_table_of_the_one_before_and_the_pause() -> None:
    arena = begun(8)
    one, other = arena.pair()
    arena.end_table(one, 1, 2, 3, 4)
    assert arena.pair() == ()
    arena.end_table(other, 1, 2, 3, 4)
    assert arena.pair(after_ms=29_000) == ()
    assert len(arena.pair(after_ms=1_000)) == 2
    assert [len(each.pairs) for each in arena.tournament.rounds] == [2, 2]


@pytest.mark.parametrize(("players", "sizes"), [(2, []), (3, [3]), (5, [4]), (6, [3, 3]), (7, [3, 4]), (9, [3, 3, 3])])
def test_tables_of_three_seat_the_others(players: int, sizes: list[int]) -> None:
    assert sorted(len(pair.players) for pair in begun(players).pair()) == sizes


def test_players_without_a_table_take_turns() -> None:
    arena = begun(5)
    waiting = []
    for _ in range(5):
        (table,) = arena.pair()
        waiting += [set(arena.tournament.entrants) - set(table.players)]
        arena.end_table(table, 1, 2, 3, 4)
    assert set.union(*waiting) == set(arena.tournament.entrants)


def test_later_tables_are_by_rank_among_players_who_have_not_met() -> None:
    arena = begun(8)
    for pair in arena.pair():
        arena.end_table(pair, 1, 2, 3, 4)
    first, second = arena.pair()
    assert {"ann", "eve"} <= {*first.players}
    assert {*first.players, *second.players} == {*arena.tournament.entrants}
    assert len({*first.players} & {"ann", "ben", "cat", "dan"}) == 2


@given(players=st.integers(3, 21), seats=st.sampled_from([3, 4]), data=st.data())
@settings(max_examples=60)
def test_an_evening_is_fair(players: int, seats: int, data: st.DataObject) -> None:
    arena = begun(players, replace(FOUR, seats=seats))
    names = [*arena.tournament.entrants]
    for number in range(1, data.draw(st.integers(1, 8), "rounds") + 1):
        tables = arena.pair()
        seated = [identity for pair in tables for identity in pair.players]
        assert len(seated) == len({*seated}), "nobody is at two tables"
        assert len(names) - len(seated) <= 2
        assert len(arena.tournament.rounds) == number
        given_away = 0
        for pair in tables:
            size = len(pair.players)
            cells = tuple(data.draw(st.lists(st.integers(1, 30), min_size=size, max_size=size), "cells"))
            arena.end_table(pair, *(1 + sum(other > own for other in cells) for own in cells), cells=cells)
            given_away += {2: 2, 3: 4, 4: 7}[size] * POINT
        assert sum(each.points[-1] for each in standings_of(arena.tournament) if each.entrant.identity in seated) == (
            given_away
        )
    assert sum(each.difference or 0 for each in standings_of(arena.tournament)) == 0
    for entrant in arena.tournament.entrants.values():
        if players % seats == 0:
            counts = [entrant.seats.count(seat) for seat in range(seats)]
            assert max(counts) - min(counts) <= 2
    assert arena.replayed() == arena.tournament


def test_each_round_draws_a_pasture() -> None:
    arena = begun(8)
    end_all(arena, arena.pair())
    end_all(arena, arena.pair())
    seeds = [each.seed for each in arena.tournament.rounds]
    assert seeds == [0, 1]


def test_ties_are_decided_by_the_difference_from_others_in_the_same_seats() -> None:
    arena = begun(8)
    one, other = arena.pair()
    assert (one.players[0], other.players[0]) == ("ann", "eve")
    arena.end_table(one, 1, 2, 3, 4, cells=(14, 12, 10, 8))
    assert differences(arena)["ann"] == 0, "nobody else has finished"
    arena.end_table(other, 1, 2, 3, 4, cells=(17, 11, 10, 6))
    assert differences(arena) == {
        "ann": -1.5, "ben": 0.5, "cat": 0, "dan": 1, "eve": 1.5, "fay": -0.5, "gus": 0, "hal": -1
    }  # fmt: skip
    assert [name for name, _ in arena.table()] == ["eve", "ann", "ben", "fay", "cat", "gus", "dan", "hal"]


def test_a_duplicate_is_decided_by_the_difference_alone() -> None:
    arena = begun(8, DUPLICATE)
    one, other = arena.pair()
    arena.end_table(one, 1, 2, 3, 4, cells=(14, 12, 10, 8))
    arena.end_table(other, 1, 2, 3, 4, cells=(17, 11, 10, 6))
    assert [name for name, _ in arena.table()] == ["eve", "dan", "ben", "cat", "gus", "fay", "hal", "ann"]


def test_a_player_who_leaves_a_table_has_nothing_and_the_others_are_compared() -> None:
    arena = begun(8)
    one, other = arena.pair()
    arena.end_table(one, 4, 1, 2, 3, cells=(14, 12, 10, 8), left=(0,))
    arena.end_table(other, 1, 2, 3, 4, cells=(16, 12, 10, 8))
    scores = dict(arena.table())
    assert [scores[name] for name in ("ann", "ben", "cat", "dan")] == [0, 4 * POINT, 2 * POINT, POINT]
    assert differences(arena)["ann"] == -15, "no cells, and the stand-in's count for the mean"
    assert differences(arena)["eve"] == 1


def test_a_disqualified_player_has_no_place_in_any_round() -> None:
    arena = begun()
    (table,) = arena.pair()
    arena.end_table(table, 1, 2, 3, 4, cells=(14, 12, 10, 8))
    arena.store(*disqualify(arena.tournament, IdentityId("ann"), IdentityId("mod")))
    assert arena.table() == [("ben", 4 * POINT), ("cat", 2 * POINT), ("dan", POINT), ("ann", 0)]
    assert kind_of(arena.tournament).tables(arena.tournament)[0].points == (0, 48, 24, 12)
    assert [each.first_places for each in standings_of(arena.tournament)] == [1, 0, 0, 0]


def table_on(setup: str) -> tuple[Arena, Table]:
    """Return an arena and the match of its table of three."""
    arena, table = begun(3), Table(setup, ME, OPEN, OPEN)
    arena.store(WavePaired((Pair(MATCH, (IdentityId("ann"), IdentityId("ben"), IdentityId("cat")), 1),), seed=0))
    return arena, table


def test_the_cells_of_a_match_that_is_played_to_its_end_are_counted() -> None:
    arena, table = table_on("0,r16,0,b16,g16 r 3")
    table.play("b1-c1:8")
    table.play("b1-a1:7")
    (scored,) = score(arena.tournament, table.match)
    assert scored == Scored(MATCH, (1, 2, 2), table.match.state.ply, cells=(3, 1, 1))
    assert score(replace(arena.tournament, pairs={}), table.match) == [], "once"


def test_a_match_that_only_one_has_stayed_in_is_counted_without_cells() -> None:
    arena, table = table_on("0,r16,0,b16,g16 r 3")
    table.resign(1)
    table.resign(2)
    assert score(arena.tournament, table.match) == [Scored(MATCH, (1, 3, 2), 0, left=(1, 2))]


def test_who_resigns_at_a_smaller_table_of_two_has_left_it_too() -> None:
    arena, table = begun(2, replace(FOUR, seats=3)), Table("seats=2", ME, OPEN)
    arena.store(WavePaired((Pair(MATCH, (IdentityId("ann"), IdentityId("ben")), 1),), seed=0))
    table.resign(0)
    assert score(arena.tournament, table.match) == [Scored(MATCH, (2, 1), 0, left=(0,))]


def test_a_match_without_a_result_counts_for_nobody() -> None:
    arena = begun()
    (table,) = arena.pair()
    arena.store(Scored(table.match, None, 40))
    assert arena.table() == [("ann", 0), ("ben", 0), ("cat", 0), ("dan", 0)]
    assert not any(each.has_played for each in standings_of(arena.tournament))


def test_the_round_that_is_being_played_at_the_end_is_finished_and_counts() -> None:
    arena = begun()
    (table,) = arena.pair()
    ends_at_ms = arena.tournament.ends_at_ms
    assert due(arena.tournament, ends_at_ms) == []
    arena.now_ms = ends_at_ms + 60_000
    arena.end_table(table, 1, 2, 3, 4)
    assert arena.pair() == (), "no round begins when the time is over"
    assert due(arena.tournament, arena.now_ms) == [Closed()]
    arena.store(Closed())
    assert arena.tournament.ends_at_ms == arena.now_ms
    assert arena.table()[0] == ("ann", 4 * POINT)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"game": "morris"}, Code.BAD_SEATS),
        ({"kind": "swiss", "rounds": 5}, Code.BAD_TOURNAMENT),
        ({"setup": "seed=3 seats=4"}, Code.BAD_SETUP),
        ({"seats": 2, "duplicate": True}, Code.BAD_TOURNAMENT),
        ({"minutes": 30}, Code.BAD_TOURNAMENT),
    ],
)
def test_a_bad_plan_is_refused(changes: dict[str, object], code: Code) -> None:
    require_plan(FOUR, START_MS)
    with pytest.raises(Refusal) as refused:
        require_plan(replace(FOUR, **changes), START_MS)
    assert refused.value.code is code


def test_nobody_halves_the_time_at_a_table() -> None:
    assert can_berserk(PLAN)
    assert not can_berserk(FOUR)
