"""The stored searches for a quick pairing, and what they led to.

A match is stored together with the end of its players' searches, so a search leads to one match at most, and to none
once it has been withdrawn, whatever nodes take part.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Executable, bindparam, delete, insert, literal_column, select, true, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import BigInteger, Text

from millrace.protocol import CommandId, IdentityId, MatchId, PairingRequest, Player
from millrace.protocol.newer_fields import read_json

from ..journal.entries import Origin
from ..storage.appends import Insertion, Statement, parameters
from ..storage.database import Step, Store
from ..storage.errors import StorageError
from ..storage.tables import define_table, required


class SearchDetails(msgspec.Struct, frozen=True):
    """What is searched for, and by whom."""

    player: Player
    request: PairingRequest
    takes_fewer: bool
    """Whether the player accepts a match with fewer seats after a while."""
    ratings: Mapping[int, int]
    """The player's ratings, by number of seats."""


class StoredSearch(NamedTuple):
    """A player's search; each player has one at most."""

    identity: IdentityId
    command: CommandId
    """The id of the `FindMatch` that began it."""
    since_ms: int
    node: str
    """The node to which the player is connected, as far as is known; empty if to none."""
    details: SearchDetails


pairings = define_table(
    "pairings",
    ["identity", "command_id"],
    *required(Text, "identity", "command_id", "match"),
)
"""Players' requests for a quick pairing or for the bot offered instead, each with its match."""

searches = define_table(
    "searches",
    ["identity"],
    *required(Text, "identity", "command_id"),
    *required(BigInteger, "since_ms"),
    *required(Text, "node", "details"),
)
"""The searches for a quick pairing, with the command that began each. `node` is where the player is connected."""


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
INSERT_PAIRING = Statement(insert(pairings).values(parameters(pairings)), tuple(pairings.c.keys()))
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


STATEMENTS = (INSERT_PAIRING, REQUIRE_SEARCH, END_SEARCH)
"""In the order in which a batch of the journal runs them."""


class SearchStore(Store):
    """The stored searches. Every method raises StorageError."""

    async def all(self) -> Sequence[StoredSearch]:
        """Return all searches."""
        return [row.read() for row in await self._database.records(_Row, select(*searches.c))]

    async def find(self, identity: IdentityId) -> StoredSearch | None:
        """Return a player's search."""
        row = await self._database.record(_Row, select(*searches.c).where(searches.c.identity == identity))
        return None if row is None else row.read()

    async def put(self, search: StoredSearch) -> None:
        """Store a search, in place of another one of the player."""
        written = {
            "command_id": search.command,
            "since_ms": search.since_ms,
            "node": search.node,
            "details": msgspec.json.encode(search.details).decode(),
        }
        putting = postgresql.insert(searches).values(identity=search.identity, **written)
        await self._database.execute(putting.on_conflict_do_update(index_elements=["identity"], set_=written))

    async def locate(self, identity: IdentityId, node: str) -> None:
        """Store to which node a player who searches is connected."""
        await self._database.execute(update(searches).where(searches.c.identity == identity).values(node=node))

    async def remove(self, identity: IdentityId, command: CommandId | None = None) -> bool:
        """Delete a player's search, if it began by this command; return whether it was stored."""
        removing = delete(searches).where(searches.c.identity == identity)
        return bool(
            await self._database.execute(
                removing if command is None else removing.where(searches.c.command_id == command)
            )
        )

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to by quick pairing."""
        is_asked = (pairings.c.identity == asked.by, pairings.c.command_id == asked.command_id)
        return await self._database.value(MatchId, select(pairings.c.match).where(*is_asked))


def ending_insertions(searches: Sequence[Origin]) -> list[Insertion]:
    """Return the insertions that end searches by a match; nothing is stored if one of them is no longer stored."""
    ended = sorted((search.by, search.command_id) for search in searches)
    return [Insertion(REQUIRE_SEARCH, ended), Insertion(END_SEARCH, ended)] if ended else []


def pairing_insertions(asked: Sequence[Origin], match: MatchId) -> list[Insertion]:
    """Return the insertions that note to which match the commands of players have led.

    Nothing is stored if one of them has led to another match.
    """
    rows = [(each.by, each.command_id, match) for each in asked]
    return [Insertion(INSERT_PAIRING, rows)] if rows else []


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's search, and what the player's commands have led to."""
    return [Step(delete(table).where(table.c.identity == identity)) for table in (pairings, searches)]
