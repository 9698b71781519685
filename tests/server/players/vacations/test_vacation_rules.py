"""How many days of vacation players have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol.refusal import Refusal
from millrace.server.players.vacations.vacation_rules import (
    DAY_MS,
    DAYS_A_YEAR,
    YEAR_MS,
    Vacation,
    left_days,
    take,
    until_ms_of,
)


def test_thirty_days_are_there_again_a_year_later() -> None:
    taken = [take([], 30, 0)]
    with pytest.raises(Refusal, match="left: 0"):
        take(taken, 1, 30 * DAY_MS)
    assert until_ms_of(taken, 30 * DAY_MS - 1) == 30 * DAY_MS
    assert until_ms_of(taken, 30 * DAY_MS) == 0
    assert left_days(taken, YEAR_MS + 7 * DAY_MS) == 7


def test_coming_back_early_gives_back_the_days_that_are_left() -> None:
    taken = [take([], 30, 0)]
    taken.append(take(taken, 0, 2 * DAY_MS))
    assert until_ms_of(taken, 2 * DAY_MS) == 0
    assert left_days(taken, 2 * DAY_MS) == 28


def test_a_vacation_can_be_made_longer_while_it_lasts() -> None:
    taken = [take([], 10, 0)]
    taken.append(take(taken, 25, 5 * DAY_MS))
    assert until_ms_of(taken, 6 * DAY_MS) == 30 * DAY_MS
    with pytest.raises(Refusal, match="left: 25"):
        take(taken, 26, 5 * DAY_MS)


@given(st.lists(st.tuples(st.integers(0, 100 * DAY_MS), st.integers(0, DAYS_A_YEAR)), max_size=30))
def test_nobody_begins_a_thirty_first_day_within_a_year(steps: list[tuple[int, int]]) -> None:
    taken, now_ms = list[Vacation](), 0
    for wait_ms, days in steps:
        now_ms += wait_ms
        try:
            taken.append(take(taken, days, now_ms))
        except Refusal:
            assert days > left_days(taken, now_ms)
    ends_ms = [each.at_ms for each in taken[1:]] + [now_ms + YEAR_MS]
    away = [(at_ms, min(until_ms, end_ms)) for (at_ms, until_ms), end_ms in zip(taken, ends_ms, strict=False)]
    for _, to_ms in away:
        year = (max(0, min(end_ms, to_ms) - max(at_ms, to_ms - YEAR_MS)) for at_ms, end_ms in away)
        assert sum(year) < (DAYS_A_YEAR + 1) * DAY_MS
