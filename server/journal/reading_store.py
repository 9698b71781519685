"""Reading the events of matches, whether they have rows or are packed.

Packing moves events while others read. The rows are therefore read first: what has left them by then is packed.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from millrace.protocol import MalformedError, MatchId, parse_event

from ..runtime.slices import in_slices
from ..storage.database import Database
from ..storage.errors import StorageError
from .entries import Entry, Recorded
from .packed_form import EventRow, Packed, unpack
from .tables import events, packed_matches

EVENT_ROW = tuple(events.c[name] for name in EventRow._fields)
PACKED = tuple(packed_matches.c[name] for name in Packed._fields)
MATCHES_A_QUERY = 500
"""Maximum matches that one query asks about."""


class _Match(NamedTuple):
    match: MatchId


class _LastSeq(NamedTuple):
    match: MatchId
    seq: int


async def load_events(database: Database, match: MatchId, since: int = 0) -> tuple[Recorded, ...]:
    """Return a match's events after `since` in order; empty if there are none. Raises: StorageError."""
    is_new = (events.c.match == match, events.c.seq > since)
    rows = await database.records(EventRow, select(*EVENT_ROW).where(*is_new).order_by(events.c.seq))
    whole = await _with_packed(database, {match: rows}, since)
    return tuple([recorded_of(match, row) async for row in in_slices(whole[match])])


async def load_rows(database: Database, matches: Sequence[MatchId]) -> Mapping[MatchId, Sequence[EventRow]]:
    """Return the rows of the events of some matches, in order; none for an unknown match. Raises: StorageError."""
    found = select(events.c.match, *EVENT_ROW).where(events.c.match.in_(matches)).order_by(events.c.match, events.c.seq)
    rows: dict[MatchId, list[EventRow]] = {match: [] for match in matches}
    for (match,), row in await database.pairs(_Match, EventRow, found):
        rows[match].append(row)
    return await _with_packed(database, rows)


async def load_last_seqs(database: Database, matches: Collection[MatchId]) -> Mapping[MatchId, int]:
    """Return the number of the last event of each of these matches. Raises: StorageError."""
    asked, found = list(matches), dict[MatchId, int]()
    last_row = select(events.c.match, func.max(events.c.seq)).group_by(events.c.match)
    last_packed = select(packed_matches.c.match, packed_matches.c.last_seq)
    for start in range(0, len(asked), MATCHES_A_QUERY):
        some = asked[start : start + MATCHES_A_QUERY]
        rows = await database.records(_LastSeq, last_row.where(events.c.match.in_(some)))
        if missing := set(some) - {row.match for row in rows}:
            rows += await database.records(_LastSeq, last_packed.where(packed_matches.c.match.in_(missing)))
        found |= {row.match: row.seq for row in rows}
    return found


def recorded_of(match: MatchId, row: EventRow) -> Recorded:
    """Return the event of a row. Raises: StorageError."""
    try:
        event = parse_event(row.body)
    except MalformedError as error:
        raise StorageError(f"event {row.seq} of match {match} cannot be read: {error}") from error
    return Recorded(row.seq, Entry(event, row.at_ms, row.seat, row.command_id))


async def _with_packed(
    database: Database, rows: Mapping[MatchId, Sequence[EventRow]], since: int = 0
) -> Mapping[MatchId, Sequence[EventRow]]:
    """Return the rows of matches with those before them that are packed."""
    missing = [match for match, some in rows.items() if not some or some[0].seq != since + 1]
    if not missing:
        return rows
    is_missing = packed_matches.c.match.in_(missing)
    packed = await database.pairs(_Match, Packed, select(packed_matches.c.match, *PACKED).where(is_missing))
    whole = dict(rows)
    for (match,), each in packed:
        if each.last_seq > since:
            # Some milliseconds: not on the event loop.
            unpacked = await asyncio.to_thread(_unpacked, match, each)
            whole[match] = [*unpacked[since:], *(row for row in rows[match] if row.seq > each.last_seq)]
    return whole


def _unpacked(match: MatchId, packed: Packed) -> Sequence[EventRow]:
    try:
        return unpack(packed)
    except ValueError as error:
        raise StorageError(f"the packed match {match} cannot be read: {error}") from error
