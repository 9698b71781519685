"""The events of imported matches, whose players are only names. Pure.

An import is identified by its content, so a player cannot import the same match twice.
"""

import hashlib
import re
from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from millrace.engine.game import NO_MOVE
from millrace.engine.state import State
from millrace.protocol import (
    Annotated,
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    Moved,
    Player,
    Seated,
    SeatPlan,
    SeatRating,
    Started,
    Termination,
    Voided,
)

from ..journal.entries import Entry, Origin
from ..matches.clock import starting_ms
from .record import MatchRecord
from .record_reader import ReadMatch

IMPORTED_PLAYER = IdentityId("imported")
"""The identity of all players of imports, which no real player can have: a name in a text proves nothing."""
MAX_TIME_MS = 2**42
"""In the year 2109; later times in a text are ignored."""
HIGHEST_RATING = 9999

_REASON = re.compile(r"[a-z_]{1,32}")
_VOID_EXPLANATION = "the result did not count where the match was played"
_UNKNOWN_EXPLANATION = "the record does not say how it ended"


def origin_of(reading: ReadMatch, importer: str) -> Origin:
    """Return the id of a player's import."""
    digest = hashlib.sha256(msgspec.json.encode(reading.record)).hexdigest()
    return Origin(importer, CommandId(f"import {digest}"))


def entries_of(reading: ReadMatch, now_ms: int) -> list[Entry]:
    """Return the events of a match, with its own times if it has any."""
    record = reading.record
    started_ms = _moment(record.started_ms, _moment(record.ended_ms, now_ms))
    latest_ms = started_ms
    opening: list[Event] = [
        Created(record.game, record.setup, (SeatPlan("open"),) * len(record.seats), record.clock, imported=True)
    ]
    opening += [_seated(record, seat) for seat in range(len(record.seats))]
    entries = [Entry(event, started_ms) for event in (*opening, Started())]
    if record.comment is not UNSET:
        entries.append(Entry(Annotated(record.comment), started_ms))
    for ply, moved in zip(record.plies, _plies(record, reading.state), strict=True):
        latest_ms = max(latest_ms, _moment(ply.at_ms, latest_ms))
        entries.append(Entry(moved, latest_ms))
        if ply.note is not UNSET:
            entries.append(Entry(Annotated(ply.note.comment, ply.note.glyphs, ply.note.variations), latest_ms))
    ended_ms = max(latest_ms, _moment(record.ended_ms, latest_ms))
    ending: list[Event] = [_ended(record), Voided(_VOID_EXPLANATION)] if record.void else [_ended(record)]
    return [*entries, *(Entry(event, ended_ms) for event in ending)]


def _seated(record: MatchRecord, seat: int) -> Seated:
    written = record.seats[seat]
    is_rating = written.rating is not None and 0 <= written.rating <= HIGHEST_RATING
    rating = SeatRating(written.rating) if is_rating and written.rating is not None else None
    return Seated(seat, Player(IMPORTED_PLAYER, written.name), rating)


def _plies(record: MatchRecord, state: State) -> Sequence[Moved]:
    clock = record.clock
    left_ms = None if clock is None else [starting_ms(clock)] * len(record.seats)
    plies = []
    for before, after, ply in zip(state.line, state.line[1:], record.plies, strict=False):
        if left_ms is not None and ply.clock_ms is not None:
            left_ms[before.seat] = min(max(0, ply.clock_ms), MAX_TIME_MS)
        is_forced = before.game.rules.forced_pass != NO_MOVE and after.move == before.game.rules.forced_pass
        plies.append(Moved(before.seat, ply.move, None if left_ms is None else tuple(left_ms), is_forced))
    return plies


def _ended(record: MatchRecord) -> Ended:
    is_known = _REASON.fullmatch(record.termination) is not None
    reason = record.termination if is_known else Termination.UNKNOWN.value
    return Ended(record.ranks, reason, record.explanation or _UNKNOWN_EXPLANATION)


def _moment(at_ms: int | None, otherwise_ms: int) -> int:
    return at_ms if at_ms is not None and 0 <= at_ms <= MAX_TIME_MS else otherwise_ms
