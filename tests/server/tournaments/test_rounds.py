"""Swiss tournaments, round robins and knockouts: who meets whom in each round, results and standings."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.protocol import ClockSettings, Code, IdentityId, Player, TournamentKind, TournamentPlan
from millrace.protocol.refusal import Refusal
from millrace.server.tournaments.decisions import (
    disqualify,
    due,
    forbid,
    halted,
    join,
    leave,
    require_plan,
    whom_to_pair,
)
from millrace.server.tournaments.events import Closed, Pair, Scored, encode_event, parse_event
from millrace.server.tournaments.kinds.all_kinds import kind_of, standings_of
from millrace.server.tournaments.kinds.kind import Table
from millrace.server.tournaments.tournament_exports import report_text_of
from tests.server.tournaments.arenas import PLAN, START_MS, Arena, candidate

SWISS = replace(PLAN, kind="swiss", minutes=0, rounds=3)
ROUND_ROBIN = replace(PLAN, kind="round_robin", minutes=0)
KNOCKOUT = replace(PLAN, kind="knockout", minutes=0, best_of=1)
ANN, BEN, CAT, DAN = (IdentityId(name) for name in ("ann", "ben", "cat", "dan"))


def refusal(decide: Callable[[], object]) -> Code:
    with pytest.raises(Refusal) as refused:
        decide()
    return refused.value.code


def meetings(pairs: tuple[Pair, ...]) -> list[str]:
    return [" ".join(pair.players) for pair in pairs]


def play_round(arena: Arena, *winners: str) -> None:
    """Play a round: the winners win, earlier ones against later ones, and other matches are drawn."""
    for pair in arena.pair():
        arena.end(pair, next((name for name in winners if name in pair.players), None))


def close(arena: Arena) -> None:
    events = due(arena.tournament, arena.now_ms)
    assert events == [Closed()]
    arena.store(*events)


def tables(arena: Arena) -> tuple[Table, ...]:
    return kind_of(arena.tournament).tables(arena.tournament)


def test_the_first_round_of_a_swiss_pairs_the_halves_by_rating_and_the_last_has_the_bye() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", "Eve", plan=SWISS).begin()
    pairs = arena.pair()
    assert [set(pair.players) for pair in pairs] == [{"ann", "cat"}, {"ben", "dan"}]
    assert tables(arena)[-1].players == ("eve", None)
    assert dict(arena.table())["eve"] == 2, "a bye is a point"


def test_a_round_starts_when_the_pause_after_the_last_result_is_over() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=SWISS).begin()
    one, other = arena.pair(after_ms=0)
    arena.end(one, None)
    assert arena.pair() == ()
    arena.end(other, None)
    assert arena.pair(after_ms=29_000) == ()
    assert len(arena.pair(after_ms=1_000)) == 2


def test_a_swiss_ends_after_its_last_round_and_its_table_has_tie_breaks() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=SWISS).begin()
    for _ in range(3):
        assert due(arena.tournament, arena.now_ms) == []
        play_round(arena, "ann")
    assert whom_to_pair(arena.tournament, set(), arena.now_ms + 60_000) is None
    close(arena)
    assert arena.table() == [("ann", 6), ("dan", 2), ("cat", 2), ("ben", 2)], "by performance at last"
    first, second, *_ = standings_of(arena.tournament)
    assert (first.points, first.buchholz, first.sonneborn_berger) == ((2, 2, 2), 6, 12)
    assert (second.buchholz, second.sonneborn_berger) == (10, 4)


def test_a_swiss_in_which_all_have_met_ends_early() -> None:
    arena = Arena("Ann", "Ben", plan=SWISS).begin()
    play_round(arena, "ann")
    assert arena.pair() == ()
    assert arena.tournament.status == "over"
    assert arena.table() == [("ann", 2), ("ben", 0)]


@pytest.mark.parametrize("plan", [SWISS, ROUND_ROBIN, KNOCKOUT])
@pytest.mark.parametrize("names", [(), ("Ann",)])
def test_a_tournament_without_two_players_ends(plan, names: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    arena = Arena(*names, plan=plan).begin()
    arena.pair()
    arena.store(*due(arena.tournament, arena.now_ms))
    assert arena.tournament.status == "over"
    assert [name for name, _ in arena.table()] == [name.lower() for name in names]


def test_a_late_entry_gets_half_a_point_until_half_of_the_rounds() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=replace(SWISS, rounds=4)).begin()
    play_round(arena)
    arena.store(*join(arena.tournament, candidate("Eve", 1000)))
    assert dict(arena.table())["eve"] == 1
    play_round(arena)
    arena.store(*join(arena.tournament, candidate("Fay", 1000)))
    assert standings_of(arena.tournament)[-1].points == (0, 1)
    assert len(arena.pair()) == 3
    assert refusal(lambda: join(arena.tournament, candidate("Gil", 1000))) is Code.NOT_ADMITTED


@pytest.mark.parametrize("returning", [False, True])
def test_a_player_who_comes_while_a_round_is_being_paired_is_in_it(returning: bool) -> None:
    """The answer is for other players, so the question is asked again."""
    arena = Arena("Ann", "Ben", "Cat", plan=SWISS).begin()
    if returning:
        arena.store(*join(arena.tournament, candidate("Dan", 1000)))
        arena.store(*leave(arena.tournament, DAN))
    asked = arena.tournament
    arena.store(*join(arena.tournament, candidate("Dan", 1000)))
    assert arena.pair(asked=asked) == ()
    assert len(arena.pair()) == 2


def test_who_withdraws_from_a_swiss_is_not_paired_and_may_return() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=replace(SWISS, rounds=5)).begin()
    play_round(arena)
    arena.store(*leave(arena.tournament, DAN))
    pairs = arena.pair()
    assert len(pairs) == 1
    assert "dan" not in pairs[0].players
    arena.end(pairs[0], None)
    assert next(each.points for each in standings_of(arena.tournament) if each.entrant.identity == DAN) == (1, 0)
    arena.store(*join(arena.tournament, candidate("Dan")))
    assert len(arena.pair()) == 2


@pytest.mark.parametrize("plan", [SWISS, ROUND_ROBIN])
def test_an_absent_player_forfeits_and_a_match_without_a_result_is_half_a_point(plan) -> None:  # type: ignore[no-untyped-def]
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=plan).begin()
    one, other = arena.pair()
    arena.store(Scored(one.match, (2, 1), 0, (), 0), Scored(other.match, None, 5))
    points = dict(arena.table())
    assert [points[identity] for identity in (*one.players, *other.players)] == [0, 2, 1, 1]
    assert [table.is_forfeit for table in tables(arena)] == [True, False]


def test_a_disqualified_player_has_lost_all_matches() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=SWISS).begin()
    play_round(arena, "ann", "ben")
    arena.store(*disqualify(arena.tournament, ANN, IdentityId("mod")))
    assert arena.table()[-1] == ("ann", 0)
    assert dict(arena.table())["cat"] == 2
    assert [(table.points, table.is_forfeit) for table in tables(arena)] == [((0, 2), True), ((0, 2), False)]


def test_the_next_round_starts_later_by_an_interruption() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=SWISS).begin()
    play_round(arena, "ann", "ben")
    arena.store(*halted(arena.tournament, 0, arena.now_ms, arena.now_ms + 600_000))
    assert arena.pair(after_ms=600_000 + 29_000) == ()
    assert len(arena.pair(after_ms=1_000)) == 2
    close_ms = arena.now_ms
    arena.store(Closed())
    assert halted(arena.tournament, 0, close_ms, close_ms + 1) == [], "it is over"


@settings(max_examples=30)
@given(st.sets(st.sampled_from([(one, other) for other in range(6) for one in range(other)]), max_size=3))
def test_players_of_a_swiss_who_are_kept_apart_do_not_meet(apart: set[tuple[int, int]]) -> None:
    names = [f"p{number}" for number in range(6)]
    arena = Arena(*names, plan=SWISS).begin()
    for one, other in apart:
        arena.store(*forbid(arena.tournament, (IdentityId(names[one]), IdentityId(names[other])), on=True))
    while arena.tournament.status != "over":
        pairs = arena.pair()
        if not pairs:
            break
        assert {frozenset(pair.players) for pair in pairs}.isdisjoint(arena.tournament.forbidden)
        for pair in pairs:
            arena.end(pair, min(pair.players))
    assert arena.tournament.rounds or len(apart) == 3
    assert arena.replayed() == arena.tournament


def test_who_is_kept_apart_counts_from_the_next_round_on_and_can_be_undone() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=SWISS).begin()
    asked = arena.tournament
    arena.store(*forbid(asked, (CAT, ANN), on=True))
    assert forbid(arena.tournament, (ANN, CAT), on=True) == []
    assert arena.pair(asked=asked) == (), "a round that was being paired is paired again"
    assert sorted(meetings(arena.pair())) == ["ann dan", "cat ben"]
    assert report_text_of(arena.tournament, lambda identity: Player(identity, identity)).endswith("XXP 1 3\n")
    arena.store(*forbid(arena.tournament, (CAT, ANN), on=False))
    assert arena.tournament.forbidden == frozenset()


@pytest.mark.parametrize(
    ("plan", "players", "code"),
    [
        (ROUND_ROBIN, (ANN, BEN), Code.BAD_TOURNAMENT),
        (SWISS, (ANN, ANN), Code.NOT_JOINED),
        (SWISS, (ANN, IdentityId("eve")), Code.NOT_JOINED),
    ],
)
def test_who_cannot_be_kept_apart_is_refused(
    plan: TournamentPlan, players: tuple[IdentityId, IdentityId], code: Code
) -> None:
    arena = Arena("Ann", "Ben", plan=plan)
    assert refusal(lambda: forbid(arena.tournament, players, on=True)) is code


def test_everybody_meets_everybody_in_a_round_robin() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=ROUND_ROBIN).begin()
    seen = []
    for _ in range(3):
        pairs = arena.pair()
        seen.append(meetings(pairs))
        for pair in pairs:
            arena.end(pair, min(pair.players))
    assert seen == [["ann dan", "ben cat"], ["dan cat", "ann ben"], ["ben dan", "cat ann"]]
    close(arena)
    assert arena.table() == [("ann", 6), ("ben", 4), ("cat", 2), ("dan", 0)]
    assert [each.sonneborn_berger for each in standings_of(arena.tournament)] == [12, 4, 0, 0]


def test_a_bye_of_a_round_robin_is_worth_nothing() -> None:
    arena = Arena("Ann", "Ben", "Cat", plan=ROUND_ROBIN).begin()
    for _ in range(3):
        play_round(arena)
    close(arena)
    assert {score for _, score in arena.table()} == {2}


def test_opponents_of_a_player_who_has_left_a_round_robin_win_without_a_match() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=replace(ROUND_ROBIN, double=True)).begin()
    play_round(arena)
    for player in (CAT, DAN):
        arena.store(*leave(arena.tournament, player))
    for _ in range(5):
        play_round(arena)
    close(arena)
    assert arena.table() == [("ann", 9), ("ben", 9), ("dan", 1), ("cat", 1)]
    assert [len(each.pairs) for each in arena.tournament.rounds] == [2, 0, 1, 0, 1, 0]


def test_nobody_joins_a_round_robin_or_a_knockout_that_has_begun() -> None:
    for plan in (ROUND_ROBIN, KNOCKOUT):
        arena = Arena("Ann", "Ben", plan=plan).begin()
        assert refusal(lambda arena=arena: join(arena.tournament, candidate("Cat"))) is Code.NOT_ADMITTED  # type: ignore[misc]


def test_the_best_seeds_of_a_knockout_have_the_byes_and_meet_last() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", "Eve", plan=KNOCKOUT).begin()
    (pair, other) = arena.pair()
    assert {frozenset(pair.players), frozenset(other.players)} == {frozenset((DAN, "eve")), frozenset((BEN, CAT))}
    for each in (pair, other):
        arena.end(each, min(each.players))
    play_round(arena, "ann")
    assert [each.is_out for each in standings_of(arena.tournament)] == [False, False, True, True, True]
    play_round(arena, "ann")
    close(arena)
    assert [name for name, _ in arena.table()] == ["ann", "ben", "cat", "dan", "eve"]
    final = tables(arena)[-1]
    assert (final.round, final.players, final.points) == (3, ("ann", "ben"), (2, 0))


def test_a_level_encounter_goes_on_with_exchanged_seats_and_faster_clocks() -> None:
    arena = Arena("Ann", "Ben", plan=replace(KNOCKOUT, best_of=2)).begin()
    seats, clocks = [], []
    for _ in range(5):
        (pair,) = arena.pair()
        seats.append(pair.players.index(ANN))
        clocks.append(kind_of(arena.tournament).clock_of(arena.tournament, pair))
        arena.end(pair, None)
    assert seats == [0, 1, 0, 1, 0]
    full, half, quarter = ClockSettings(180_000, 2_000), ClockSettings(90_000, 1_000), ClockSettings(45_000)
    assert clocks == [full, full, half, half, quarter]
    play_round(arena, "ben")
    close(arena)
    assert arena.table()[0] == ("ben", 2)


def test_who_has_left_a_knockout_loses_without_a_match() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=KNOCKOUT).begin()
    play_round(arena, "ann", "ben")
    arena.store(*leave(arena.tournament, ANN))
    assert arena.pair() == ()
    close(arena)
    assert [name for name, _ in arena.table()] == ["ben", "ann", "cat", "dan"]
    assert tables(arena)[-1].is_forfeit


def test_in_a_double_elimination_one_defeat_does_not_end_all() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", plan=replace(KNOCKOUT, double=True)).begin()
    play_round(arena, "dan", "ben")
    for _ in range(4):
        play_round(arena, "ann", "ben")
    close(arena)
    assert arena.table() == [("ann", 8), ("ben", 4), ("dan", 2), ("cat", 0)]
    assert {table.is_losers for table in tables(arena)} == {False, True}


def test_a_swiss_of_two_rounds_is_refused() -> None:
    assert refusal(lambda: require_plan(replace(SWISS, rounds=2), START_MS)) is Code.BAD_TOURNAMENT


kinds = st.sampled_from(
    [
        replace(SWISS, rounds=5),
        ROUND_ROBIN,
        replace(ROUND_ROBIN, double=True),
        KNOCKOUT,
        replace(KNOCKOUT, best_of=2),
        replace(KNOCKOUT, double=True),
    ]
)


@settings(max_examples=60, deadline=None)
@given(kinds, st.integers(2, 9), st.integers(0, 1_000_000))
def test_whatever_players_do_a_tournament_in_rounds_keeps_its_invariants(plan, count: int, seed: int) -> None:  # type: ignore[no-untyped-def]
    """Players win, draw, stay away, leave and return. Nobody is in a round twice, everybody who is there is accounted
    for in a Swiss and meets nobody twice, and the tournament ends; its events lead to the same again."""
    random = Random(seed)
    arena = Arena(*(f"P{number}" for number in range(count)), plan=plan).begin()
    for _ in range(200):
        arena.store(*due(arena.tournament, arena.now_ms))
        if arena.tournament.status == "over":
            break
        for entrant in [*arena.tournament.entrants.values()]:
            if random.random() < 0.1:
                change = join(arena.tournament, candidate(entrant.identity.title()))
                arena.store(*(change or leave(arena.tournament, entrant.identity)))
        for pair in arena.pair():
            ranks, absent = random.choice([((1, 2), None), ((2, 1), None), ((1, 1), None), ((2, 1), 0), (None, None)])
            arena.store(parse_event(encode_event(Scored(pair.match, ranks, 9, (), absent))))
        expect_rounds(arena, plan.kind)
    assert arena.tournament.status == "over"
    assert arena.replayed() == arena.tournament


def expect_rounds(arena: Arena, kind: TournamentKind) -> None:
    for each in arena.tournament.rounds:
        present = [identity for pair in each.pairs for identity in pair.players]
        present += [*each.byes, *(identity for pair in each.walkovers for identity in pair)]
        assert len(present) == len(set(present))
    if kind != "knockout":
        met = [
            frozenset(pair.players)
            for each in arena.tournament.rounds
            for pair in each.pairs
            if (scored := each.scored[pair.match]).absent is None and scored.ranks is not None
        ]
        times = 2 if arena.tournament.plan.double else 1
        assert all(met.count(each) <= times for each in met)
    active = {each.identity for each in arena.tournament.entrants.values() if not each.is_paused}
    assert len(standings_of(arena.tournament)) == len(arena.tournament.entrants)
    if kind == "swiss" and arena.tournament.status == "running" and arena.tournament.rounds:
        latest = arena.tournament.rounds[-1]
        assert active <= {identity for pair in latest.pairs for identity in pair.players} | {*latest.byes}
