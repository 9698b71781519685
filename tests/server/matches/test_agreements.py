"""What players settle at the board, on a made-up clock: draws, takebacks, pauses, time given, another match."""

from collections.abc import Sequence
from typing import Any

import pytest

from server.matches.agreements import answer_of_bot, bot_to_answer
from server.matches.founding import open_rematch
from server.matches.match import Phase
from server.matches.offers import MORE_TIME_MS, MOST_MORE_MS, PAUSE_GRACE_MS, PAUSE_MS
from server.matches.referee import decide_resume
from server.matches.rematch import is_rematch_agreed, rematch_waits_for
from server.protocol import (
    AcceptOffer,
    ClockSettings,
    Code,
    CommandId,
    Created,
    DeclineOffer,
    DeclineRematch,
    Ended,
    EndPause,
    Event,
    GiveTime,
    Offer,
    OfferAccepted,
    OfferDeclined,
    Offered,
    OfferKind,
    Paused,
    PauseEnded,
    Play,
    Rematch,
    RematchDeclined,
    RematchOffered,
    Resign,
    Seated,
    SeatPlan,
    Started,
    TakenBack,
    TimeGiven,
)
from tests.server.tables import BOT, ID, MATCH, ME, OPEN, PEOPLE, Table

SHEEP_FOR_THREE = "r16,0,0,0/b16,0,0,0/g16,0,0,0 r 3"
CLOCK = ClockSettings(60_000, 1_000)


def offer(table: Table, seat: int, kind: OfferKind, at_ms: int = 0, ply: int | None = None) -> list[Event]:
    return table.obey(Offer(ID, MATCH, seat, kind, ply), PEOPLE[seat], at_ms)


def accept(table: Table, seat: int, kind: OfferKind, at_ms: int = 0) -> list[Event]:
    return table.obey(AcceptOffer(ID, MATCH, seat, kind), PEOPLE[seat], at_ms)


def decline(table: Table, seat: int, kind: OfferKind) -> list[Event]:
    return table.obey(DeclineOffer(ID, MATCH, seat, kind), PEOPLE[seat])


def refusal_of_offer(table: Table, seat: int, kind: OfferKind, ply: int | None = None) -> Code:
    return table.refusal_of(Offer(ID, MATCH, seat, kind, ply), PEOPLE[seat])


def morris(*moves: str, plans: Sequence[SeatPlan] = (ME, OPEN), clock: ClockSettings | None = None) -> Table:
    table = Table("", *plans, game="morris", clock=clock)
    for move in moves:
        table.play(move)
    return table


def sheep(*moves: str) -> Table:
    table = Table(SHEEP_FOR_THREE, ME, OPEN, OPEN)
    for move in moves:
        table.play(move)
    return table


def ranks_of(events: Sequence[Event]) -> Any:
    ended = events[-1]
    assert isinstance(ended, Ended)
    return ended.ranks


# Draws


def test_an_accepted_draw_ends_the_match() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    assert offer(table, 1, "draw") == [Offered(1, "draw", 3)]
    accepted, ended = accept(table, 0, "draw", 4_000)
    assert accepted == OfferAccepted(0, "draw", 4)
    assert ended == Ended((1, 1), "agreement", "the players agreed on a draw", None, (57_000, 61_000))
    assert table.match.phase is Phase.OVER


def test_two_offers_that_cross_are_a_draw() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "draw")
    assert ranks_of(offer(table, 1, "draw")) == (1, 1)


def test_a_declined_draw_leaves_the_match_as_it_was_and_is_not_offered_again_at_once() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "draw")
    assert decline(table, 1, "draw") == [OfferDeclined(1, "draw")]
    assert table.match.phase is Phase.PLAYING
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "draw"), PEOPLE[1]) is Code.OFFER_LAPSED
    assert refusal_of_offer(table, 0, "draw") is Code.OFFER_TOO_SOON
    assert offer(table, 1, "draw") == [Offered(1, "draw", 3)]


def test_an_offer_may_be_repeated_after_five_rounds() -> None:
    table = Table("", ME, OPEN, game="mingmang")
    for ply in range(12):
        table.play(table.match.state.format_move(table.match.state.legal_moves[0]))
        if ply == 1:
            offer(table, 0, "draw")
        elif ply == 10:
            assert refusal_of_offer(table, 0, "draw") is Code.OFFER_TOO_SOON
    assert offer(table, 0, "draw") == [Offered(0, "draw", 14)]


def test_an_offer_may_be_withdrawn() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "draw")
    assert decline(table, 0, "draw") == [OfferDeclined(0, "draw")]
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "draw"), PEOPLE[1]) is Code.OFFER_LAPSED


def test_who_offers_before_the_own_ply_is_answered_after_it() -> None:
    table = morris("d6", "f4")
    assert offer(table, 0, "draw") == [Offered(0, "draw", 4)]
    table.play("a7")
    assert ranks_of(accept(table, 1, "draw")) == (1, 1)


def test_an_offer_lapses_by_the_ply_of_the_one_who_is_asked() -> None:
    table = morris("d6", "f4")
    offer(table, 1, "draw")
    table.play("a7")
    assert table.refusal_of(AcceptOffer(ID, MATCH, 0, "draw"), PEOPLE[0]) is Code.OFFER_LAPSED
    assert table.refusal_of(DeclineOffer(ID, MATCH, 0, "draw"), PEOPLE[0]) is Code.OFFER_LAPSED


def test_an_offer_that_comes_after_the_ply_it_was_meant_for_is_refused() -> None:
    table = morris("d6", "f4", "a7")
    assert refusal_of_offer(table, 1, "draw", ply=2) is Code.OFFER_LAPSED
    assert offer(table, 1, "draw", ply=3) == [Offered(1, "draw", 5)]


def test_one_offers_a_thing_once_and_does_not_answer_oneself() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "draw")
    assert refusal_of_offer(table, 0, "draw") is Code.OFFER_OPEN
    assert table.refusal_of(AcceptOffer(ID, MATCH, 0, "draw"), PEOPLE[0]) is Code.OFFER_OPEN
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "draw"), PEOPLE[0]) is Code.NOT_YOUR_SEAT


def test_no_draw_is_offered_before_every_seat_has_made_a_ply() -> None:
    assert refusal_of_offer(morris("d6"), 0, "draw") is Code.OFFER_TOO_SOON


def test_who_holds_both_seats_agrees_with_oneself() -> None:
    table = morris("d6", "f4", plans=(ME, ME))
    assert ranks_of(offer(table, 0, "draw")) == (1, 1)


def test_among_three_a_draw_needs_all_who_still_play() -> None:
    table = sheep("a1-d1:8", "a2-d2:8", "a3-d3:8")
    assert offer(table, 0, "draw") == [Offered(0, "draw", 5)]
    assert accept(table, 1, "draw") == [OfferAccepted(1, "draw", 6)]
    table.play("a1-c1:2")
    table.play("a2-c2:2")
    assert ranks_of(accept(table, 2, "draw")) == (1, 1, 1)


def test_one_who_leaves_is_asked_no_more_and_ranks_last() -> None:
    table = sheep("a1-d1:8", "a2-d2:8", "a3-d3:8")
    offer(table, 0, "draw")
    accept(table, 1, "draw")
    assert ranks_of(table.resign(2)) == (1, 1, 3)


def test_among_three_with_a_bot_there_is_no_draw() -> None:
    table = Table(SHEEP_FOR_THREE, ME, OPEN, BOT)
    assert refusal_of_offer(table, 0, "draw") is Code.OFFER_NOT_POSSIBLE


@pytest.mark.parametrize(
    ("value", "moves", "answer"),
    [
        (200, 32, OfferDeclined),
        (0, 2, OfferDeclined),
        (0, 32, OfferAccepted),
        (-200, 2, OfferAccepted),
    ],
)
def test_a_bot_takes_a_draw_when_it_is_losing_or_late_and_level(value: int, moves: int, answer: type[Event]) -> None:
    table = Table("", ME, BOT, game="mingmang")
    for _ in range(moves):
        table.play(table.match.state.format_move(table.match.state.legal_moves[0]))
    offer(table, 0, "draw")
    assert bot_to_answer(table.match) == 1
    assert table.match.state.seat == 0
    assert type(answer_of_bot(table.match, 1, -value)) is answer


# Takebacks


def test_a_takeback_gives_the_turn_back_to_who_asked_for_it() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    table.play("a7", 5_000)
    assert offer(table, 0, "takeback", 6_000) == [Offered(0, "takeback", 4, 1)]
    accepted, taken_back = accept(table, 1, "takeback", 8_000)
    assert accepted == OfferAccepted(1, "takeback", 4)
    assert taken_back == TakenBack(0, 1, (57_000, 58_000))
    assert (table.match.to_move, table.match.state.move_texts) == (0, ("d6", "f4"))
    assert table.match.clock is not None
    assert table.match.clock.left_ms(10_000) == (55_000, 58_000)


def test_a_takeback_on_the_own_turn_goes_back_two_plies() -> None:
    table = morris("d6", "f4", "a7", "g1")
    assert offer(table, 0, "takeback") == [Offered(0, "takeback", 5, 2)]
    accept(table, 1, "takeback")
    assert (table.match.to_move, table.match.state.ply) == (0, 2)


def test_any_ply_ends_the_offer_of_a_takeback() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "takeback")
    table.play("a7")
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "takeback"), PEOPLE[1]) is Code.OFFER_LAPSED


def test_only_one_takeback_is_asked_for_at_a_time() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "takeback")
    assert refusal_of_offer(table, 1, "takeback") is Code.OFFER_OPEN


def test_who_has_made_no_ply_has_nothing_to_take_back() -> None:
    assert refusal_of_offer(morris(), 0, "takeback") is Code.OFFER_TOO_SOON
    assert refusal_of_offer(morris("d6"), 1, "takeback") is Code.OFFER_TOO_SOON


def test_a_bot_grants_a_takeback_at_once() -> None:
    table = morris("d6", "f4", plans=(ME, BOT))
    assert offer(table, 0, "takeback") == [Offered(0, "takeback", 3, 2), TakenBack(0, 2, None)]


def test_a_takeback_passes_over_plies_that_the_rules_forced() -> None:
    table = Table("0,r16,0,b16,g16 r 3", ME, OPEN, OPEN)
    table.play("b1-c1:8")
    assert table.match.state.move_texts == ("b1-c1:8", "pass", "pass")
    assert refusal_of_offer(table, 1, "takeback") is Code.OFFER_TOO_SOON
    assert offer(table, 0, "takeback") == [Offered(0, "takeback", 4, 3)]


def test_what_was_taken_back_may_be_played_otherwise() -> None:
    table = morris("d6", "f4", "a7")
    offer(table, 0, "takeback")
    accept(table, 1, "takeback")
    table.play("g7")
    assert table.match.state.move_texts == ("d6", "f4", "g7")


# Rated matches


@pytest.mark.parametrize("kind", ["takeback", "pause"])
def test_a_rated_match_knows_neither_takebacks_nor_pauses(kind: OfferKind) -> None:
    table = morris("d6", "f4")
    first = table.stored[0]
    created = first.entry.event
    assert isinstance(created, Created)
    rated = Created(created.game, created.setup, created.seats, created.clock, rated=True)
    table.stored[0] = first._replace(entry=first.entry._replace(event=rated))
    assert refusal_of_offer(table, 0, kind) is Code.OFFER_NOT_POSSIBLE
    assert offer(table, 0, "draw")


# More time


def test_time_is_given_to_the_others_without_asking_them() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    assert table.obey(GiveTime(ID, MATCH, 0), PEOPLE[0], 2_000) == [TimeGiven(0, (1,), MORE_TIME_MS)]
    assert table.match.clock is not None
    assert table.match.clock.left_ms(3_000) == (58_000, 76_000)


def test_one_who_has_much_more_than_at_the_start_is_given_no_more() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    for _ in range(MOST_MORE_MS // MORE_TIME_MS):
        table.obey(GiveTime(ID, MATCH, 0), PEOPLE[0])
    assert table.refusal_of(GiveTime(ID, MATCH, 0), PEOPLE[0]) is Code.OFFER_NOT_POSSIBLE


def test_no_time_is_given_without_a_clock() -> None:
    assert morris("d6").refusal_of(GiveTime(ID, MATCH, 0), PEOPLE[0]) is Code.OFFER_NOT_POSSIBLE


# Pauses


def paused(clock: ClockSettings | None = CLOCK) -> Table:
    table = morris("d6", "f4", clock=clock)
    offer(table, 0, "pause", 1_000)
    accept(table, 1, "pause", 2_000)
    return table


def test_while_a_match_is_paused_the_clocks_stand_and_nobody_plays() -> None:
    table = paused()
    assert table.stored[-1].entry.event == Paused((59_000, 61_000), 2_000 + PAUSE_MS)
    assert table.match.clock is not None
    assert table.match.clock.left_ms(1_000_000) == (59_000, 61_000)
    assert table.refusal_of(Play(ID, MATCH, 0, "a7"), PEOPLE[0]) is Code.PAUSED
    assert refusal_of_offer(table, 0, "takeback") is Code.PAUSED
    assert table.match.mover is None


def test_each_of_the_players_may_end_a_pause_and_the_clock_waits_a_moment() -> None:
    table = paused()
    end = EndPause(ID, MATCH, 1)
    assert table.obey(end, PEOPLE[1], 50_000) == [PauseEnded(1, (59_000, 61_000), PAUSE_GRACE_MS)]
    assert table.match.clock is not None
    assert table.match.clock.left_ms(50_000 + PAUSE_GRACE_MS + 1_000) == (58_000, 61_000)
    assert table.refusal_of(end, PEOPLE[1]) is Code.NOT_PAUSED
    table.play("a7", 60_000)


def test_a_pause_ends_by_itself_after_a_day() -> None:
    table = paused()
    assert table.match.due_at_ms == 2_000 + PAUSE_MS
    assert table.wait(1_999 + PAUSE_MS) == []
    assert table.wait(2_000 + PAUSE_MS) == [PauseEnded(None, (59_000, 61_000), PAUSE_GRACE_MS)]


def test_a_restart_of_the_server_does_not_end_a_pause() -> None:
    assert decide_resume(paused().match, 3_000, 90_000) == []


def test_a_paused_match_may_be_resigned_or_drawn() -> None:
    table = paused()
    offer(table, 0, "draw", 5_000)
    assert ranks_of(accept(table, 1, "draw", 9_000)) == (1, 1)
    assert ranks_of(paused(None).resign(0)) == (2, 1)


def test_the_time_limit_of_a_match_rests_with_it() -> None:
    table = Table("", ME, OPEN, game="mingmang", clock=ClockSettings(60_000, match_limit_ms=50_000))
    offer(table, 0, "pause", 1_000)
    accept(table, 1, "pause", 20_000)
    assert table.match.due_at_ms == 20_000 + PAUSE_MS
    ended = table.obey(EndPause(ID, MATCH, 0), PEOPLE[0], 100_000)
    assert ended == [PauseEnded(0, (40_000, 60_000), PAUSE_GRACE_MS, 30_000)]
    assert table.match.limit_at_ms == 100_000 + PAUSE_GRACE_MS + 30_000


def test_a_bot_agrees_to_a_pause_at_once_and_does_not_move_in_it() -> None:
    table = morris("d6", plans=(ME, BOT))
    assert offer(table, 0, "pause")[-1] == Paused(None, PAUSE_MS)
    assert table.match.mover is None


# Rematches


def over(seats: int = 2) -> Table:
    table = morris("d6", "f4") if seats == 2 else sheep("a1-d1:8", "a2-d2:8", "a3-d3:8")
    if seats == 2:
        table.resign(0)
    else:
        offer(table, 0, "draw")
        accept(table, 1, "draw")
        accept(table, 2, "draw")
    return table


def test_one_of_two_who_declines_ends_the_offer_of_a_rematch() -> None:
    table = over()
    table.obey(Rematch(ID, MATCH, 0), PEOPLE[0])
    assert rematch_waits_for(table.match) == {1}
    assert table.obey(DeclineRematch(ID, MATCH, 1), PEOPLE[1]) == [RematchDeclined(1)]
    assert rematch_waits_for(table.match) == frozenset()
    table.obey(Rematch(CommandId("again"), MATCH, 1), PEOPLE[1])
    assert not is_rematch_agreed(table.match)
    table.obey(Rematch(CommandId("again"), MATCH, 0), PEOPLE[0])
    assert is_rematch_agreed(table.match)


def test_one_of_three_who_declines_leaves_a_free_seat() -> None:
    table = over(3)
    for seat in (0, 2):
        table.obey(Rematch(ID, MATCH, seat), PEOPLE[seat])
    assert not is_rematch_agreed(table.match)
    table.obey(DeclineRematch(ID, MATCH, 1), PEOPLE[1])
    assert is_rematch_agreed(table.match)
    created, *seated = open_rematch(table.match, 0)
    assert isinstance(created, Created)
    assert created.seats[2] == SeatPlan("open")
    assert seated == [Seated(0, PEOPLE[2]), Seated(1, PEOPLE[0])]


def test_nobody_waits_for_one_who_had_left() -> None:
    table = sheep("a1-d1:8", "a2-d2:8", "a3-d3:8")
    table.resign(2)
    offer(table, 0, "draw")
    accept(table, 1, "draw")
    for seat in (0, 1):
        assert table.obey(Rematch(ID, MATCH, seat), PEOPLE[seat]) == [RematchOffered(seat)]
    assert is_rematch_agreed(table.match)


def test_one_who_had_left_may_still_take_part() -> None:
    table = sheep("a1-d1:8", "a2-d2:8", "a3-d3:8")
    table.resign(2)
    offer(table, 0, "draw")
    accept(table, 1, "draw")
    for seat in (2, 0, 1):
        table.obey(Rematch(ID, MATCH, seat), PEOPLE[seat])
    assert Started() in open_rematch(table.match, 0)


def test_no_rematch_is_left_when_one_of_three_stays() -> None:
    table = over(3)
    table.obey(Rematch(ID, MATCH, 0), PEOPLE[0])
    for seat in (1, 2):
        table.obey(DeclineRematch(ID, MATCH, seat), PEOPLE[seat])
    assert not is_rematch_agreed(table.match)


def test_what_is_offered_at_the_board_ends_with_the_match() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "draw")
    table.obey(Resign(ID, MATCH, 0), PEOPLE[0])
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "draw"), PEOPLE[1]) is Code.MATCH_OVER
