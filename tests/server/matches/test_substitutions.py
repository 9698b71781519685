"""Seats that change between a person and a bot by agreement, on a simulated clock."""

import pytest
from msgspec.structs import replace

from millrace.protocol import (
    AskForSeat,
    ChangePlayer,
    Code,
    CommandId,
    Created,
    Event,
    Offer,
    OfferAccepted,
    OfferDeclined,
    Offered,
    PauseBots,
    Resign,
    ResumeBots,
    Seated,
    SeatFreed,
    SeatPlan,
)
from millrace.server.journal.entries import Entry, Recorded
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


@pytest.mark.parametrize("level", [1, "random", "hunter"])
@pytest.mark.parametrize("plans", [(ME, BOT), (BOT, ME), (ME, ME), (BOT, BOT)], ids=str)
def test_who_plays_alone_changes_the_player_of_each_seat_and_the_moves_stay(
    plans: tuple[SeatPlan, SeatPlan], level: int | str
) -> None:
    table = Table("", *plans, game="morris", clock=CLOCK)
    table.play("d6", 1_000)
    for seat in (0, 1):
        before = table.match.players[seat]
        assert before is not None
        after = [bot_player(level, table.match.state.game), ANN]
        for number, newcomer in enumerate(after if before == ANN else reversed(after)):
            wanted = ChangePlayer(CommandId(f"{seat} {number}"), MATCH, seat, None if newcomer == ANN else level)
            assert table.obey(wanted, ANN) == [SeatFreed(seat, before), Seated(seat, newcomer)]
            assert table.refusal_of(replace(wanted, id=ID), ANN) is Code.SEAT_TAKEN
            before = newcomer
    assert table.match.state.ply == 1
    assert table.match.clock is not None
    assert table.match.clock.running == 1


def test_a_creator_who_left_both_seats_to_bots_comes_back() -> None:
    table = Table("", ME, BOT, game="morris")
    table.obey(ChangePlayer(CommandId("a"), MATCH, 0, 4), ANN)
    assert table.match.is_between_bots
    assert table.refusal_of(ChangePlayer(ID, MATCH, 0), BEN) is Code.NOT_FOR_YOU
    table.obey(PauseBots(CommandId("b"), MATCH), ANN)
    table.obey(ChangePlayer(CommandId("c"), MATCH, 1), ANN)
    assert table.match.players == (bot_player(4), ANN)


def test_who_could_not_come_back_keeps_a_seat() -> None:
    table = morris("d6", "f4")
    hand_over(table, 0)
    accept(table, 1, "hand_over")
    assert table.refusal_of(ChangePlayer(ID, MATCH, 1, 2), BEN) is Code.OFFER_NOT_POSSIBLE
    table.obey(ChangePlayer(CommandId("a"), MATCH, 0), BEN)
    table.obey(ChangePlayer(CommandId("b"), MATCH, 1, 2), BEN)
    assert table.match.players == (BEN, bot_player(2))


def test_who_is_left_by_the_others_plays_alone() -> None:
    table = with_bot()
    table.obey(Resign(CommandId("a"), MATCH, 1), BEN)
    assert table.refusal_of(ChangePlayer(ID, MATCH, 1), ANN) is Code.SEAT_LEFT
    assert table.refusal_of(ChangePlayer(ID, MATCH, 2), BEN) is Code.NOT_FOR_YOU
    table.obey(ChangePlayer(CommandId("b"), MATCH, 2), ANN)
    assert table.match.players == (ANN, BEN, ANN)


def test_a_match_that_was_to_pause_goes_on_when_a_person_plays() -> None:
    table = Table("", BOT, BOT, game="morris")
    table.obey(PauseBots(CommandId("a"), MATCH), ANN)
    table.obey(ResumeBots(CommandId("b"), MATCH, 2), ANN)
    table.play("d6")
    table.obey(ChangePlayer(CommandId("c"), MATCH, 1), ANN)
    table.play("f4")
    assert table.match.pause is None


def test_nobody_changes_the_players_of_others() -> None:
    for table, player, seat, code in (
        (with_bot(), ANN, 2, Code.NOT_FOR_YOU),
        (Table("", ME, BOT, game="morris"), BEN, 1, Code.NOT_FOR_YOU),
        (Table("", ME, OPEN, game="morris"), ANN, 0, Code.NOT_FOR_YOU),
        (Table("", ME, BOT, game="morris"), ANN, 2, Code.BAD_SEATS),
    ):
        assert table.refusal_of(ChangePlayer(ID, MATCH, seat, 1), player) is code
    rated = Table("", ME, BOT, game="morris")
    first = rated.stored[0]
    assert isinstance(first.entry.event, Created)
    rated.stored[0] = Recorded(first.seq, Entry(replace(first.entry.event, rated=True), 0))
    assert rated.refusal_of(ChangePlayer(ID, MATCH, 1, 1), ANN) is Code.NOT_FOR_YOU


def test_bots_alone_cannot_be_asked() -> None:
    table = Table("", BOT, BOT, game="morris")
    assert table.refusal_of(AskForSeat(ID, MATCH, 0), CAT) is Code.OFFER_NOT_POSSIBLE
