"""The calendar: arenas that recur, as the operator's file names them, and when each of them starts.

Pure. All times are UTC.
"""

import hashlib
import tomllib
from collections.abc import Sequence
from datetime import time
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from millrace.protocol import TournamentId, TournamentPlan
from millrace.protocol.refusal import Refusal

from ..callers.user_text import require_showable
from ..matches.match_ids import ID_BITS, match_id_of
from .decisions import require_plan

DAY_MS = 86_400_000

Day: TypeAlias = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DAYS: tuple[Day, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FIRST_DAY = 3
"""The place of 1 January 1970 in `DAYS`: it was a Thursday."""


class CalendarError(Exception):
    """A calendar cannot be used; the text says which entry is wrong, and why."""


class Recurrence(msgspec.Struct, frozen=True):
    """When an arena recurs."""

    key: Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,40}$")]
    """Tells the entry from all others, also in later versions of the file."""
    at: Annotated[tuple[time, ...], msgspec.Meta(min_length=1)]
    on: Annotated[tuple[Day, ...], msgspec.Meta(min_length=1)] = DAYS


class RecurringArena(NamedTuple):
    """An entry of the calendar."""

    recurrence: Recurrence
    plan: TournamentPlan
    """Its start is filled in for each occurrence."""


class Occurrence(NamedTuple):
    """One arena of a recurring one."""

    tournament: TournamentId
    """Follows from the entry's key and the start, so that no occurrence can be stored twice."""
    plan: TournamentPlan


Calendar: TypeAlias = Sequence[RecurringArena]


def parse_calendar(text: str) -> Calendar:
    """Return the entries of a calendar in TOML. Raises: CalendarError."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CalendarError(f"The calendar is not TOML: {error}.") from None
    entries = tables.pop("arena", [])
    if tables or not isinstance(entries, list):
        raise CalendarError(f"The calendar may have [[arena]] entries only, not {', '.join(tables) or '[arena]'}.")
    calendar = [_read(number, entry) for number, entry in enumerate(entries, 1)]
    keys = [arena.recurrence.key for arena in calendar]
    if repeated := next((key for number, key in enumerate(keys) if key in keys[:number]), None):
        raise CalendarError(f"Two arenas of the calendar have the key {repeated}; each needs its own.")
    return calendar


def occurrences(calendar: Calendar, after_ms: int, until_ms: int) -> list[Occurrence]:
    """Return the occurrences that start after a time and not after another, the earliest first."""
    found = [
        Occurrence(_id_of(recurrence.key, starts_at_ms), replace(plan, starts_at_ms=starts_at_ms))
        for recurrence, plan in calendar
        for day in range(after_ms // DAY_MS, until_ms // DAY_MS + 1)
        if DAYS[(day + FIRST_DAY) % len(DAYS)] in recurrence.on
        for at in sorted(set(recurrence.at))
        if after_ms < (starts_at_ms := day * DAY_MS + _ms_of(at)) <= until_ms
    ]
    return sorted(found, key=lambda each: each.plan.starts_at_ms)


def _read(number: int, entry: Any) -> RecurringArena:
    """Return an entry. Raises: CalendarError."""
    key = entry.get("key") if isinstance(entry, dict) else None
    place = f"Arena {number} of the calendar" + (f" ({key})" if isinstance(key, str) else "")
    try:
        recurrence = msgspec.convert(entry, Recurrence)
        plan = {name: value for name, value in entry.items() if name not in Recurrence.__struct_fields__}
        if "starts_at_ms" in plan:
            raise CalendarError(f"{place}: starts_at_ms is not possible; `at` says when it starts.")
        arena = RecurringArena(recurrence, msgspec.convert(plan | {"starts_at_ms": 0}, TournamentPlan))
        require_plan(arena.plan, 0)
        require_showable(arena.plan.name)
        require_showable(arena.plan.description)
    except msgspec.ValidationError as error:
        raise CalendarError(f"{place}{_fault_text(error)}") from None
    except Refusal as refusal:
        raise CalendarError(f"{place}: {refusal.message}") from None
    return arena


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
