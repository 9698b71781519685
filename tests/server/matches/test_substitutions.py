"""Seats that change between a person and a bot by agreement, on a simulated clock."""

import pytest

from millrace.protocol import (
    AskForSeat,
    Code,
    Event,
    Offer,
    OfferAccepted,
    OfferDeclined,
    Offered,
    Seated,
    SeatFreed,
)
from millrace.server.matches.built_in_bots import bot_player
from tests.server.matches.offering import CLOCK, SHEEP_FOR_THREE, accept, decline, morris, offer, refusal_of_offer
from tests.server.tables import BOT, ID, MATCH, ME, OPEN, PEOPLE, Table

ANN, BEN, CAT, DAN = PEOPLE


def hand_over(table: Table, seat: int, level: int | str = 3) -> list[Event]:
    return table.obey(Offer(ID, MATCH, seat, "hand_over", None, level), PEOPLE[seat])


def with_bot() -> Table:
    """Return a match of Ann and Ben against a bot on the last seat."""
    return Table(SHEEP_FOR_THREE, ME, OPEN, BOT)


def test_a_bot_plays_on_for_a_player_when_the_opponent_agrees() -> None:
    table = morris("d6", "f4", clock=CLOCK)
    assert hand_over(table, 0) == [Offered(0, "hand_over", 4, level=3)]
    bot = bot_player(3)
    assert accept(table, 1, "hand_over") == [
        OfferAccepted(1, "hand_over", 4),
        SeatFreed(0, ANN),
        Seated(0, bot),
    ]
    assert table.match.players == (bot, BEN)
    assert table.match.mover == bot
    assert table.match.offers.made == ()
    assert table.match.clock is not None
    assert table.match.clock.running == 0


def test_an_opponent_who_declines_keeps_the_player() -> None:
    table = morris("d6", "f4")
    hand_over(table, 0)
    assert decline(table, 1, "hand_over") == [OfferDeclined(1, "hand_over")]
    assert table.match.players == (ANN, BEN)
    assert refusal_of_offer(table, 0, "hand_over") is Code.OFFER_TOO_SOON


def test_other_offers_end_with_a_substitution() -> None:
    table = morris("d6", "f4")
    hand_over(table, 0)
    offer(table, 0, "draw")
    accept(table, 1, "hand_over")
    assert table.match.offers.find("draw", table.match.state.ply) is None


@pytest.mark.parametrize(("level", "code"), [(None, Code.BAD_SEATS), ("nobody", Code.BAD_SEATS)])
def test_a_bot_that_does_not_exist_cannot_play_on(level: str | None, code: Code) -> None:
    table = morris("d6", "f4")
    assert table.refusal_of(Offer(ID, MATCH, 0, "hand_over", None, level), ANN) is code


def test_a_person_must_be_left_to_play_against_the_bot() -> None:
    alone = Table(SHEEP_FOR_THREE, ME, ME, BOT)
    assert alone.refusal_of(Offer(ID, MATCH, 0, "hand_over", None, 1), ANN) is Code.OFFER_NOT_POSSIBLE


def test_a_spectator_plays_on_for_a_bot_when_all_people_agree() -> None:
    table = with_bot()
    asked = table.obey(AskForSeat(ID, MATCH, 2), CAT)
    assert asked == [Offered(2, "take_over", 1, player=CAT)]
    assert accept(table, 0, "take_over")[1:] == []
    assert accept(table, 1, "take_over")[1:] == [SeatFreed(2, bot_player(2)), Seated(2, CAT)]
    assert table.match.players == (ANN, BEN, CAT)
    assert table.match.seats_of(CAT.id) == (2,)


@pytest.mark.parametrize(("seat", "code"), [(0, Code.SEAT_TAKEN), (3, Code.BAD_SEATS)])
def test_only_the_seat_of_a_bot_can_be_asked_for(seat: int, code: Code) -> None:
    assert with_bot().refusal_of(AskForSeat(ID, MATCH, seat), CAT) is code


def test_a_player_of_the_match_cannot_take_another_seat() -> None:
    table = with_bot()
    assert table.refusal_of(AskForSeat(ID, MATCH, 2), BEN) is Code.OFFER_NOT_POSSIBLE
    assert refusal_of_offer(table, 0, "take_over") is Code.OFFER_NOT_POSSIBLE


def test_one_spectator_asks_at_a_time() -> None:
    table = with_bot()
    table.obey(AskForSeat(ID, MATCH, 2), CAT)
    assert table.refusal_of(AskForSeat(ID, MATCH, 2), DAN) is Code.OFFER_OPEN


def test_bots_alone_cannot_be_asked() -> None:
    table = Table("", BOT, BOT, game="morris")
    assert table.refusal_of(AskForSeat(ID, MATCH, 0), CAT) is Code.OFFER_NOT_POSSIBLE
