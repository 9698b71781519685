"""Packing: the rows of a match that has been over for some time become one packed record.

The record and the removal of the rows are one transaction, which fails if the rows have changed since they were read.
Imported matches keep their rows: they are few, and moderators may remove texts from them.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import delete, insert, select, tuple_
from sqlalchemy.dialects.postgresql import insert as upsert

from millrace.protocol import MatchId

from ..storage.database import Store
from .packed_form import EventRow, Packed
from .reading_store import EVENT_ROW, PACKED, load_rows
from .tables import events, matches, packed_matches, packing_progress

_PROGRESS = "ended before"


PackRows: TypeAlias = Callable[[Sequence[EventRow]], Awaitable[Packed]]
"""Runs `server.journal.packed_form.pack` elsewhere than on the event loop."""


class Place(NamedTuple):
    """A match in the order in which matches are packed."""

    ended_ms: int
    match: MatchId


START = Place(-(2**62), MatchId(""))


class _ChangedError(Exception):
    """Another writer has changed the match."""


class PackingStore(Store):
    """Packs matches. Every method raises StorageError."""

    async def next_matches(self, after: Place, before_ms: int, most: int) -> list[Place]:
        """Return the matches that ended after a place and before a moment, the earliest first; no imports."""
        columns = (matches.c.ended_ms, matches.c.id)
        is_after = tuple_(*columns) > tuple_(*after, types=[column.type for column in columns])
        found = select(*columns).where(is_after, matches.c.ended_ms < before_ms, matches.c.imported.is_(False))
        return await self._database.records(Place, found.order_by(*columns).limit(most))

    async def pack(self, match: MatchId, before_ms: int, pack_rows: PackRows) -> int:
        """Pack a match, unless something happened to it later; return the number of rows that this removed.

        Raises: ValueError if the match cannot be packed, and stays as it is; errors of `pack_rows`.
        """
        rows = (await load_rows(self._database, [match]))[match]
        packed = await self._database.record(Packed, select(*PACKED).where(packed_matches.c.match == match))
        first = 1 if packed is None else packed.last_seq + 1
        if len(rows) < first or rows[-1].at_ms >= before_ms:
            return 0
        replacement = await pack_rows(rows)
        try:
            await self._replace(match, list(rows[first - 1 :]), packed, replacement)
        except _ChangedError:
            return 0
        return len(rows) - first + 1

    async def _replace(self, match: MatchId, rows: list[EventRow], former: Packed | None, packed: Packed) -> None:
        moving = delete(events).where(events.c.match == match, events.c.seq <= packed.last_seq).returning(*EVENT_ROW)
        async with self._database.begin() as connection:
            removed = [EventRow(*row) for row in await connection.execute(moving)]
            if sorted(removed) != rows:
                raise _ChangedError
            if former is not None:
                is_former = [packed_matches.c[name] == value for name, value in former._asdict().items()]
                removing = delete(packed_matches).where(packed_matches.c.match == match, *is_former)
                if (await connection.execute(removing)).rowcount != 1:
                    raise _ChangedError
            await connection.execute(insert(packed_matches).values(match=match, **packed._asdict()))

    async def progress(self) -> Place:
        """Return the place up to which matches have been packed."""
        ended_ms = await self._database.value(int, select(packing_progress.c.ended_ms))
        return START if ended_ms is None else START._replace(ended_ms=ended_ms)

    async def note_progress(self, place: Place) -> None:
        """Store that the matches up to a place need not be looked at again."""
        put = upsert(packing_progress).values(name=_PROGRESS, ended_ms=place.ended_ms)
        changed = {"ended_ms": put.excluded.ended_ms}
        await self._database.execute(put.on_conflict_do_update(index_elements=["name"], set_=changed))
