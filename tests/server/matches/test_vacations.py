"""Vacations by correspondence: whose clock stands still, and until when."""

from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import ClockSettings, Resumed
from millrace.server.matches.match import Match
from millrace.server.matches.vacations import vacation_event
from tests.server.matches.folding import ANN, BEN, fold, obey, over, play, started, under_way

DAY_MS = 86_400_000
THREE_DAYS = ClockSettings(3 * DAY_MS, renews=True)


def look(match: Match, now_ms: int, **until_ms: int) -> Match:
    """Return the match after a look at it, with players on vacation, by name."""
    names = {ANN.id: "ann", BEN.id: "ben"}
    event = vacation_event(match, lambda identity: until_ms.get(names[identity], 0), now_ms)
    return match if event is None else fold([event], now_ms, match)


def left_ms(match: Match, now_ms: int) -> tuple[int, ...]:
    assert match.clock is not None
    return match.clock.left_ms(now_ms)


def test_the_clock_of_a_player_on_vacation_stands_still_until_its_end() -> None:
    match = look(under_way(THREE_DAYS), DAY_MS, ann=8 * DAY_MS)
    assert match.vacation == 0
    assert left_ms(match, 8 * DAY_MS) == (2 * DAY_MS, 3 * DAY_MS)
    assert left_ms(match, 9 * DAY_MS) == (DAY_MS, 3 * DAY_MS)
    assert match.due_at_ms == 10 * DAY_MS
    assert look(match, 9 * DAY_MS) is match, "nothing is stored at the end"


def test_a_player_who_comes_back_early_has_the_time_left_as_before() -> None:
    match = look(under_way(THREE_DAYS), DAY_MS, ann=8 * DAY_MS)
    match = look(match, 4 * DAY_MS)
    assert (match.vacation, left_ms(match, 5 * DAY_MS)) == (None, (DAY_MS, 3 * DAY_MS))


def test_the_clock_of_the_opponent_runs() -> None:
    match = under_way(THREE_DAYS)
    assert look(match, DAY_MS, ben=8 * DAY_MS) is match
    match = look(obey(match, play(0, "d7"), ANN, DAY_MS), DAY_MS, ben=8 * DAY_MS)
    assert match.vacation == 1
    assert match.due_at_ms == 11 * DAY_MS
    match = obey(match, play(1, "d6"), BEN, 2 * DAY_MS)
    assert (match.vacation, left_ms(match, 3 * DAY_MS)) == (None, (2 * DAY_MS, 3 * DAY_MS))


def test_a_fallen_flag_stays_fallen_and_other_matches_know_no_vacation() -> None:
    match = under_way(THREE_DAYS)
    assert look(match, 3 * DAY_MS - 1, ann=8 * DAY_MS) is not match
    assert look(match, 3 * DAY_MS, ann=8 * DAY_MS) is match
    for other in (under_way(ClockSettings(DAY_MS)), started(), over()):
        assert look(other, DAY_MS // 2, ann=8 * DAY_MS, ben=8 * DAY_MS) is other


def test_a_grace_period_is_no_vacation() -> None:
    match = fold([Resumed((3 * DAY_MS, 3 * DAY_MS), 10_000)], DAY_MS, under_way(THREE_DAYS))
    assert look(match, DAY_MS) is match
    assert look(match, DAY_MS, ann=DAY_MS + 5_000) is match
    assert look(match, DAY_MS, ann=2 * DAY_MS).due_at_ms == 5 * DAY_MS


@given(st.lists(st.tuples(st.integers(0, DAY_MS), st.integers(0, 3)), max_size=20))
def test_the_clock_loses_exactly_the_time_outside_of_vacations(steps: list[tuple[int, int]]) -> None:
    """Each step waits, and then goes on vacation for some days, or comes back (0)."""
    match, now_ms, until_ms, expected_ms = under_way(THREE_DAYS), 0, 0, 3 * DAY_MS
    for wait_ms, days in steps:
        expected_ms = max(0, expected_ms - max(0, now_ms + wait_ms - max(now_ms, until_ms)))
        now_ms += wait_ms
        until_ms = now_ms + days * DAY_MS
        assert left_ms(match, now_ms)[0] == expected_ms
        match = look(match, now_ms, ann=until_ms)
        assert left_ms(match, now_ms)[0] == expected_ms
        assert look(match, now_ms, ann=until_ms) is match, "a second look changes nothing"
    assert (match.due_at_ms or 0) <= max(until_ms, now_ms) + expected_ms
