"""Ladders as values: what commands and results lead to."""

from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from millrace.protocol import Code, IdentityId, MatchId, NotificationKind, Termination
from millrace.protocol.refusal import Refusal
from millrace.server.tournaments.ladders.ladder import (
    CLOCK,
    all_ladders,
    decide_departures,
    decide_join,
    decide_leave,
    decide_settlement,
    with_replacement,
)
from millrace.server.tournaments.ladders.ladder_events import LadderSettled, encode_event, parse_event
from millrace.server.tournaments.ladders.ladder_rules import REST_MS, most_incoming
from millrace.server.tournaments.ladders.ladder_views import notices_of, view_of
from tests.server.tournaments.ladders.climbing import MORRIS, OF_BOTS, START_MS, Climb, ended_match, player

ANN, BEN, CEM = map(IdentityId, "abc")


def changes(climb: Climb) -> list[tuple[str, str, int]]:
    return [(change.kind, change.identity, change.place) for change in climb.ladder.changes]


def test_each_game_has_a_ladder_for_people_and_one_for_bots() -> None:
    assert {"ladder-morris", "ladder-morris-bots", "ladder-mingmang", "ladder-battlesheep-bots"} <= all_ladders().keys()
    assert (MORRIS.game, MORRIS.bots, OF_BOTS.bots) == ("morris", False, True)


def test_people_and_bots_have_their_own_ladders() -> None:
    with pytest.raises(Refusal) as refused:
        decide_join(MORRIS, player("bot", bot=True))
    assert refused.value.code is Code.NOT_FOR_BOTS
    with pytest.raises(Refusal) as refused:
        decide_join(OF_BOTS, player("ann"))
    assert refused.value.code is Code.NOT_ADMITTED
    assert decide_join(OF_BOTS, player("bot", bot=True))


def test_joining_and_leaving_twice_changes_nothing() -> None:
    climb = Climb("a", "b")
    assert decide_join(climb.ladder, player("a")) == []
    climb.store(*decide_leave(climb.ladder, ANN))
    assert decide_leave(climb.ladder, ANN) == []
    assert climb.names == "b"
    assert changes(climb)[0] == ("left", "a", 1)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_challenger_who_wins_takes_the_place_above_the_loser(seat: int) -> None:
    climb = Climb(*"abcd")
    match = climb.challenge("d", "b", seat)
    climb.end(match, seat)
    assert climb.names == "adbc"
    assert changes(climb)[0] == ("won", "d", 2)
    assert climb.ladder.challenges == {}


@pytest.mark.parametrize("winner_seat", [None, 1])
def test_a_draw_and_a_defended_place_change_nothing(winner_seat: int | None) -> None:
    climb = Climb(*"abcd")
    climb.end(climb.challenge("d", "b"), winner_seat)
    assert climb.names == "abcd"


def test_who_loses_on_time_drops_out() -> None:
    climb = Climb(*"abcd")
    climb.end(climb.challenge("d", "b"), 0, Termination.TIME)
    assert climb.names == "adc"
    assert changes(climb)[:2] == [("timed_out", "b", 2), ("won", "d", 2)]
    climb.end(climb.challenge("c", "a"), 1, Termination.TIME)
    assert climb.names == "ad"


def test_a_result_counts_once() -> None:
    climb = Climb(*"abcd")
    match = climb.challenge("d", "b")
    climb.end(match, 0)
    assert decide_settlement(climb.ladder, ended_match(match, 0)) == []
    assert decide_settlement(climb.ladder, ended_match(MatchId("another"), 0)) == []


def test_a_match_in_progress_settles_nothing() -> None:
    climb = Climb(*"ab")
    match = climb.challenge("b", "a")

    assert decide_settlement(climb.ladder, replace(ended_match(match, 0), ended=None)) == []


def test_a_void_result_moves_nobody() -> None:

    climb = Climb(*"ab")
    match = climb.challenge("b", "a")
    climb.store(*decide_settlement(climb.ladder, replace(ended_match(match, 0), is_void=True)))
    assert climb.names == "ab"
    assert climb.ladder.challenges == {}


def test_matches_of_players_who_have_left_move_nobody() -> None:
    climb = Climb(*"abc")
    match = climb.challenge("c", "a")
    climb.store(*decide_leave(climb.ladder, ANN))
    climb.end(match, 0)
    assert climb.names == "bc"


def test_players_without_an_account_leave() -> None:
    climb = Climb(*"abc")
    climb.store(*decide_departures(climb.ladder, lambda identity: identity in (ANN, CEM)))
    assert climb.names == "b"
    assert decide_departures(climb.ladder, lambda _: False) == []


def test_a_winner_of_several_matches_climbs_from_where_the_last_one_led() -> None:
    climb = Climb(*"abcdef")
    first, second = climb.challenge("f", "c"), climb.challenge("f", "a")
    climb.end(second, 0)
    climb.end(first, 0)
    assert climb.names == "fabcde"


def test_players_who_have_met_do_not_meet_within_seven_days() -> None:
    climb = Climb(*"ab")
    climb.end(climb.challenge("b", "a"), None)
    climb.now_ms += REST_MS - 1
    with pytest.raises(Refusal) as refused:
        climb.challenge("b", "a")
    assert refused.value.code is Code.MET_RECENTLY
    climb.now_ms += 1
    climb.challenge("b", "a")


def test_a_rating_opens_places_further_up() -> None:
    names = [chr(ord("a") + index) for index in range(26)]
    with pytest.raises(Refusal) as refused:
        Climb(*names).challenge("z", "a")
    assert refused.value.code is Code.TOO_FAR_ABOVE
    Climb(*names, points={"z": 1800}).challenge("z", "a")


def test_a_page_says_for_each_place_whether_the_reader_may_challenge_and_why_not() -> None:
    climb = Climb(*"abcd")
    match = climb.challenge("c", "a")
    view = view_of(climb.ladder, None, CEM, climb.rating_of, lambda identity: player(identity), START_MS)
    assert (view.summary.you, view.highest, view.clock) == (3, 1, CLOCK)
    assert [each.match for each in view.yours] == [match]
    assert [(row.place, row.challengeable, row.objection is None) for row in view.places] == [
        (1, False, False),
        (2, True, True),
        (3, False, True),
        (4, False, False),
    ]
    objection = view.places[0].objection
    assert objection is not None
    assert objection.message == "You are playing each other on this ladder."
    assert view.places[0].challenges == 1


def test_the_page_of_a_reader_is_the_one_with_their_place() -> None:
    climb = Climb(*(f"p{number}" for number in range(120)))
    pages = {
        name: view_of(climb.ladder, None, IdentityId(name), climb.rating_of, player, START_MS)
        for name in ("p0", "p119", "nobody")
    }
    assert [(view.page, view.places[0].place) for view in pages.values()] == [(0, 1), (2, 101), (0, 1)]


def test_both_players_hear_of_a_place_won_and_lost() -> None:
    climb = Climb(*"abc")
    before = climb.ladder
    match = climb.challenge("c", "a")
    ((to, notice),) = notices_of(before, climb.ladder, [climb.events[-1][0]], START_MS, player)
    assert (to, notice.kind, notice.match) == (ANN, NotificationKind.LADDER_CHALLENGED, match)
    before = climb.ladder
    climb.end(match, 0, Termination.TIME)
    notices = list(notices_of(before, climb.ladder, [climb.events[-1][0]], START_MS, player))
    assert [(to, notice.subject, notice.explanation) for to, notice in notices] == [
        (CEM, "ladder-morris", "1"),
        (ANN, "ladder-morris", ""),
    ]


def test_a_replaced_identity_is_the_one_that_replaced_events_lead_to() -> None:
    climb, other = Climb(*"abc"), Climb(*"xbc")
    for each, name in ((climb, "a"), (other, "x")):
        each.end(each.challenge("c", name), 0, Termination.TIME)
        each.store(*decide_join(each.ladder, player(name)))
        each.challenge(name, "b")
        each.end(each.challenge("b", "c"), 1)
    assert with_replacement(climb.ladder, ANN, IdentityId("x")) == other.ladder


class LadderMachine(RuleBasedStateMachine):
    """Players who join, leave, challenge and play in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.climb = Climb()
        self.settled: set[MatchId] = set()

    names = st.sampled_from("abcdefghijkl")

    @rule(name=names)
    def join(self, name: str) -> None:
        self.climb.store(*decide_join(self.climb.ladder, player(name)))

    @rule(name=names)
    def leave(self, name: str) -> None:
        self.climb.store(*decide_leave(self.climb.ladder, IdentityId(name)))

    @rule(challenger=names, challenged=names, seat=st.integers(0, 1))
    def challenge(self, challenger: str, challenged: str, seat: int) -> None:
        with suppress(Refusal):
            self.climb.challenge(challenger, challenged, seat)
            place = self.climb.ladder.place_of(IdentityId(challenged))
            assert place is not None
            incoming = [each for each in self.climb.ladder.challenges.values() if each.challenged == challenged]
            assert len(incoming) <= most_incoming(place)

    @precondition(lambda self: self.climb.ladder.challenges)
    @rule(
        data=st.data(),
        winner_seat=st.sampled_from([0, 1, None]),
        reason=st.sampled_from([Termination.TIME, Termination.RESIGNATION]),
    )
    def end(self, data: st.DataObject, winner_seat: int | None, reason: Termination) -> None:
        match = data.draw(st.sampled_from(sorted(self.climb.ladder.challenges)))
        self.climb.end(match, winner_seat, reason)
        self.settled.add(match)

    @rule(days=st.integers(1, 8))
    def wait(self, days: int) -> None:
        self.climb.now_ms += days * 86_400_000

    @invariant()
    def places_are_unique(self) -> None:
        assert len(set(self.climb.ladder.places)) == len(self.climb.ladder.places)

    @invariant()
    def two_players_have_one_match(self) -> None:
        pairs = [each.pair for each in self.climb.ladder.challenges.values()]
        assert len(set(pairs)) == len(pairs)
        assert all(len(pair) == 2 for pair in pairs)

    @invariant()
    def each_result_counts_once(self) -> None:
        counted = [event.match for event, _ in self.climb.events if isinstance(event, LadderSettled)]
        assert sorted(counted) == sorted(self.settled)
        assert not self.settled & self.climb.ladder.challenges.keys()

    @invariant()
    def the_stored_events_lead_to_the_same_ladder(self) -> None:
        assert self.climb.replayed() == self.climb.ladder
        assert all(parse_event(encode_event(event)) == event for event, _ in self.climb.events)


TestLadderMachine = LadderMachine.TestCase
TestLadderMachine.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
