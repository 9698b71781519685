"""Searches in a database: implements `server.lobby.search_store.SearchStore`.

Also the statements by which a match that is appended to the journal ends the searches of its players.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Executable, bindparam, delete, literal_column, select, true, update
from sqlalchemy.dialects import postgresql

from millrace.protocol import CommandId, IdentityId
from millrace.protocol.newer_fields import read_json

from ..journal.journal import StorageError
from ..lobby.search_store import SearchDetails, StoredSearch
from .batches import Statement, parameters
from .database import Database
from .tables import searches

NOTHING: ColumnElement[str] = literal_column("''")
ZERO: ColumnElement[int] = literal_column("0")

_details: msgspec.json.Decoder[SearchDetails] = msgspec.json.Decoder(SearchDetails)
_SEARCH = ("identity", "command_id")


def _require_search() -> Executable:
    """Return an insert that changes nothing, and violates a constraint unless a player's search by a command is stored.

    Until the end of the transaction nobody else can end it: of two matches, or of a match and a withdrawal, only the
    first has the search.
    """
    identity, command = searches.c.identity, searches.c.command_id
    wanted = select(*(value.label(name) for name, value in parameters(searches, *_SEARCH).items())).subquery("wanted")
    found = select(command).where(identity == wanted.c.identity, command == wanted.c.command_id).with_for_update()
    # SQLite takes `ON` for that of a join, unless a condition is in between.
    row = select(wanted.c.identity, found.scalar_subquery(), ZERO, NOTHING, NOTHING).where(true())
    return postgresql.insert(searches).from_select(searches.c.keys(), row).on_conflict_do_nothing()


REQUIRE_SEARCH = Statement(_require_search(), _SEARCH)
END_SEARCH = Statement(
    delete(searches).where(
        searches.c.identity == bindparam("of_identity"), searches.c.command_id == bindparam("of_command")
    ),
    ("of_identity", "of_command"),
)


class _Row(NamedTuple):
    identity: IdentityId
    command: CommandId
    since_ms: int
    node: str
    details: str

    def read(self) -> StoredSearch:
        try:
            details = read_json(self.details, _details)
        except msgspec.MsgspecError as error:
            raise StorageError(f"the search of {self.identity} cannot be read: {error}") from error
        return StoredSearch(self.identity, self.command, self.since_ms, self.node, details)


class DatabaseSearches:
    """A `SearchStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[StoredSearch]:
        """Return all searches. Raises: StorageError."""
        return [row.read() for row in await self._database.records(_Row, select(*searches.c))]

    async def find(self, identity: IdentityId) -> StoredSearch | None:
        """Return a player's search. Raises: StorageError."""
        row = await self._database.record(_Row, select(*searches.c).where(searches.c.identity == identity))
        return None if row is None else row.read()

    async def put(self, search: StoredSearch) -> None:
        """Store a search, in place of another one of the player. Raises: StorageError."""
        written = {
            "command_id": search.command,
            "since_ms": search.since_ms,
            "node": search.node,
            "details": msgspec.json.encode(search.details).decode(),
        }
        putting = postgresql.insert(searches).values(identity=search.identity, **written)
        await self._database.execute(putting.on_conflict_do_update(index_elements=["identity"], set_=written))

    async def locate(self, identity: IdentityId, node: str) -> None:
        """Store to which node a player who searches is connected. Raises: StorageError."""
        await self._database.execute(update(searches).where(searches.c.identity == identity).values(node=node))

    async def remove(self, identity: IdentityId, command: CommandId | None = None) -> bool:
        """Delete a player's search, if it began by this command; return whether it was stored. Raises: StorageError."""
        removing = delete(searches).where(searches.c.identity == identity)
        return bool(
            await self._database.execute(
                removing if command is None else removing.where(searches.c.command_id == command)
            )
        )
