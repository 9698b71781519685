"""The calendar: tournaments that recur, as the operator's file names them, and when each of them starts.

Pure. All times are UTC.
"""

import hashlib
import tomllib
from collections.abc import Sequence
from datetime import date, time, timedelta
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from millrace.protocol import TournamentId, TournamentKind, TournamentPlan
from millrace.protocol.refusal import Refusal

from ..matches.match_ids import ID_BITS, match_id_of
from .decisions import require_plan

DAY_MS = 86_400_000

Day: TypeAlias = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DAYS: tuple[Day, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FIRST_DAY = date(1970, 1, 1)
KINDS: tuple[TournamentKind, ...] = tuple(kind for kind in get_args(TournamentKind) if kind != "simul")
"""A simul needs a host."""


class CalendarError(Exception):
    """A calendar cannot be used; the text says which entry is wrong, and why."""


class Recurrence(msgspec.Struct, frozen=True):
    """When a tournament recurs."""

    key: Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,40}$")]
    """Tells the entry from all others, also in later versions of the file."""
    at: Annotated[tuple[time, ...], msgspec.Meta(min_length=1)]
    on: Annotated[tuple[Day, ...], msgspec.Meta(min_length=1)] = DAYS
    week: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    """Only so many times such a day comes in a month: 1 for the first Sunday, say."""


class RecurringTournament(NamedTuple):
    """An entry of the calendar."""

    recurrence: Recurrence
    plan: TournamentPlan
    """Its start is filled in for each occurrence."""


class Occurrence(NamedTuple):
    """One tournament of a recurring one."""

    tournament: TournamentId
    """Follows from the entry's key and the start, so that no occurrence can be stored twice."""
    plan: TournamentPlan


Calendar: TypeAlias = Sequence[RecurringTournament]


def parse_calendar(text: str) -> Calendar:
    """Return the entries of a calendar in TOML. Raises: CalendarError."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CalendarError(f"The calendar is not TOML: {error}.") from None
    entries = {kind: tables.pop(kind, []) for kind in KINDS}
    if wrong := [*tables, *(f"[{kind}]" for kind, found in entries.items() if not isinstance(found, list))]:
        possible = ", ".join(f"[[{kind}]]" for kind in KINDS)
        raise CalendarError(f"The calendar may have {possible} entries only, not {', '.join(wrong)}.")
    calendar = [_read(kind, number, entry) for kind, found in entries.items() for number, entry in enumerate(found, 1)]
    keys = [each.recurrence.key for each in calendar]
    if repeated := next((key for number, key in enumerate(keys) if key in keys[:number]), None):
        raise CalendarError(f"Two entries of the calendar have the key {repeated}; each needs its own.")
    return calendar


def occurrences(calendar: Calendar, after_ms: int, until_ms: int) -> list[Occurrence]:
    """Return the occurrences that start after a time and not after another, the earliest first."""
    found = [
        Occurrence(_id_of(recurrence.key, starts_at_ms), replace(plan, starts_at_ms=starts_at_ms))
        for recurrence, plan in calendar
        for day in range(after_ms // DAY_MS, until_ms // DAY_MS + 1)
        if _is_on(recurrence, day)
        for at in sorted(set(recurrence.at))
        if after_ms < (starts_at_ms := day * DAY_MS + _ms_of(at)) <= until_ms
    ]
    return sorted(found, key=lambda each: each.plan.starts_at_ms)


def _is_on(recurrence: Recurrence, day: int) -> bool:
    """Return whether a tournament recurs on a day, counted from 1 January 1970."""
    on = FIRST_DAY + timedelta(day)
    return DAYS[on.weekday()] in recurrence.on and recurrence.week in (None, (on.day + 6) // 7)


def _read(kind: TournamentKind, number: int, entry: Any) -> RecurringTournament:
    """Return an entry. Raises: CalendarError."""
    key = entry.get("key") if isinstance(entry, dict) else None
    place = f"[[{kind}]] {number} of the calendar" + (f" ({key})" if isinstance(key, str) else "")
    try:
        recurrence = msgspec.convert(entry, Recurrence)
        plan = {name: value for name, value in entry.items() if name not in Recurrence.__struct_fields__}
        if "starts_at_ms" in plan:
            raise CalendarError(f"{place}: starts_at_ms is not possible; `at` says when it starts.")
        found = RecurringTournament(
            recurrence, msgspec.convert(plan | {"starts_at_ms": 0, "kind": kind}, TournamentPlan)
        )
        require_plan(found.plan, 0)
    except msgspec.ValidationError as error:
        raise CalendarError(f"{place}{_fault_text(error)}") from None
    except Refusal as refusal:
        raise CalendarError(f"{place}: {refusal.message}") from None
    return found


def _fault_text(error: msgspec.ValidationError) -> str:
    """Return where the fault of an entry is, and what it is.

    >>> _fault_text(msgspec.ValidationError("Expected `int`, got `str` - at `$.minutes`"))
    ', at `minutes`: Expected `int`, got `str`.'
    """
    fault, _, field = str(error).partition(" - at `$.")
    words = fault.replace("Object missing required", "There is no").replace("Object contains", "There is an")
    return f"{', at `' if field else ''}{field}: {words}."


def _ms_of(at: time) -> int:
    return ((at.hour * 60 + at.minute) * 60 + at.second) * 1000


def _id_of(key: str, starts_at_ms: int) -> TournamentId:
    digest = hashlib.sha256(f"{key}\n{starts_at_ms}".encode()).digest()
    return TournamentId(match_id_of(int.from_bytes(digest) >> 8 * len(digest) - ID_BITS))
