"""The archive in a database: what `server.archive.store.ArchiveStore` promises.

No SQL here, and nothing is written: what is looked for the journal has noted with each match's end.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import cast

from ..archive.store import ArchivedMatch, ArchiveQuery
from ..journal.store import Recorded, StorageError
from ..protocol import GameScore, IdentityId, MalformedError, MatchId, parse_event
from .archive_statements import (
    LOADED_AT_ONCE,
    crosstable_statement,
    events_statement,
    scores_statement,
    search_statement,
    shape_of,
)
from .journal import read_event
from .statements import Statements
from .writer import Database


class DatabaseArchive:
    """An `ArchiveStore`; `server.storage.opening` makes it, in a file over a connection of its own, so that no ply
    waits for a search."""

    def __init__(self, database: Database, statements: Statements) -> None:
        self.database = database
        self._statements = statements

    async def search(self, wanted: ArchiveQuery, most: int) -> Sequence[ArchivedMatch]:
        """Return the latest matches that fit, the latest first. Raises: StorageError."""
        statement = search_statement(self.database.dialect, shape_of(wanted))
        rows = await self.database.fetch(statement.text, *statement.values(self.given(wanted, most)))
        found: dict[MatchId, ArchivedMatch] = {}
        for match, ended_ms, plies, body in cast("Sequence[tuple[MatchId, int, int, str]]", rows):
            try:
                event = parse_event(body)
            except MalformedError as error:
                raise StorageError(f"an event of match {match} cannot be read: {error}") from error
            before = found.get(match, ArchivedMatch(match, ended_ms, plies, ()))
            found[match] = before._replace(events=(*before.events, event))
        return list(found.values())

    @staticmethod
    def given(wanted: ArchiveQuery, most: int) -> dict[str, object]:
        """Return the values of the parameters that statements of searches name."""
        return {
            "player": wanted.player,
            "opponent": wanted.opponent,
            "importer": wanted.imported_by,
            "game": wanted.game,
            "since_ms": wanted.since_ms,
            "ended_ms": wanted.cursor.ended_ms,
            "behind": wanted.cursor.match,
            "most": most,
        }

    async def crosstable(self, one: IdentityId, other: IdentityId) -> Sequence[GameScore]:
        """Return how two have done against each other, the game of the most matches first. Raises: StorageError."""
        statement = crosstable_statement(self.database.dialect)
        rows = await self.database.fetch(statement.text, *statement.values({"player": one, "opponent": other}))
        return [GameScore(*cast("tuple[str, int, int, int]", tuple(row))) for row in rows]

    async def scores_of(self, player: IdentityId) -> Sequence[GameScore]:
        """Return how somebody has done against everybody, the game of the most matches first. Raises: StorageError."""
        statement = scores_statement(self.database.dialect)
        rows = await self.database.fetch(statement.text, *statement.values({"player": player}))
        return [GameScore(*row) for row in cast("Sequence[tuple[str, int, int, int]]", rows)]

    async def load(self, match: MatchId) -> tuple[Recorded, ...]:
        """Return a match's events in order, over or not; empty if there is no such match. Raises: StorageError."""
        rows = await self.database.fetch(self._statements.load, match)
        return tuple(read_event(match, row) for row in rows)

    async def load_each(self, matches: Sequence[MatchId]) -> AsyncIterator[tuple[MatchId, tuple[Recorded, ...]]]:
        """Yield the events of matches that there are, in that order; only a few are held at a time.

        Raises: StorageError.
        """
        statement = events_statement(self.database.dialect)
        for begin in range(0, len(matches), LOADED_AT_ONCE):
            some = matches[begin : begin + LOADED_AT_ONCE]
            # Fewer are filled up with the last of them.
            named = {f"match_{number}": some[min(number, len(some) - 1)] for number in range(LOADED_AT_ONCE)}
            stored: dict[MatchId, list[Sequence[object]]] = defaultdict(list)
            for match, *row in await self.database.fetch(statement.text, *statement.values(named)):
                stored[cast(MatchId, match)].append(row)
            for match in some:
                if match in stored:
                    yield match, tuple(read_event(match, row) for row in stored[match])

    async def close(self) -> None:
        """Let go of the database. Raises: StorageError."""
        await self.database.close()
