"""Finished matches that need not be kept, and their deletion with everything that belongs to them.

The matches are looked at once, in the order in which they ended, some time at once. How far that has come is stored.
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select
from sqlalchemy.dialects.postgresql import insert as upsert

from millrace.protocol import MatchId

from ..journal.entries import Recorded
from ..journal.packed_facts import NO_RESULT, number_of
from ..journal.reading_store import load_events
from ..journal.seats_store import game_numbers, seat_column
from ..journal.tables import SEATS, events, match_players, matches, packed_games, packed_matches, packing_progress
from ..matches.built_in_bots import BUILT_IN_BOTS
from ..storage.database import Store
from ..storage.tables import metadata

FOLLOWING = ("chat_lines", "match_analyses", "plans", "rematch_answers")
"""Tables whose rows are deleted with their match."""

HOLDING = ("moderation_log", "reports", "studies")
"""Tables of which a row keeps its match."""

OTHERS = ("imported_records", "mistakes", "notifications", "pairings", "rating_history")
"""Tables with rows of matches that are always kept, or that may name a match that is gone."""


class _KeptError(Exception):
    """Something is to keep the match."""


class RetentionStore(Store):
    """Finds and deletes matches. Every method raises StorageError."""

    async def progress(self, rule: str) -> int:
        """Return the moment before which a rule has been applied to all matches."""
        found = select(packing_progress.c.ended_ms).where(packing_progress.c.name == rule)
        return await self._database.value(int, found) or 0

    async def note_progress(self, rule: str, ended_ms: int) -> None:
        """Store that moment."""
        put = upsert(packing_progress).values(name=rule, ended_ms=ended_ms)
        changed = {"ended_ms": put.excluded.ended_ms}
        await self._database.execute(put.on_conflict_do_update(index_elements=["name"], set_=changed))

    async def next_end(self, since_ms: int) -> int | None:
        """Return when the first match has ended since a moment."""
        packed = select(func.min(packed_matches.c.ended_ms))
        packed = packed.where(packed_matches.c.game == packed_games.c.number, packed_matches.c.ended_ms >= since_ms)
        of_games = await self._database.rows(select(packed.scalar_subquery()).select_from(packed_games))
        of_rows = await self._database.rows(select(func.min(matches.c.ended_ms)).where(matches.c.ended_ms >= since_ms))
        return min((ended_ms for (ended_ms,) in (*of_games, *of_rows) if isinstance(ended_ms, int)), default=None)

    async def bot_matches(self, since_ms: int, before_ms: int) -> list[MatchId]:
        """Return the matches that ended in that time and in which only built-in bots had a seat."""
        players = match_players.c
        other = exists().where(players.match == matches.c.id, players.identity.not_in(BUILT_IN_BOTS))
        numbers = [number_of(bot) for bot in BUILT_IN_BOTS]
        are_bots = (or_(seat_column(seat).is_(None), seat_column(seat).in_(numbers)) for seat in SEATS)
        return await self._ended(since_ms, before_ms, ~other, and_(*are_bots))

    async def without_result(self, since_ms: int, before_ms: int) -> list[MatchId]:
        """Return the matches that ended in that time without a result."""
        rows, packed = matches.c.result, packed_matches.c.result
        return await self._ended(
            since_ms, before_ms, or_(rows.is_(None), rows == "none"), or_(packed.is_(None), packed == NO_RESULT)
        )

    async def _ended(
        self, since_ms: int, before_ms: int, is_found: ColumnElement[bool], is_found_packed: ColumnElement[bool]
    ) -> list[MatchId]:
        rows, packed = matches.c, packed_matches.c
        found = select(rows.id).where(rows.ended_ms >= since_ms, rows.ended_ms < before_ms, rows.imported.is_(False))
        in_time = (packed.game.in_(game_numbers), packed.ended_ms >= since_ms, packed.ended_ms < before_ms)
        # The rows first: what has left them by then is packed.
        some = await self._database.values(MatchId, found.where(is_found))
        some += await self._database.values(MatchId, select(packed.match).where(*in_time, is_found_packed))
        return list(dict.fromkeys(some))

    async def load(self, match: MatchId) -> Sequence[Recorded]:
        """Return the events of a match."""
        return await load_events(self._database, match)

    async def delete(self, match: MatchId) -> bool:
        """Delete a match with everything that belongs to it; return False, with nothing deleted, if something is to
        keep it.
        """
        is_kept = or_(*(exists().where(metadata.tables[name].c.match == match) for name in HOLDING))
        following = (metadata.tables[name] for name in FOLLOWING)
        try:
            async with self._database.begin() as connection:
                # The rows first: what has left them by then is packed.
                await connection.execute(delete(matches).where(matches.c.id == match))
                for table in (events, match_players, packed_matches, *following):
                    await connection.execute(delete(table).where(table.c.match == match))
                if await connection.scalar(select(is_kept)):
                    raise _KeptError
        except _KeptError:
            return False
        return True
