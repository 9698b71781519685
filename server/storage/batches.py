"""Stores batches of appends, each batch in one transaction, with the same steps for SQLite and PostgreSQL.

Gathers nothing: `server.storage.writer` does. No statements: `server.storage.journal` has them.

Of the rows that a statement is given at once drivers do not count which it inserts. A row that conflicts therefore
violates a constraint; the batch is then halved until each conflict stands alone.

Several servers may share PostgreSQL. Two that append to one match meet at the unique keys: the loser waits until the
winner has committed and is then refused. All servers write the matches of a batch in one order, so that two batches
seldom wait for each other; if they do, PostgreSQL rolls one of them back, which is then stored again.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import Executable
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from ..journal.store import StorageError
from ..protocol import MatchId
from .database import Database
from .failures import is_retryable, is_unstorable

ATTEMPTS = 3
"""Maximum attempts to store a batch that PostgreSQL rolls back because of another transaction."""

Row: TypeAlias = Mapping[str, object]


class Insertion(NamedTuple):
    """A step of an append: rows for a statement."""

    statement: Executable
    rows: Sequence[Row]


class Append(NamedTuple):
    """Rows of one match that are stored together or not at all."""

    match: MatchId
    steps: Sequence[Insertion]
    begins: bool = False
    """Whether these are the first rows of the match."""


Outcome: TypeAlias = bool | StorageError
"""Of an append: stored, refused because of a conflict, or unstorable (which concerns that append alone)."""


class BatchStore:
    """Stores appends; `order` is the order in which the statements of a batch are run."""

    def __init__(self, database: Database, order: Sequence[Executable]) -> None:
        self._database = database
        self._ranks = {statement: rank for rank, statement in enumerate(order)}

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes.

        Raises: StorageError. Any of the appends may then have been stored.
        """
        order = sort_appends(appends)
        outcomes = await self._write([appends[index] for index in order])
        by_index = dict(zip(order, outcomes, strict=True))
        return [by_index[index] for index in range(len(appends))]

    async def _write(self, appends: Sequence[Append]) -> list[Outcome]:
        try:
            await self._store(appends)
        except StorageError as error:
            cause = error.__cause__
            assert isinstance(cause, Exception)
            is_refused = isinstance(cause, IntegrityError)
            if not is_refused and not is_unstorable(cause):
                raise
            if len(appends) == 1:
                return [False if is_refused else StorageError(f"this cannot be stored: {error}")]
            middle = len(appends) // 2
            return [*await self._write(appends[:middle]), *await self._write(appends[middle:])]
        return [True] * len(appends)

    async def _store(self, appends: Sequence[Append]) -> None:
        """Store all of the appends, or raise a StorageError with its cause."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with self._database.begin() as connection:
                    await self._insert(connection, appends)
            except StorageError as error:
                if attempt == ATTEMPTS or not (
                    isinstance(error.__cause__, Exception) and is_retryable(error.__cause__)
                ):
                    raise
            else:
                return

    async def _insert(self, connection: AsyncConnection, appends: Iterable[Append]) -> None:
        rows: dict[Executable, list[Row]] = defaultdict(list)
        for append in appends:
            for statement, some in append.steps:
                rows[statement].extend(some)
        for statement in sorted(rows, key=self._ranks.__getitem__):
            await connection.execute(statement, rows[statement])


def sort_appends(appends: Sequence[Append]) -> list[int]:
    """Return the indices in an order that all servers share, and that has the same outcomes as the given order.

    Only appends to one match, or appends that begin matches, can conflict; only those keep their order.
    """
    begun = {append.match for append in appends if append.begins}
    keys = [(append.match not in begun, "" if append.match in begun else append.match) for append in appends]
    return sorted(range(len(appends)), key=keys.__getitem__)
