"""Simultaneous exhibitions: applying, accepting, the start, the seats, the results and the clocks."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.protocol import (
    ClockSettings,
    Code,
    Created,
    IdentityId,
    MatchId,
    NotificationKind,
    Player,
    SeatPlan,
    Started,
    TimeGiven,
    TournamentId,
)
from millrace.protocol.refusal import Refusal
from millrace.server.matches.creation import open_tournament_match
from millrace.server.matches.fold import apply_next
from millrace.server.matches.match import Match
from millrace.server.tournaments.decisions import departures, disqualify, due, join, leave, require_plan
from millrace.server.tournaments.events import Accepted, Begun, Closed, Opened, Pair, encode_event, parse_event
from millrace.server.tournaments.kinds.all_kinds import kind_of, standings_of
from millrace.server.tournaments.kinds.simul import MOST_BOARDS, UNSTARTED_MS, accept, start
from millrace.server.tournaments.tournament_notices import notices_of
from tests.server.tournaments.arenas import PLAN, START_MS, Arena, candidate, player

SIMUL = replace(PLAN, kind="simul", minutes=0, rated=False, extra_minutes=20)
HOST = IdentityId("organiser")


def refusal(decide: Callable[[], object]) -> Code:
    with pytest.raises(Refusal) as refused:
        decide()
    return refused.value.code


def simul(*names: str, accepted: tuple[str, ...] = (), host_seat: str = "alternating") -> Arena:
    """Return a simul to which players have applied, and whose host has accepted some of them."""
    arena = Arena(*names, plan=replace(SIMUL, host_seat=host_seat))
    for name in accepted:
        arena.store(*accept(arena.tournament, IdentityId(name.lower()), on=True))
    return arena


def begun(*names: str, host_seat: str = "alternating") -> tuple[Arena, tuple[Pair, ...]]:
    """Return a simul that has begun, with its pairs."""
    arena = simul(*names, accepted=names, host_seat=host_seat)
    arena.store(*start(arena.tournament))
    return arena, arena.pair(after_ms=0)


def rows(arena: Arena) -> list[tuple[str, bool, int, tuple[int, ...]]]:
    return [
        (row.entrant.identity, row.entrant.is_accepted, row.score, row.points) for row in standings_of(arena.tournament)
    ]


def test_the_host_plays_those_who_are_accepted_at_the_start() -> None:
    arena = simul("Ann", "Ben", "Cat", "Dan", accepted=("Ann", "Cat", "Dan"))
    arena.store(*accept(arena.tournament, IdentityId("dan"), on=False))
    arena.store(*start(arena.tournament))
    pairs = arena.pair(after_ms=0)
    assert [pair.players for pair in pairs] == [(HOST, "ann"), ("cat", HOST)]
    assert [pair.table for pair in pairs] == [1, 2]
    assert arena.pair() == (), "all begin at once"


@pytest.mark.parametrize(
    ("host_seat", "seats"), [("first", [0, 0, 0]), ("second", [1, 1, 1]), ("alternating", [0, 1, 0])]
)
def test_the_host_has_the_seat_that_was_announced(host_seat: str, seats: list[int]) -> None:
    _, pairs = begun("Ann", "Ben", "Cat", host_seat=host_seat)
    assert [pair.players.index(HOST) for pair in pairs] == seats


def test_players_are_ordered_by_what_they_scored_against_the_host() -> None:
    arena, (ann, ben, cat) = begun("Ann", "Ben", "Cat")
    arena.end(ann, HOST)
    arena.end(ben, None)
    assert due(arena.tournament, arena.now_ms) == []
    arena.end(cat, "cat")
    assert rows(arena) == [("cat", True, 2, (2,)), ("ben", True, 1, (1,)), ("ann", True, 0, (0,))]
    tables = kind_of(arena.tournament).tables(arena.tournament)
    assert [table.points for table in tables] == [(2, 0), (1, 1), (0, 2)]
    assert due(arena.tournament, arena.now_ms) == [Closed()], "with the last match, without waiting"
    arena.store(Closed())
    assert arena.replayed() == arena.tournament


def test_a_simul_waits_for_its_host_and_is_called_off_after_an_hour() -> None:
    arena = simul("Ann", accepted=("Ann",))
    assert due(arena.tournament, START_MS + UNSTARTED_MS - 1) == []
    assert due(arena.tournament, START_MS + UNSTARTED_MS) == [Closed()]
    arena.store(*start(arena.tournament))
    assert start(arena.tournament) == []
    assert due(arena.tournament, START_MS + UNSTARTED_MS) == []


def test_the_host_is_no_player_and_calls_the_simul_off_by_leaving() -> None:
    arena = simul("Ann", accepted=("Ann",))
    host = candidate("Organiser")
    assert refusal(lambda: join(arena.tournament, host)) is Code.NOT_ADMITTED
    assert leave(arena.tournament, HOST) == [Closed()]
    arena.store(*start(arena.tournament))
    assert leave(arena.tournament, HOST) == []
    assert refusal(lambda: join(arena.tournament, candidate("Ben"))) is Code.NOT_ADMITTED


def test_who_has_withdrawn_must_be_accepted_again() -> None:
    arena = simul("Ann", "Ben", accepted=("Ann", "Ben"))
    ann = IdentityId("ann")
    arena.store(*leave(arena.tournament, ann))
    assert refusal(lambda: accept(arena.tournament, ann, on=True)) is Code.NOT_JOINED
    arena.store(*join(arena.tournament, candidate("Ann")))
    arena.store(*start(arena.tournament))
    assert [pair.players for pair in arena.pair(after_ms=0)] == [(HOST, "ben")]


def test_a_disqualified_player_is_not_played() -> None:
    arena = simul("Ann", "Ben", accepted=("Ann", "Ben"))
    arena.store(*disqualify(arena.tournament, IdentityId("ann"), IdentityId("moderator")))
    arena.store(*start(arena.tournament))
    assert [pair.players for pair in arena.pair(after_ms=0)] == [(HOST, "ben")]


def test_players_whose_account_is_banned_or_deleted_are_not_played() -> None:
    arena = simul("Ann", "Ben", "Cat", accepted=("Ann", "Ben", "Cat"))
    arena.store(*departures(arena.tournament, lambda each: each == "ann"))
    arena.store(*start(arena.tournament))
    arena.store(*departures(arena.tournament, lambda each: each in ("ann", "cat")))
    assert [pair.players for pair in arena.pair(after_ms=0)] == [(HOST, "ben")]
    assert departures(arena.tournament, lambda each: each == "cat") == [], "nobody leaves twice"


def test_a_simul_whose_host_is_banned_or_deleted_is_called_off_until_its_boards_are_there() -> None:
    def has_gone(identity: IdentityId) -> bool:
        return identity == HOST

    arena = simul("Ann", accepted=("Ann",))
    assert departures(arena.tournament, has_gone) == [Closed()]
    arena.store(*start(arena.tournament))
    assert departures(arena.tournament, has_gone) == [Closed()]
    arena.pair(after_ms=0)
    assert departures(arena.tournament, has_gone) == []
    arena.store(Closed())
    assert departures(arena.tournament, lambda _: True) == []


def test_the_host_has_won_against_a_disqualified_player() -> None:
    arena, (one, other) = begun("Ann", "Ben")
    for pair, winner in ((one, "ann"), (other, "ben")):
        arena.end(pair, winner)
    arena.store(*disqualify(arena.tournament, IdentityId("ann"), IdentityId("moderator")))
    assert rows(arena) == [("ben", True, 2, (2,)), ("ann", True, 0, (0,))]
    tables = kind_of(arena.tournament).tables(arena.tournament)
    assert [(table.points, table.is_forfeit) for table in tables] == [((2, 0), True), ((2, 0), False)]


def test_disqualifying_the_host_calls_the_simul_off() -> None:
    arena, _ = begun("Ann")
    arena.store(*disqualify(arena.tournament, HOST, IdentityId("moderator")))
    assert arena.tournament.status == "over"
    assert refusal(lambda: disqualify(arena.tournament, HOST, IdentityId("moderator"))) is Code.TOURNAMENT_OVER


def test_what_cannot_be_done_is_refused() -> None:
    names = tuple(f"Player{number}" for number in range(MOST_BOARDS + 1))
    arena = simul(*names)
    assert refusal(lambda: start(arena.tournament)) is Code.BAD_TOURNAMENT
    arena = simul(*names, accepted=names[:-1])
    last = IdentityId(names[-1].lower())
    assert refusal(lambda: accept(arena.tournament, last, on=True)) is Code.BAD_TOURNAMENT
    arena.store(*start(arena.tournament))
    assert len(arena.pair(after_ms=0)) == MOST_BOARDS
    assert refusal(lambda: accept(arena.tournament, last, on=True)) is Code.ALREADY_STARTED
    assert accept(arena.tournament, last, on=False) == [], "a repetition changes nothing"
    assert refusal(lambda: accept(Arena("Ann").tournament, IdentityId("ann"), on=True)) is Code.BAD_TOURNAMENT
    arena.store(Closed())
    assert refusal(lambda: start(arena.tournament)) is Code.TOURNAMENT_OVER


def test_a_simul_is_casual() -> None:
    require_plan(SIMUL, START_MS)
    assert refusal(lambda: require_plan(replace(SIMUL, rated=True), START_MS)) is Code.BAD_TOURNAMENT


def test_players_are_notified_when_accepted_and_when_their_match_begins() -> None:
    arena = simul("Ann", "Ben")

    def notices(*events: Accepted | Begun | Opened) -> list[tuple[list[str], NotificationKind, str]]:
        def player_of(identity: IdentityId) -> Player:
            return player(identity, bot=identity == "ben")

        found = notices_of(arena.tournament, events, START_MS, player_of)
        return [([*players], notice.kind, notice.subject) for players, notice in found]

    ann, ben = IdentityId("ann"), IdentityId("ben")
    accepted = Accepted(ann, True), Accepted(ben, True)
    assert notices(*accepted, Accepted(ann, False)) == [
        (["ann"], NotificationKind.SIMUL_ACCEPTED, "t"),
        ([], NotificationKind.SIMUL_ACCEPTED, "t"),
    ]
    arena.store(*accepted)
    arena.store(*start(arena.tournament))
    one, other = (pair.match for pair in arena.pair(after_ms=0))
    assert notices(Opened((one, other))) == [
        (["ann"], NotificationKind.SIMUL_STARTED, one),
        ([], NotificationKind.SIMUL_STARTED, other),
    ]


@pytest.mark.parametrize("host", [0, 1])
@pytest.mark.parametrize("periods", [0, 3])
def test_the_host_begins_with_more_time_and_the_clock_runs_at_once(host: int, periods: int) -> None:
    clock = ClockSettings(300_000, periods=periods, period_ms=10_000 if periods else 0)
    created = Created("morris", "", (SeatPlan("open"),) * 2, clock, tournament=TournamentId("t"), host=host)
    events = open_tournament_match(created, [player("Ann"), player("Ben")], START_MS, host_extra_ms=600_000)
    assert events[-2:] == [Started(None), TimeGiven(1 - host, (host,), 600_000)]
    match = Match.of(MatchId("m"), created)
    for event in events[1:]:
        match = apply_next(match, event, START_MS)
    assert match.clock is not None
    left_ms = [face.left_ms for face in (match.clock.face(seat, START_MS + 1_000) for seat in (0, 1))]
    expected_ms = [300_000, 300_000]
    expected_ms[host] += 600_000
    expected_ms[0] -= 1_000
    assert left_ms == expected_ms
    assert open_tournament_match(created, [player("Ann"), player("Ben")], START_MS)[-1] == Started(None)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["join", "leave", "accept", "remove"]))))
def test_the_boards_are_those_who_were_accepted_last_and_have_not_left(steps: list[tuple[str, str]]) -> None:
    arena = Arena(plan=SIMUL)
    joined, accepted = set[str](), set[str]()
    for name, step in steps:
        identity = IdentityId(name)
        if step == "join":
            arena.store(*join(arena.tournament, candidate(name)))
            joined.add(name)
        elif step == "leave":
            arena.store(*leave(arena.tournament, identity))
            joined.discard(name)
            accepted.discard(name)
        elif name in joined:
            arena.store(*accept(arena.tournament, identity, on=step == "accept"))
            (accepted.add if step == "accept" else accepted.discard)(name)
    assert arena.replayed() == arena.tournament
    if not accepted:
        assert refusal(lambda: start(arena.tournament)) is Code.BAD_TOURNAMENT
        return
    arena.store(*start(arena.tournament))
    pairs = arena.pair(after_ms=0)
    assert {identity for pair in pairs for identity in pair.players} == accepted | {HOST}
    assert len(pairs) == len(accepted)
    for pair in pairs:
        arena.end(pair, HOST)
    assert due(arena.tournament, arena.now_ms) == [Closed()]
    assert arena.replayed() == arena.tournament


def test_an_acceptance_is_stored_as_it_was() -> None:
    event = Accepted(IdentityId("ann"), False)
    assert parse_event(encode_event(event)) == event
