"""What commands and the time lead to in an arena."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.protocol import ClockSettings, Code, IdentityId, MatchId, RatingRange, TournamentId, TournamentKind
from millrace.protocol.refusal import Refusal
from millrace.server.tournaments.decisions import (
    departures,
    digest_of,
    disqualify,
    due,
    halted,
    join,
    leave,
    require_plan,
    wave_of,
    whom_to_pair,
)
from millrace.server.tournaments.events import (
    Accepted,
    Announced,
    AnyEvent,
    Closed,
    Disqualified,
    Pair,
    PlayerPaused,
    Scored,
    WavePaired,
    Withdrawn,
    encode_event,
    parse_event,
)
from millrace.server.tournaments.kinds.arena import wave_ms
from millrace.server.tournaments.tournament import after
from tests.server.tournaments.arenas import PLAN, START_MS, Arena, candidate

ANN, BEN = IdentityId("ann"), IdentityId("ben")
MINUTE_MS = 60_000


def refusal(decide: Callable[[], object]) -> Code:
    with pytest.raises(Refusal) as refused:
        decide()
    return refused.value.code


def test_wins_draws_and_streaks_make_the_standings() -> None:
    arena = Arena("Ann", "Ben").begin()
    arena.play("ann", "ann", None, "ben")
    assert arena.table() == [("ann", 6), ("ben", 3)]
    assert not arena.tournament.entrants[ANN].is_on_fire


@pytest.mark.parametrize(
    "event", [Withdrawn(ANN), PlayerPaused(ANN), Disqualified(ANN, BEN), Accepted(ANN, on=True)], ids=type
)
def test_what_was_stored_just_after_an_account_was_deleted_changes_nothing(event: AnyEvent) -> None:
    arena = Arena("Ben")
    before = arena.tournament.entrants
    arena.store(event)
    assert arena.tournament.entrants == before


def test_two_wins_light_the_fire() -> None:
    arena = Arena("Ann", "Ben").begin()
    arena.play("ann")
    assert not arena.tournament.entrants[ANN].is_on_fire
    arena.play("ann")
    assert arena.tournament.entrants[ANN].is_on_fire


def test_ties_are_broken_by_performance() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan").begin()
    for pair in arena.pair():
        arena.end(pair, "ben" if "ann" in pair.players else "dan")
    scores = arena.table()
    assert scores[0][1] == scores[1][1] == 2
    assert scores[0][0] == "ben", "who has beaten the best"


def test_a_player_joins_once_pauses_and_returns() -> None:
    arena = Arena("Ann", "Ben")
    assert join(arena.tournament, candidate("Ann")) == []
    arena.begin()
    arena.store(*leave(arena.tournament, ANN))
    assert leave(arena.tournament, ANN) == []
    assert arena.pair() == ()
    arena.store(*join(arena.tournament, candidate("Ann")))
    assert len(arena.pair()) == 1


def test_before_the_start_a_player_withdraws() -> None:
    arena = Arena("Ann", "Ben")
    assert leave(arena.tournament, ANN) == [Withdrawn(ANN)]
    arena.store(Withdrawn(ANN))
    assert list(arena.tournament.entrants) == [BEN]
    assert leave(arena.tournament, ANN) == []


def test_a_player_may_join_late() -> None:
    arena = Arena("Ann", "Ben").begin()
    arena.play("ann")
    arena.store(*join(arena.tournament, candidate("Cat")))
    assert arena.table()[-1] == ("cat", 0)


def test_who_is_away_is_not_paired() -> None:
    assert Arena("Ann", "Ben").begin().pair(away=("ben",)) == ()


def test_a_wave_waits_unless_nobody_plays() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan").begin()
    one, other = arena.pair()
    arena.end(one, None)
    arena.store(*join(arena.tournament, candidate("Eve")))
    assert arena.pair(after_ms=3_000) == (), "some still play, and the next wave is not due"
    arena.end(other, None)
    assert len(arena.pair(after_ms=3_000)) == 2, "everybody waits"


def test_waves_are_a_tenth_of_a_match_apart_within_bounds() -> None:
    assert wave_ms(ClockSettings(60_000)) == 11_100
    assert wave_ms(ClockSettings(1_000)) == 8_000
    assert wave_ms(ClockSettings(3_600_000)) == 50_000


def test_a_wave_is_void_if_a_player_has_left_meanwhile() -> None:
    arena = Arena("Ann", "Ben").begin()
    arena.now_ms += MINUTE_MS
    asked = arena.tournament
    question = whom_to_pair(asked, {ANN, BEN}, arena.now_ms)
    assert question is not None
    wave = question.answer(*question.arguments)
    arena.store(PlayerPaused(ANN))
    assert wave_of(asked, arena.tournament, wave, iter([MatchId("m")]), 0) == []


@pytest.mark.parametrize("kind", ["arena", "swiss", "round_robin", "knockout"])
def test_players_whose_account_is_banned_or_deleted_are_not_paired(kind: TournamentKind) -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan", "Eve", plan=replace(PLAN, kind=kind, rounds=3))
    arena.store(*departures(arena.tournament, lambda each: each == "dan"))
    assert [*arena.tournament.entrants] == ["ann", "ben", "cat", "eve"], "who leaves before the start has withdrawn"
    arena.begin().store(*departures(arena.tournament, lambda each: each == "eve"))
    assert arena.tournament.entrants[IdentityId("eve")].is_paused
    assert all("eve" not in pair.players for pair in arena.pair())
    arena.store(Closed())
    assert departures(arena.tournament, lambda _: True) == []


def test_a_wave_is_void_if_an_account_was_deleted_meanwhile() -> None:
    arena = Arena("Ann", "Ben").begin()
    asked = arena.tournament
    entrants = {identity: entrant for identity, entrant in asked.entrants.items() if identity != "ben"}
    arena.tournament = replace(asked, entrants=entrants)
    assert arena.pair(asked=asked) == ()


def test_tables_are_numbered_by_the_best_rank_and_used_again() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan").begin()
    first, second = arena.pair()
    assert (first.table, second.table) == (1, 2)
    assert "ann" in first.players
    arena.end(first, None)
    arena.end(second, None)
    assert {pair.table for pair in arena.pair()} == {1, 2}


def test_matches_that_run_at_the_end_do_not_count() -> None:
    arena = Arena("Ann", "Ben").begin()
    (pair,) = arena.pair()
    assert due(arena.tournament, arena.tournament.ends_at_ms - 1) == []
    assert due(arena.tournament, arena.tournament.ends_at_ms) == [Closed()]
    arena.store(Closed())
    assert arena.tournament.status == "over"
    assert arena.tournament.pairs == {}
    assert arena.tournament.entrants[pair.players[0]].match is None
    assert arena.table() == [("ann", 0), ("ben", 0)]
    assert refusal(lambda: join(arena.tournament, candidate("Cat"))) is Code.TOURNAMENT_OVER


def test_a_disqualified_player_leaves_the_standings_and_all_results() -> None:
    arena = Arena("Ann", "Ben", "Cat", "Dan").begin()
    for pair in arena.pair():
        arena.end(pair, pair.players[0])
    scores = dict(arena.table())
    loser = next(IdentityId(identity) for identity, score in scores.items() if score == 2)
    opponent = arena.tournament.entrants[loser].opponents[0]
    arena.store(*disqualify(arena.tournament, opponent, IdentityId("mod")))
    assert dict(arena.table())[loser] == 0
    assert arena.table()[-1][0] == opponent
    assert refusal(lambda: join(arena.tournament, candidate(opponent.title()))) is Code.NOT_ADMITTED


@pytest.mark.parametrize(
    ("plan", "who", "code"),
    [
        (replace(PLAN, ratings=RatingRange(1000, 1400)), candidate("Ann", 1500), Code.NOT_ADMITTED),
        (replace(PLAN, least_matches=5), candidate("Ann", matches=4), Code.NOT_ADMITTED),
        (PLAN, candidate("Bot", bot=True), Code.NOT_FOR_BOTS),
    ],
)
def test_who_may_not_join_is_told_why(plan, who, code: Code) -> None:  # type: ignore[no-untyped-def]
    assert refusal(lambda: join(Arena(plan=plan).tournament, who)) is code


def test_a_private_arena_asks_for_its_password_once() -> None:
    arena = Arena(password=digest_of(TournamentId("t"), "abracadabra"))
    assert refusal(lambda: join(arena.tournament, candidate("Ann", password="open"))) is Code.NOT_ADMITTED
    arena.store(*join(arena.tournament, candidate("Ann", password="abracadabra")))
    arena.begin()
    arena.store(*leave(arena.tournament, ANN))
    assert join(arena.tournament, candidate("Ann")), "who was admitted may come back"


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (replace(PLAN, name="Open\n001    1 Ann"), Code.BAD_TEXT),
        (replace(PLAN, name="  "), Code.BAD_TOURNAMENT),
        (replace(PLAN, minutes=19), Code.BAD_TOURNAMENT),
        (replace(PLAN, minutes=20, clock=ClockSettings(600_000)), Code.BAD_TOURNAMENT),
        (replace(PLAN, minutes=720, clock=ClockSettings(30_000)), Code.BAD_TOURNAMENT),
        (replace(PLAN, ratings=RatingRange(1501, 1500)), Code.BAD_TOURNAMENT),
        (replace(PLAN, starts_at_ms=START_MS - 3_600_000), Code.BAD_TOURNAMENT),
        (replace(PLAN, starts_at_ms=START_MS + 90 * 86_400_000), Code.BAD_TOURNAMENT),
        (replace(PLAN, clock=ClockSettings(86_400_000, renews=True)), Code.BAD_CLOCK),
        (replace(PLAN, clock=ClockSettings(10)), Code.BAD_CLOCK),
        (replace(PLAN, game="go"), Code.UNKNOWN_GAME),
        (replace(PLAN, game="battlesheep", setup="seats=3"), Code.BAD_SETUP),
        (replace(PLAN, setup="WWW..................... w 6 9"), Code.BAD_SETUP),
    ],
)
def test_an_arena_that_cannot_be_played_is_refused(plan, code: Code) -> None:  # type: ignore[no-untyped-def]
    assert refusal(lambda: require_plan(plan, START_MS)) is code


@pytest.mark.parametrize("game", ["morris", "mingmang", "battlesheep"])
def test_every_game_can_have_arenas(game: str) -> None:
    require_plan(replace(PLAN, game=game), START_MS)


def test_events_from_before_rounds_are_read() -> None:
    event = parse_event('{"type":"paired","pairs":[["m",["ann","ben"],1]]}')
    assert event == WavePaired((Pair(MatchId("m"), (ANN, BEN), 1),))
    plan = '{"name":"Old","game":"morris","clock":{"initial_ms":60000},"starts_at_ms":0,"minutes":60}'
    old = parse_event(f'{{"type":"announced","by":"ann","plan":{plan}}}')
    assert isinstance(old, Announced)
    assert (old.plan.kind, old.plan.minutes) == ("arena", 60)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30), st.integers(1, 3)), max_size=5))
def test_an_arena_ends_later_by_what_was_interrupted_after_its_start(found: list[tuple[int, int, int]]) -> None:
    """Each interruption has a pause before it, a length, and a number of nodes that tell of it."""
    arena = Arena("Ann", "Ben").begin()
    until_ms, still_ms = START_MS - 30 * MINUTE_MS, 0
    for pause, length, nodes in found:
        since_ms = until_ms + MINUTE_MS * pause
        until_ms = since_ms + MINUTE_MS * length
        still_ms += max(0, until_ms - max(since_ms, START_MS))
        for _ in range(nodes):
            arena.store(*halted(arena.tournament, 0, since_ms, until_ms))
    assert due(arena.tournament, START_MS + 60 * MINUTE_MS + still_ms - 1) == []
    assert due(arena.tournament, START_MS + 60 * MINUTE_MS + still_ms) == [Closed()]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("jlwdxp")), max_size=60))
def test_whatever_happens_the_fold_keeps_its_invariants(steps: list[tuple[int, str]]) -> None:
    """Players join, leave, meet and end matches in any order; nobody plays twice at once, no result is lost, and the
    stored events lead to the same tournament."""
    arena = Arena("P0", "P1").begin()
    scored = 0
    for number, step in steps:
        identity = IdentityId(f"p{number}")
        if step == "j":
            arena.store(*join(arena.tournament, candidate(f"P{number}")))
        elif step == "l" and identity in arena.tournament.entrants:
            arena.store(*leave(arena.tournament, identity))
        elif step == "p":
            arena.pair()
        elif arena.tournament.pairs and step in "wdx":
            pair = list(arena.tournament.pairs.values())[number % len(arena.tournament.pairs)]
            absent = 0 if step == "x" else None
            ranks = (1, 1) if step == "d" else (2, 1) if absent == 0 else (1, 2)
            event = Scored(pair.match, ranks, 40, (), absent)
            arena.store(parse_event(encode_event(event)))
            scored += 1
        playing = [identity for pair in arena.tournament.pairs.values() for identity in pair.players]
        assert len(playing) == len(set(playing))
        for entrant in arena.tournament.entrants.values():
            assert (entrant.identity in playing) == (entrant.match is not None)
            assert entrant.score == sum(entrant.points)
    assert sum(len(entrant.games) for entrant in arena.tournament.entrants.values()) == 2 * scored
    assert after(arena.tournament, []) == arena.tournament
