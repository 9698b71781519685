"""Absent players, on a simulated clock: the waits, and possible claims."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import (
    Claim,
    ClockSettings,
    Code,
    CommandId,
    Create,
    Ended,
    Event,
    IdentityId,
    Join,
    Left,
    Moved,
    Player,
    Resumed,
    Speed,
    StandInChosen,
    StoodIn,
)
from millrace.protocol.refusal import Refusal
from millrace.server.matches.absence import CLOSED_MS, UNTIMED_MS, VANISHED_MS, Absence, wait_ms
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.clock import DAY_MS, GRACE_MS
from millrace.server.matches.creation import open_match
from millrace.server.matches.departures import VOTE_MS
from millrace.server.matches.match import Match
from millrace.server.matches.referee import decide, decide_due, decide_ply
from millrace.server.rooms.match_presence import MatchPresence
from millrace.server.rooms.spectator_sending import count_spectators
from tests.server.matches.folding import BOT, MATCH, ME, OPEN, fold, obey

ANN, BEN, CAT = (Player(IdentityId(name.lower()), name, registered=True) for name in ("Ann", "Ben", "Cat"))
GUEST = Player(IdentityId("guest"), "Guest")
ID = CommandId("c")
BLITZ = ClockSettings(300_000)
WIDE_FOR_THREE = "r16,0,0,0/b16,0,0,0/g16,0,0,0 r 3"


def begun(game: str, setup: str, clock: ClockSettings, *players: Player, moves: Sequence[str] = ()) -> Match:
    """A match of Ann and these players, in which the moves have been made at 0."""
    seats = (ME, *[OPEN if player in (BEN, CAT, GUEST) else BOT for player in players])
    match = fold(open_match(Create(ID, game, seats, setup, clock), ANN, range(len(seats)), 0))
    for player in players:
        if player in (BEN, CAT, GUEST):
            match = obey(match, Join(ID, MATCH), player)
    for move in moves:
        match = fold(decide_ply(match, match.state.seat, move, 0).events, 0, match)
    return match


def under_way(clock: ClockSettings = BLITZ, second: Player = BEN) -> Match:
    """A match of two in which both have made a ply, at 0."""
    return begun("morris", "", clock, second, moves=("a7", "g7"))


def three_under_way() -> Match:
    return begun("battlesheep", WIDE_FOR_THREE, BLITZ, BEN, CAT, moves=("a1-d1:8", "a2-d2:8", "a3-d3:8"))


def claimed(match: Match, outcome: str, due_at_ms: int | None, now_ms: int, for_seat: int = 1) -> list[Event]:
    claimable_at_ms = tuple(due_at_ms if seat == for_seat else None for seat in range(len(match.players)))
    claim = Claim(ID, MATCH, 0, for_seat, outcome)  # type: ignore[arg-type]
    return decide(match, claim, ANN, now_ms, claimable_at_ms=claimable_at_ms).events


def refusal_of(match: Match, outcome: str, due_at_ms: int | None, now_ms: int, for_seat: int = 1) -> Refusal:
    with pytest.raises(Refusal) as refused:
        claimed(match, outcome, due_at_ms, now_ms, for_seat)
    return refused.value


@pytest.mark.parametrize(
    ("speed", "has_closed", "is_guest", "waited_ms"),
    [
        (Speed.BULLET, False, False, VANISHED_MS),
        (Speed.BLITZ, False, False, VANISHED_MS),
        (Speed.RAPID, False, False, 2 * VANISHED_MS),
        (Speed.CLASSICAL, False, False, 3 * VANISHED_MS),
        (Speed.BLITZ, False, True, VANISHED_MS // 2),
        (Speed.CLASSICAL, False, True, 3 * VANISHED_MS // 2),
        (Speed.BLITZ, True, False, CLOSED_MS),
        (Speed.CLASSICAL, True, True, CLOSED_MS),
        (Speed.UNTIMED, False, False, UNTIMED_MS),
        (Speed.UNTIMED, True, True, UNTIMED_MS),
        (Speed.CORRESPONDENCE, False, False, None),
        (Speed.CORRESPONDENCE, True, True, None),
    ],
)
def test_the_wait_for_an_absent_player(speed: Speed, has_closed: bool, is_guest: bool, waited_ms: int | None) -> None:
    assert wait_ms(speed, Absence(0, has_closed), is_guest) == waited_ms


def test_a_player_is_present_while_any_connection_watches() -> None:
    presence = MatchPresence(0, patience=1)
    for identity in (ANN.id, BEN.id, BEN.id):
        presence.add(identity)
    presence.remove(BEN.id, has_closed=True, now_ms=1_000)
    assert presence.seats_present(under_way()) == (True, True)
    assert presence.claimable_at_ms(under_way()) == (None, None)
    presence.remove(BEN.id, has_closed=False, now_ms=2_000)
    assert presence.seats_present(under_way()) == (True, False)
    assert presence.claimable_at_ms(under_way()) == (None, 2_000 + VANISHED_MS)


def test_a_player_who_returns_and_goes_again_gets_the_whole_wait() -> None:
    presence = MatchPresence(0, patience=1)
    presence.add(ANN.id)
    presence.add(BEN.id)
    presence.remove(BEN.id, has_closed=False, now_ms=1_000)
    presence.add(BEN.id)
    assert presence.claimable_at_ms(under_way()) == (None, None)
    presence.remove(BEN.id, has_closed=True, now_ms=30_000)
    assert presence.claimable_at_ms(under_way()) == (None, 30_000 + CLOSED_MS)


def test_a_player_who_never_came_is_absent_since_the_start() -> None:
    presence = MatchPresence(0, patience=1)
    presence.add(ANN.id)
    assert presence.claimable_at_ms(under_way(second=GUEST)) == (None, VANISHED_MS // 2)


def test_an_operator_can_change_the_waits() -> None:
    presence = MatchPresence(0, patience=0.25)
    assert presence.claimable_at_ms(under_way()) == (VANISHED_MS // 4, VANISHED_MS // 4)


@given(st.lists(st.tuples(st.sampled_from([ANN, BEN, CAT]), st.booleans(), st.integers(0, 9_000)), max_size=40))
def test_absence_can_be_claimed_in_the_end_and_presence_never(
    steps: list[tuple[Player, bool, int]],
) -> None:
    presence, match, now_ms = MatchPresence(0, patience=1), under_way(), 0
    connections = {ANN: 0, BEN: 0, CAT: 0}
    for player, is_coming, span_ms in steps:
        now_ms += span_ms
        if is_coming:
            presence.add(player.id)
        elif connections[player]:
            presence.remove(player.id, has_closed=bool(span_ms % 2), now_ms=now_ms)
        connections[player] = max(0, connections[player] + (1 if is_coming else -1))
        claimable_at_ms = presence.claimable_at_ms(match)
        for seat, holder in enumerate((ANN, BEN)):
            due_at_ms = claimable_at_ms[seat]
            assert (due_at_ms is None) == (connections[holder] > 0)
            assert due_at_ms is None or due_at_ms <= now_ms + VANISHED_MS
        assert count_spectators(presence.identities, match) == min(1, connections[CAT])


def test_after_a_restart_the_wait_begins_after_the_grace_period() -> None:
    match = fold([Resumed((300_000, 300_000), GRACE_MS)], 90_000, under_way())
    presence = MatchPresence(90_000, patience=1)
    assert presence.claimable_at_ms(match) == (90_000 + GRACE_MS + VANISHED_MS,) * 2


def test_before_every_seat_has_made_a_ply_there_is_nothing_to_claim() -> None:
    assert MatchPresence(0, patience=1).claimable_at_ms(begun("morris", "", BLITZ, BEN)) == (None, None)


def test_no_player_is_absent_in_correspondence() -> None:
    assert MatchPresence(0, patience=1).claimable_at_ms(under_way(ClockSettings(DAY_MS, renews=True))) == (None, None)


def test_a_bot_is_never_absent() -> None:
    match = under_way(second=bot_player(3))
    presence = MatchPresence(0, patience=1)
    assert presence.seats_present(match) == (False, True)
    assert presence.claimable_at_ms(match) == (VANISHED_MS, None)


def test_a_win_can_be_claimed_after_the_wait() -> None:
    match = under_way()
    explanation = "Black was away too long"
    assert claimed(match, "win", 40_000, 40_000) == [Ended((1, 2), "absence", explanation, 1, (260_000, 300_000))]


def test_a_draw_can_be_claimed_instead() -> None:
    explanation = "Black was away, and White called it a draw"
    assert claimed(under_way(), "draw", 40_000, 40_000) == [
        Ended((1, 1), "absence", explanation, 1, (260_000, 300_000))
    ]


def test_an_early_claim_is_refused_with_the_time_to_wait() -> None:
    refusal = refusal_of(under_way(), "win", 40_000, 27_100)
    assert (refusal.code, refusal.message) == (Code.TOO_EARLY, "Black may still come back; you can claim in 13 s.")


@pytest.mark.parametrize(
    ("due_at_ms", "now_ms", "for_seat", "code"),
    [
        (40_000, 39_999, 1, Code.TOO_EARLY),
        (None, 90_000, 1, Code.NOT_ABSENT),
        (0, 90_000, 0, Code.NOT_ABSENT),
        (0, 90_000, 3, Code.BAD_SEATS),
    ],
    ids=["too early", "present", "own seat", "no such seat"],
)
def test_a_claim_needs_a_seat_whose_player_was_away_long_enough(
    due_at_ms: int | None, now_ms: int, for_seat: int, code: Code
) -> None:
    assert refusal_of(under_way(), "win", due_at_ms, now_ms, for_seat).code is code


def test_only_a_player_of_the_match_can_claim() -> None:
    with pytest.raises(Refusal) as refused:
        decide(under_way(), Claim(ID, MATCH, 0, 1, "win"), CAT, 90_000, claimable_at_ms=(None, 0))
    assert refused.value.code is Code.NOT_YOUR_SEAT


def test_a_match_of_three_goes_on_without_an_absent_player() -> None:
    match = three_under_way()
    assert refusal_of(match, "win", 40_000, 40_000).code is Code.NOTHING_TO_CHOOSE
    assert refusal_of(under_way(), "stand_in", 40_000, 40_000).code is Code.NOTHING_TO_CHOOSE
    events = claimed(match, "stand_in", 40_000, 40_000)
    assert events == [Left(1, "absence")]
    match = fold(events, 40_000, match)
    assert refusal_of(match, "stand_in", 40_000, 41_000).code is Code.NOT_ABSENT
    match = fold([StandInChosen(0, 1, "skip")], 41_000, match)
    assert decide_due(match, 40_000 + VOTE_MS) == [StoodIn(1, "skip", None)]


def test_a_player_who_left_by_absence_ranks_last() -> None:
    match = three_under_way()
    match = fold(claimed(match, "stand_in", 40_000, 40_000), 40_000, match)
    *_, ended = claimed(match, "stand_in", 50_000, 50_000, for_seat=2)
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason) == ((1, 3, 2), "absence")


def test_a_player_who_returns_before_the_claim_plays_on() -> None:
    match = under_way()
    presence = MatchPresence(0, patience=1)
    presence.add(ANN.id)
    assert presence.claimable_at_ms(match) == (None, VANISHED_MS)
    presence.add(BEN.id)
    claim = Claim(ID, MATCH, 0, 1, "win")
    with pytest.raises(Refusal) as refused:
        decide(match, claim, ANN, VANISHED_MS, claimable_at_ms=presence.claimable_at_ms(match))
    assert refused.value.code is Code.NOT_ABSENT
    assert isinstance(decide_ply(match, 0, "a1", VANISHED_MS).events[0], Moved)
