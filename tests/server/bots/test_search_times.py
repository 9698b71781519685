"""Estimates of how long levels think."""

import pytest

from millrace.server.bots.search_times import FIRST_GUESS_SECONDS, SearchTimes


@pytest.mark.parametrize("level", [8, "timekeeper"])
def test_bots_that_search_by_time_take_what_they_are_given(level: int | str) -> None:
    times = SearchTimes()
    assert times.estimate_seconds("morris", level, 7_000) == 7
    times.record("morris", level, 0.5)
    assert times.estimate_seconds("morris", level, 7_000) == 7
    assert times.estimate_seconds("morris", level, None) == 1


def test_other_bots_take_what_they_took_before_within_their_time() -> None:
    times = SearchTimes()
    assert times.estimate_seconds("morris", "hunter", None) == FIRST_GUESS_SECONDS
    times.record("morris", "hunter", 0.5)
    assert times.estimate_seconds("morris", "hunter", None) == 0.5
    assert times.estimate_seconds("morris", "hunter", 200) == 0.2
