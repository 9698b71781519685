"""Stored studies."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, Text, delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, MatchId, Player, StudySummary

from ...storage.database import Step, Store
from ...storage.tables import define_table, optional, required


class StoredStudy(NamedTuple):
    """A study."""

    id: str
    identity: IdentityId
    """Whose it is."""
    title: str
    game: str
    setup: str
    match: MatchId | None
    text: str
    updated_ms: int


studies = define_table(
    "studies",
    ["id"],
    *required(Text, "id", "identity", "title", "game", "setup"),
    *optional(Text, "match"),
    *required(Text, "text"),
    *required(BigInteger, "updated_ms"),
)
"""Studies that players have saved: moves with variations and comments as text, from a set-up or the start of a match.
Everyone who knows an id may read the study."""

Index("studies_identity", studies.c.identity, studies.c.updated_ms)


class StudyStore(Store):
    """The studies of all players. Every method raises StorageError."""

    async def find(self, study: str) -> StoredStudy | None:
        """Return a study, or None."""
        found = select(*(studies.c[name] for name in StoredStudy._fields)).where(studies.c.id == study)
        return await self._database.record(StoredStudy, found)

    async def keep(self, study: StoredStudy) -> bool:
        """Store a study, or replace one of the same player. Returns False, with nothing stored, if it is another's."""
        values = study._asdict()
        changed = {name: value for name, value in values.items() if name not in ("id", "identity")}
        keeping = (
            insert(studies)
            .values(values)
            .on_conflict_do_update(index_elements=["id"], set_=changed, where=studies.c.identity == study.identity)
        )
        return await self._database.execute(keeping) == 1

    async def delete(self, identity: IdentityId, study: str) -> bool:
        """Delete a study of a player; return whether there was one."""
        deleting = delete(studies).where(studies.c.id == study, studies.c.identity == identity)
        return await self._database.execute(deleting) == 1

    async def studies_of(self, identity: IdentityId, most: int) -> Sequence[StudySummary]:
        """Return a player's studies, the latest first, at most `most`."""
        columns = studies.c
        found = select(columns.id, columns.title, columns.game, columns.updated_ms).where(columns.identity == identity)
        rows = await self._database.rows(found.order_by(columns.updated_ms.desc(), columns.id).limit(most))
        return [StudySummary(*row) for row in rows]


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's studies."""
    return [Step(delete(studies).where(studies.c.identity == identity))]
