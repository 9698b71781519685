"""The featured match: a table of moments, each with the matches being played and the one shown."""

import pytest

from millrace.protocol import MatchId
from millrace.server.spectating.featured import (
    CLEARLY_BETTER,
    LINGER_MS,
    PATIENCE_MS,
    STILL_MS,
    Candidate,
    FeaturedChoice,
    choose_featured,
)
from millrace.server.spectating.ranking import MatchKind, MatchRank


def on(match: str, rating: int = 1500, kind: MatchKind = MatchKind.RATED, moved_at_ms: int = 0) -> Candidate:
    return Candidate(MatchId(match), MatchRank(kind, rating), moved_at_ms)


def shown(choice: FeaturedChoice | None) -> str | None:
    return None if choice is None else choice.match


def test_the_first_in_order_is_featured_if_there_is_one() -> None:
    assert choose_featured(None, [], 0) is None
    assert shown(choose_featured(None, [on("best", 1900), on("good", 1800)], 0)) == "best"


@pytest.mark.parametrize("choice", [None, FeaturedChoice(MatchId("asleep"))])
def test_a_match_without_a_ply_for_long_is_not_featured_or_no_longer(choice: FeaturedChoice | None) -> None:
    asleep, awake = on("asleep", 1900), on("awake", 1, moved_at_ms=STILL_MS)
    assert shown(choose_featured(choice, [asleep, awake], STILL_MS)) == "awake"
    assert choose_featured(choice, [asleep], STILL_MS) is None


def test_a_match_stays_despite_a_slightly_better_one() -> None:
    choice: FeaturedChoice | None = FeaturedChoice(MatchId("first"))
    on_now = [on("second", 1500 + CLEARLY_BETTER - 1), on("first", 1500)]
    for now_ms in range(0, STILL_MS, 1_000):
        choice = choose_featured(choice, on_now, now_ms)
        assert shown(choice) == "first"


def test_a_clearly_better_match_replaces_it_after_a_while() -> None:
    on_now = [on("second", 1500 + CLEARLY_BETTER), on("first", 1500)]
    choice = choose_featured(FeaturedChoice(MatchId("first")), on_now, 1_000)
    assert shown(choice) == "first"
    choice = choose_featured(choice, on_now, 1_000 + PATIENCE_MS - 1)
    assert shown(choice) == "first"
    assert shown(choose_featured(choice, on_now, 1_000 + PATIENCE_MS)) == "second"


def test_a_better_match_that_ends_soon_is_forgotten() -> None:
    choice = choose_featured(FeaturedChoice(MatchId("first")), [on("second", 1900), on("first", 1500)], 0)
    choice = choose_featured(choice, [on("first", 1500)], 1_000)
    choice = choose_featured(choice, [on("third", 1900), on("first", 1500)], PATIENCE_MS)
    assert shown(choice) == "first"


def test_rated_players_are_clearly_better_than_guests_at_any_rating() -> None:
    on_now = [on("rated", 900), on("guests", 0, MatchKind.GUESTS)]
    choice = choose_featured(FeaturedChoice(MatchId("guests")), on_now, 0)
    assert shown(choose_featured(choice, on_now, PATIENCE_MS)) == "rated"


def test_an_exhibition_yields_at_once() -> None:
    on_now = [on("guests", 0, MatchKind.GUESTS), on("bots", 1800, MatchKind.EXHIBITION)]
    assert shown(choose_featured(FeaturedChoice(MatchId("bots")), on_now, 0)) == "guests"


def test_the_end_of_a_match_is_shown_for_some_seconds_and_then_the_next() -> None:
    choice = choose_featured(FeaturedChoice(MatchId("over")), [on("next")], 5_000)
    assert shown(choice) == "over"
    choice = choose_featured(choice, [on("next")], 5_000 + LINGER_MS - 1)
    assert shown(choice) == "over"
    assert shown(choose_featured(choice, [on("next")], 5_000 + LINGER_MS)) == "next"
    assert choose_featured(choice, [], 5_000 + LINGER_MS) is None
