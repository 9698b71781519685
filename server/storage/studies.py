"""Studies in a database: implements `server.learning.studies.study_store.StudyStore`."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, StudySummary

from ..learning.studies.study_store import StoredStudy
from .database import Database
from .tables import studies


class DatabaseStudies:
    """A `StudyStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, study: str) -> StoredStudy | None:
        """Return a study, or None. Raises: StorageError."""
        found = select(*(studies.c[name] for name in StoredStudy._fields)).where(studies.c.id == study)
        return await self._database.record(StoredStudy, found)

    async def keep(self, study: StoredStudy) -> bool:
        """Store a study, or replace one of the same player; return False if it is another's. Raises: StorageError."""
        values = study._asdict()
        changed = {name: value for name, value in values.items() if name not in ("id", "identity")}
        keeping = (
            insert(studies)
            .values(values)
            .on_conflict_do_update(index_elements=["id"], set_=changed, where=studies.c.identity == study.identity)
        )
        return await self._database.execute(keeping) == 1

    async def delete(self, identity: IdentityId, study: str) -> bool:
        """Delete a study of a player; return whether there was one. Raises: StorageError."""
        deleting = delete(studies).where(studies.c.id == study, studies.c.identity == identity)
        return await self._database.execute(deleting) == 1

    async def studies_of(self, identity: IdentityId, most: int) -> Sequence[StudySummary]:
        """Return a player's studies, the latest first, at most `most`. Raises: StorageError."""
        columns = studies.c
        found = select(columns.id, columns.title, columns.game, columns.updated_ms).where(columns.identity == identity)
        rows = await self._database.rows(found.order_by(columns.updated_ms.desc(), columns.id).limit(most))
        return [StudySummary(*row) for row in rows]
