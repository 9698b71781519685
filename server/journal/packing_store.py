"""Packing: the rows of a match that has been over for some time become one packed record.

The record and the removal of the rows are one transaction, which fails if the events have changed since they were read.
Imported matches keep their rows: they are few, and moderators may remove texts from them.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import delete, func, insert, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from millrace.protocol import MatchId

from ..storage.database import Store
from .packed_facts import MatchRow, SeatRow, facts_of
from .packed_form import EventRow, Packed
from .reading_store import EVENT_ROW, PACKED, load_rows
from .tables import events, match_players, matches, packed_games, packed_matches, packing_progress

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

    async def matches_going_on(self, after: MatchId, most: int) -> list[MatchId]:
        """Return the packed matches behind another one, by id, to which something has happened since."""
        found = select(events.c.match).join(packed_matches, packed_matches.c.match == events.c.match)
        found = found.where(events.c.match > after, packed_matches.c.ended_ms.is_not(None))
        return await self._database.values(MatchId, found.distinct().order_by(events.c.match).limit(most))

    async def pack(self, match: MatchId, before_ms: int, pack_rows: PackRows) -> int:
        """Pack a match, unless something happened to it later; return the number of events that this packed.

        Raises: ValueError if the match cannot be packed, and stays as it is; errors of `pack_rows`.
        """
        rows = (await load_rows(self._database, [match]))[match]
        packed = await self._database.record(Packed, select(*PACKED).where(packed_matches.c.match == match))
        first = 1 if packed is None else packed.last_seq + 1
        if not rows or rows[-1].at_ms >= before_ms:
            return 0
        replacement = packed if packed is not None and len(rows) < first else await pack_rows(rows)
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
            values = {**packed._asdict(), **await _take_facts(connection, match)}
            if former is None:
                await connection.execute(insert(packed_matches).values(match=match, **values))
                return
            is_former = [packed_matches.c[name] == value for name, value in former._asdict().items()]
            replacing = update(packed_matches).where(packed_matches.c.match == match, *is_former).values(values)
            if (await connection.execute(replacing)).rowcount != 1:
                raise _ChangedError

    async def progress(self) -> Place:
        """Return the place up to which matches have been packed."""
        ended_ms = await self._database.value(
            int, select(packing_progress.c.ended_ms).where(packing_progress.c.name == _PROGRESS)
        )
        return START if ended_ms is None else START._replace(ended_ms=ended_ms)

    async def note_progress(self, place: Place) -> None:
        """Store that the matches up to a place need not be looked at again."""
        put = upsert(packing_progress).values(name=_PROGRESS, ended_ms=place.ended_ms)
        changed = {"ended_ms": put.excluded.ended_ms}
        await self._database.execute(put.on_conflict_do_update(index_elements=["name"], set_=changed))


async def _take_facts(connection: AsyncConnection, match: MatchId) -> Mapping[str, object]:
    """Delete the rows of a match in `matches` and `match_players`; return the columns that replace them.

    Only players who left before the start keep theirs, so that their names are still found. Nothing is returned
    if there are no rows any more.
    """
    taking = delete(matches).where(matches.c.id == match).returning(*(matches.c[name] for name in MatchRow._fields))
    row = (await connection.execute(taking)).one_or_none()
    if row is None:
        return {}
    players = match_players.c
    leaving = delete(match_players).where(players.match == match, players.seat >= 0)
    seats = await connection.execute(leaving.returning(*(players[name] for name in SeatRow._fields)))
    found = MatchRow(*row)
    return facts_of(found, [SeatRow(*seat) for seat in seats], await _game_number(connection, found.game))


async def _game_number(connection: AsyncConnection, game: str) -> int:
    """Return the number of a game, the next one if it has none."""
    games = packed_games.c
    following = select(func.coalesce(func.max(games.number), 0) + 1).scalar_subquery()
    numbering = upsert(packed_games).values(number=following, game=game).on_conflict_do_nothing()
    # Another server that numbers a game at the same time takes the same number, and this one then waits for it.
    while (number := await connection.scalar(select(games.number).where(games.game == game))) is None:
        await connection.execute(numbering)
    return int(number)
