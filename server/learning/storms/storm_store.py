"""Stored storms: each player's present one in each game, and the best scores."""

from typing import NamedTuple

from sqlalchemy import BigInteger, Integer, Text, delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, Player

from ...storage.database import Step, Store
from ...storage.tables import define_table, required
from .storm import Storm

storms = define_table(
    "storms",
    ["identity", "game"],
    *required(Text, "identity", "game"),
    *required(Integer, "version"),
    *required(BigInteger, "ends_ms"),
    *required(Integer, "number"),
    *required(Text, "puzzles"),
    *required(Integer, "plies", "score", "combo", "best", "best_of_day", "day"),
)
"""`version` counts the changes."""


class StoredStorm(NamedTuple):
    """A storm, and how often it has changed."""

    storm: Storm = Storm()
    version: int = 0


class _Version(NamedTuple):
    version: int


class StormStore(Store):
    """What is stored about storms. Every method raises StorageError."""

    async def find(self, identity: IdentityId, game: str) -> StoredStorm:
        """Return a player's storm in a game."""
        columns = storms.c
        found = select(columns.version, *(columns[name] for name in Storm._fields))
        own = found.where(columns.identity == identity, columns.game == game)
        stored = await self._database.pairs(_Version, Storm, own)
        return next((StoredStorm(storm, version.version) for version, storm in stored), StoredStorm())

    async def put(self, identity: IdentityId, game: str, before: StoredStorm, storm: Storm, *further: Step) -> bool:
        """Store a storm, and further steps, in one transaction.

        Returns False, with nothing stored, if it has changed since it was read, or if a step fails.
        """
        values = {"version": before.version + 1, **storm._asdict()}
        storing = insert(storms).values(identity=identity, game=game, **values)
        replacing = storing.on_conflict_do_update(
            index_elements=["identity", "game"], set_=values, where=storms.c.version == before.version
        )
        return await self._database.transact([Step(replacing, must_change=True), *further])


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's storms."""
    return [Step(delete(storms).where(storms.c.identity == identity))]
