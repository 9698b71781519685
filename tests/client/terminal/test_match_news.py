"""What happens in a match, as sentences."""

from collections.abc import Sequence

import pytest

from millrace.client import ClockSettings
from millrace.client.match_view import MatchView, OpenOffer
from millrace.client.terminal.match_news import event_text
from millrace.client.terminal.seat_names import SeatNames
from millrace.protocol import (
    Created,
    Event,
    IdentityId,
    MatchEvent,
    MatchId,
    OfferDeclined,
    OfferKind,
    Player,
    RematchOffered,
    Seated,
    SeatFreed,
    Started,
)

ANN, BEN = (Player(IdentityId(name), name) for name in ("Ann", "Ben"))
WAITING = MatchView(players=(ANN, None))
PLAYED = MatchView(players=(ANN, BEN), to_move=0)


@pytest.mark.parametrize(
    ("event", "view", "sentence"),
    [
        (Seated(0, ANN), WAITING, "You join."),
        (Seated(1, BEN), WAITING, "Ben joins."),
        (SeatFreed(0, ANN), WAITING, "You leave the match."),
        (SeatFreed(1, BEN), WAITING, "Ben leaves the match."),
        (Seated(0, ANN), PLAYED, "You now play."),
        (Seated(1, BEN), PLAYED, "Ben now plays."),
        (SeatFreed(1, BEN), PLAYED, ""),
    ],
)
def test_the_lists_follow_players_who_come_and_go(event: Event, view: MatchView, sentence: str) -> None:
    assert told(event, view) == sentence


def test_the_first_news_names_the_clock_and_the_time_limit() -> None:
    clock = ClockSettings(300_000, 3_000, match_limit_ms=1_800_000)
    assert told(Started(), PLAYED) == "The match begins."
    view = PLAYED._replace(created=Created("mingmang", "", (), clock))
    assert told(Started(), view) == "The match begins: 5+3, limit 30 min."
    hurried = (
        "The match begins: 5+3, limit 30 min. Each player has 30 seconds for the first move; the clocks start after it."
    )
    assert told(Started(30_000), view) == hurried


@pytest.mark.parametrize(
    ("seat", "kind", "sentence"),
    [
        (0, "draw", "You withdraw the draw offer."),
        (1, "draw", "Ben declines the draw."),
        (1, "takeback", "Ben withdraws the request."),
        (0, "takeback", "You decline the takeback."),
    ],
)
def test_an_offer_is_declined_or_withdrawn(seat: int, kind: OfferKind, sentence: str) -> None:
    offers = (OpenOffer("draw", 0, 9, frozenset({0})), OpenOffer("takeback", 1, 9, frozenset({1})))
    assert told(OfferDeclined(seat, kind), PLAYED, offers) == sentence


def test_a_player_who_wants_a_rematch_is_not_asked_about_it() -> None:
    asked = PLAYED._replace(to_move=None, rematch_offers=frozenset({1}))
    assert told(RematchOffered(1), asked) == "Ben wants a rematch. Type accept or decline."
    assert told(RematchOffered(1), asked._replace(rematch_offers=frozenset({0, 1}))) == "Ben wants a rematch."
    assert told(RematchOffered(0), asked._replace(rematch_offers=frozenset({0}))) == "You want a rematch."


def told(event: Event, view: MatchView, offers: Sequence[OpenOffer] = ()) -> str:
    """Return what Ann reads."""
    names = SeatNames(("Black", "White"), view.players, view.seats_of(ANN.id), ANN.id)
    return event_text(MatchEvent(MatchId("m"), 5, 0, event, view.to_move), view, names, offers)
