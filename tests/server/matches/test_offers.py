"""Offers and extra time, on a simulated clock."""

import pytest

from millrace.protocol import (
    AcceptOffer,
    Code,
    Created,
    DeclineOffer,
    Ended,
    Event,
    GiveTime,
    OfferAccepted,
    OfferDeclined,
    Offered,
    OfferKind,
    Resign,
    TakenBack,
    TimeGiven,
)
from millrace.server.matches.extra_time import EXTRA_TIME_MS, MAX_EXTRA_MS
from millrace.server.matches.match import Phase
from millrace.server.matches.offers import answer_of_bot, bot_to_answer
from tests.server.matches.offering import (
    CLOCK,
    SHEEP_FOR_THREE,
    accept,
    decline,
    morris,
    offer,
    ranks_of,
    refusal_of_offer,
    sheep,
)
from tests.server.tables import BOT, ID, MATCH, ME, OPEN, PEOPLE, Table

# Draws


def test_an_accepted_draw_ends_the_match() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    assert offer(table, 1, "draw") == [Offered(1, "draw", 3)]
    accepted, ended = accept(table, 0, "draw", 4_000)
    assert accepted == OfferAccepted(0, "draw", 4)
    assert ended == Ended((1, 1), "agreement", "the players agreed on a draw", None, (57_000, 61_000))
    assert table.match.phase is Phase.OVER


def test_crossing_draw_offers_are_a_draw() -> None:
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


def test_an_offer_before_the_own_ply_can_be_answered_after_it() -> None:
    table = morris("d6", "f4")
    assert offer(table, 0, "draw") == [Offered(0, "draw", 4)]
    table.play("a7")
    assert ranks_of(accept(table, 1, "draw")) == (1, 1)


def test_a_ply_of_the_player_asked_declines_the_offer() -> None:
    table = morris("d6", "f4")
    offer(table, 1, "draw")
    table.play("a7")
    assert table.refusal_of(AcceptOffer(ID, MATCH, 0, "draw"), PEOPLE[0]) is Code.OFFER_LAPSED
    assert table.refusal_of(DeclineOffer(ID, MATCH, 0, "draw"), PEOPLE[0]) is Code.OFFER_LAPSED


def test_an_offer_for_an_earlier_ply_is_refused() -> None:
    table = morris("d6", "f4", "a7")
    assert refusal_of_offer(table, 1, "draw", ply=2) is Code.OFFER_LAPSED
    assert offer(table, 1, "draw", ply=3) == [Offered(1, "draw", 5)]


def test_a_player_cannot_repeat_or_answer_the_own_offer() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "draw")
    assert refusal_of_offer(table, 0, "draw") is Code.OFFER_OPEN
    assert table.refusal_of(AcceptOffer(ID, MATCH, 0, "draw"), PEOPLE[0]) is Code.OFFER_OPEN
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "draw"), PEOPLE[0]) is Code.NOT_YOUR_SEAT


def test_no_draw_is_offered_before_every_seat_has_made_a_ply() -> None:
    assert refusal_of_offer(morris("d6"), 0, "draw") is Code.OFFER_TOO_SOON


def test_a_player_of_both_seats_agrees_at_once() -> None:
    table = morris("d6", "f4", plans=(ME, ME))
    assert ranks_of(offer(table, 0, "draw")) == (1, 1)


def test_among_three_a_draw_needs_every_remaining_player() -> None:
    table = sheep("a1-d1:8", "a2-d2:8", "a3-d3:8")
    assert offer(table, 0, "draw") == [Offered(0, "draw", 5)]
    assert accept(table, 1, "draw") == [OfferAccepted(1, "draw", 6)]
    table.play("a1-c1:2")
    table.play("a2-c2:2")
    assert ranks_of(accept(table, 2, "draw")) == (1, 1, 1)


def test_a_departed_player_is_not_asked_and_ranks_last() -> None:
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
def test_a_bot_accepts_a_draw_when_losing_or_late_and_equal(value: int, moves: int, answer: type[Event]) -> None:
    table = Table("", ME, BOT, game="mingmang")
    for _ in range(moves):
        table.play(table.match.state.format_move(table.match.state.legal_moves[0]))
    offer(table, 0, "draw")
    assert bot_to_answer(table.match) == 1
    assert table.match.state.seat == 0
    assert type(answer_of_bot(table.match, 1, -value)) is answer


# Takebacks


def test_a_takeback_returns_the_turn_to_the_player_who_asked() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    table.play("a7", 5_000)
    assert offer(table, 0, "takeback", 6_000) == [Offered(0, "takeback", 4, 1)]
    accepted, taken_back = accept(table, 1, "takeback", 8_000)
    assert accepted == OfferAccepted(1, "takeback", 4)
    assert taken_back == TakenBack(0, 1, (57_000, 58_000))
    assert (table.match.to_move, table.match.state.move_texts) == (0, ("d6", "f4"))
    assert table.left_ms(10_000) == (55_000, 58_000)


def test_a_takeback_on_the_own_turn_goes_back_two_plies() -> None:
    table = morris("d6", "f4", "a7", "g1")
    assert offer(table, 0, "takeback") == [Offered(0, "takeback", 5, 2)]
    accept(table, 1, "takeback")
    assert (table.match.to_move, table.match.state.ply) == (0, 2)


def test_any_ply_ends_a_takeback_offer() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "takeback")
    table.play("a7")
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "takeback"), PEOPLE[1]) is Code.OFFER_LAPSED


def test_only_one_takeback_is_asked_for_at_a_time() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "takeback")
    assert refusal_of_offer(table, 1, "takeback") is Code.OFFER_OPEN


def test_a_player_without_a_ply_has_nothing_to_take_back() -> None:
    assert refusal_of_offer(morris(), 0, "takeback") is Code.OFFER_TOO_SOON
    assert refusal_of_offer(morris("d6"), 1, "takeback") is Code.OFFER_TOO_SOON


def test_a_bot_grants_a_takeback_at_once() -> None:
    table = morris("d6", "f4", plans=(ME, BOT))
    assert offer(table, 0, "takeback") == [Offered(0, "takeback", 3, 2), TakenBack(0, 2, None)]


def test_a_takeback_includes_forced_plies() -> None:
    table = Table("0,r16,0,b16,g16 r 3", ME, OPEN, OPEN)
    table.play("b1-c1:8")
    assert table.match.state.move_texts == ("b1-c1:8", "pass", "pass")
    assert refusal_of_offer(table, 1, "takeback") is Code.OFFER_TOO_SOON
    assert offer(table, 0, "takeback") == [Offered(0, "takeback", 4, 3)]


def test_after_a_takeback_another_move_can_be_played() -> None:
    table = morris("d6", "f4", "a7")
    offer(table, 0, "takeback")
    accept(table, 1, "takeback")
    table.play("g7")
    assert table.match.state.move_texts == ("d6", "f4", "g7")


# Rated matches


@pytest.mark.parametrize("kind", ["takeback", "pause"])
def test_a_rated_match_has_no_takebacks_or_pauses(kind: OfferKind) -> None:
    table = morris("d6", "f4")
    first = table.stored[0]
    created = first.entry.event
    assert isinstance(created, Created)
    rated = Created(created.game, created.setup, created.seats, created.clock, rated=True)
    table.stored[0] = first._replace(entry=first.entry._replace(event=rated))
    assert refusal_of_offer(table, 0, kind) is Code.OFFER_NOT_POSSIBLE
    assert offer(table, 0, "draw")


# More time


def test_time_is_given_without_asking_the_opponents() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    assert table.obey(GiveTime(ID, MATCH, 0), PEOPLE[0], 2_000) == [TimeGiven(0, (1,), EXTRA_TIME_MS)]
    assert table.left_ms(3_000) == (58_000, 76_000)


def test_a_clock_far_above_its_start_gets_no_more_time() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    for _ in range(MAX_EXTRA_MS // EXTRA_TIME_MS):
        table.obey(GiveTime(ID, MATCH, 0), PEOPLE[0])
    assert table.refusal_of(GiveTime(ID, MATCH, 0), PEOPLE[0]) is Code.OFFER_NOT_POSSIBLE


def test_a_match_without_a_clock_has_no_time_to_give() -> None:
    assert morris("d6").refusal_of(GiveTime(ID, MATCH, 0), PEOPLE[0]) is Code.OFFER_NOT_POSSIBLE


def test_offers_end_with_the_match() -> None:
    table = morris("d6", "f4")
    offer(table, 0, "draw")
    table.obey(Resign(ID, MATCH, 0), PEOPLE[0])
    assert table.refusal_of(AcceptOffer(ID, MATCH, 1, "draw"), PEOPLE[1]) is Code.MATCH_OVER
