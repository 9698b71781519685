"""The calendar of recurring arenas: what its file may say, and when each arena takes place."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import TournamentId
from millrace.server.runtime.settings import SHIPPED_CALENDAR
from millrace.server.tournaments.calendar import (
    DAYS,
    CalendarError,
    Recurrence,
    RecurringTournament,
    occurrences,
    parse_calendar,
)
from tests.server.tournaments.arenas import PLAN, START_MS

HOUR_MS = 3_600_000
ENTRIES = "The calendar may have [[arena]], [[swiss]], [[round_robin]], [[knockout]]"
AHEAD_MS = 36 * HOUR_MS
ENTRY = """
[[arena]]
key = "daily"
name = "Daily arena"
game = "morris"
clock = { initial_ms = 180_000, increment_ms = 2_000 }
minutes = 45
at = [08:00:00, 20:30:00]
"""

recurrences = st.lists(
    st.builds(
        Recurrence,
        key=st.from_regex("^[a-z0-9-]{1,8}$", fullmatch=True),
        at=st.lists(st.times().map(lambda at: at.replace(microsecond=0)), min_size=1, max_size=4).map(tuple),
        week=st.none() | st.integers(1, 5),
        on=st.lists(st.sampled_from(DAYS), min_size=1, max_size=7).map(tuple),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda each: each.key,
)
pauses = st.lists(st.integers(1_000, 5 * 24 * HOUR_MS), min_size=1, max_size=8)
"""What passes between two looks, from a second to days in which no server ran."""


def starts_of(recurrence: Recurrence, after_ms: int, until_ms: int) -> set[int]:
    """Return when an arena starts in a time, day by day."""
    found = set[int]()
    day = datetime.fromtimestamp(after_ms / 1000, UTC).date()
    while (moment := datetime.combine(day, datetime.min.time(), UTC)).timestamp() * 1000 <= until_ms:
        is_week = recurrence.week is None or day.month != (day - timedelta(7 * recurrence.week)).month
        was_week = recurrence.week is None or day.month == (day - timedelta(7 * (recurrence.week - 1))).month
        if moment.strftime("%A").lower() in recurrence.on and is_week and was_week:
            found |= {round(datetime.combine(day, at, UTC).timestamp() * 1000) for at in recurrence.at}
        day += timedelta(days=1)
    return {start for start in found if after_ms < start <= until_ms}


@given(recurrences, pauses)
def test_no_sequence_of_looks_misses_an_occurrence_or_finds_one_twice(
    recurring: list[Recurrence], pauses_ms: list[int]
) -> None:
    calendar = [RecurringTournament(each, PLAN) for each in recurring]
    known = dict[TournamentId, int]()
    expected = set[tuple[str, int]]()
    now_ms = START_MS
    for pause_ms in pauses_ms:
        found = occurrences(calendar, now_ms, now_ms + AHEAD_MS)
        assert [each.plan.starts_at_ms for each in found] == sorted(each.plan.starts_at_ms for each in found)
        for each in found:
            assert known.setdefault(each.tournament, each.plan.starts_at_ms) == each.plan.starts_at_ms
        for recurrence in recurring:
            expected |= {(recurrence.key, start) for start in starts_of(recurrence, now_ms, now_ms + AHEAD_MS)}
        now_ms += pause_ms
    assert sorted(known.values()) == sorted(start for _, start in expected)


def test_an_arena_takes_place_on_its_days_at_its_hours_in_utc() -> None:
    calendar = parse_calendar(ENTRY + 'on = ["saturday", "sunday"]')
    found = occurrences(calendar, START_MS, START_MS + 7 * 24 * HOUR_MS)
    starts = [datetime.fromtimestamp(each.plan.starts_at_ms / 1000, UTC) for each in found]
    assert [f"{start:%A %H:%M}" for start in starts] == [
        "Saturday 08:00", "Saturday 20:30", "Sunday 08:00", "Sunday 20:30",
    ]  # fmt: skip
    assert {(each.plan.name, each.plan.minutes) for each in found} == {("Daily arena", 45)}


def test_an_occurrence_keeps_its_id_when_other_entries_and_its_plan_change() -> None:
    changed = parse_calendar(ENTRY.replace("daily", "other") + ENTRY.replace("45", "60"))
    ids = {each.tournament for each in occurrences(parse_calendar(ENTRY), START_MS, START_MS + AHEAD_MS)}
    assert ids < {each.tournament for each in occurrences(changed, START_MS, START_MS + AHEAD_MS)}


def test_the_shipped_calendar_has_arenas_of_all_games_daily_and_one_for_bots_nightly() -> None:
    calendar = parse_calendar(SHIPPED_CALENDAR.read_text("utf-8"))
    daily = {arena.plan.game for arena in calendar if arena.recurrence.on == DAYS and len(arena.recurrence.at) > 1}
    assert daily == {"morris", "battlesheep", "mingmang"}
    assert [arena.plan.minutes for arena in calendar if len(arena.recurrence.on) == 1] == [60, 90, 0]
    assert [arena.recurrence.at[0].hour for arena in calendar if arena.plan.bots] == [23]


def test_the_shipped_calendar_has_a_four_seat_evening_each_week() -> None:
    found = [each for each in parse_calendar(SHIPPED_CALENDAR.read_text("utf-8")) if each.plan.seats > 2]
    assert [(each.plan.name, each.plan.game, each.plan.seats) for each in found] == [
        ("Four-Seat Evening", "battlesheep", 4)
    ]


def test_the_shipped_calendar_has_a_swiss_on_the_first_saturday_of_each_month() -> None:
    calendar = [each for each in parse_calendar(SHIPPED_CALENDAR.read_text("utf-8")) if each.plan.kind == "swiss"]
    found = occurrences(calendar, START_MS, START_MS + 70 * 24 * HOUR_MS)
    starts = [datetime.fromtimestamp(each.plan.starts_at_ms / 1000, UTC) for each in found]
    assert [f"{start:%A %d %B %H:%M}" for start in starts] == [
        "Saturday 06 December 16:00",
        "Saturday 03 January 16:00",
    ]


def test_an_empty_calendar_has_no_arenas() -> None:
    assert parse_calendar("") == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("arena", "The calendar is not TOML: "),
        ("[arena]", f"{ENTRIES} entries only, not [arena]."),
        ("hour = 8", f"{ENTRIES} entries only, not hour."),
        (ENTRY + "gmae = 1", "[[arena]] 1 of the calendar (daily): There is an unknown field `gmae`."),
        (ENTRY.replace("game", "#"), "[[arena]] 1 of the calendar (daily): There is no field `game`."),
        (ENTRY.replace("45", '"45"'), "[[arena]] 1 of the calendar (daily), at `minutes`: Expected `int`, got `str`."),
        (ENTRY.replace("08:00:00", '"8 am"'), "[[arena]] 1 of the calendar (daily), at `at[0]`: Invalid"),
        (ENTRY.replace("45", "5"), "[[arena]] 1 of the calendar (daily): An arena lasts 20 to 720 minutes."),
        (ENTRY.replace("morris", "chess"), "[[arena]] 1 of the calendar (daily): There is no game called 'chess'"),
        (ENTRY + "starts_at_ms = 8", "[[arena]] 1 of the calendar (daily): starts_at_ms is not possible"),
        (ENTRY + 'on = ["samstag"]', "[[arena]] 1 of the calendar (daily), at `on[0]`: Invalid enum value 'samstag'."),
        (ENTRY.replace("arena", "swiss"), "[[swiss]] 1 of the calendar (daily): A Swiss has 3 to 15 rounds."),
        (ENTRY + "seats = 4", "[[arena]] 1 of the calendar (daily): Nine Men's Morris cannot be played by 4."),
        (ENTRY + "week = 6", "[[arena]] 1 of the calendar (daily), at `week`: Expected `int` <= 5."),
        (ENTRY + ENTRY, "Two entries of the calendar have the key daily; each needs its own."),
        (ENTRY + ENTRY.replace('"daily"', '"A b"'), "[[arena]] 2 of the calendar (A b), at `key`: "),
    ],
)
def test_a_faulty_file_is_refused_with_the_entry_and_what_is_wrong(text: str, fault: str) -> None:
    with pytest.raises(CalendarError) as refused:
        parse_calendar(text)
    assert str(refused.value).startswith(fault)
