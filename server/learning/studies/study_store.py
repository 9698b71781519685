"""Stored studies."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Index, Text, delete, select, update
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

    async def keep(self, study: StoredStudy, *steps: Step) -> bool:
        """Store a study, or replace one of the same player, with further steps.

        Returns False, with nothing stored, if it is another's or a step fails.
        """
        values = study._asdict()
        changed = {name: value for name, value in values.items() if name not in ("id", "identity")}
        keeping = (
            insert(studies)
            .values(values)
            .on_conflict_do_update(index_elements=["id"], set_=changed, where=studies.c.identity == study.identity)
        )
        return await self._database.transact([Step(keeping, must_change=True), *steps])

    async def delete(self, identity: IdentityId, study: str, *steps: Step) -> bool:
        """Delete a study of a player, with further steps. Returns False, with nothing stored, if there is none."""
        deleting = delete(studies).where(studies.c.id == study, studies.c.identity == identity)
        return await self._database.transact([Step(deleting, must_change=True), *steps])

    async def studies_of(self, identity: IdentityId, most: int) -> Sequence[StudySummary]:
        """Return a player's studies, the latest first, at most `most`."""
        columns = studies.c
        found = select(columns.id, columns.title, columns.game, columns.updated_ms).where(columns.identity == identity)
        rows = await self._database.rows(found.order_by(columns.updated_ms.desc(), columns.id).limit(most))
        return [StudySummary(*row) for row in rows]


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's studies."""
    return [Step(delete(studies).where(studies.c.identity == identity))]


def removing_step(study: StoredStudy) -> Step:
    """Return the step that deletes a study as it was read."""
    return Step(delete(studies).where(*_is_unchanged(study)), must_change=True)


def clearing_step(study: StoredStudy, cleared: StoredStudy) -> Step:
    """Return the step that gives a study, as it was read, another title and text."""
    clearing = update(studies).where(*_is_unchanged(study))
    return Step(clearing.values(title=cleared.title, text=cleared.text), must_change=True)


def text_without_comments(text: str) -> str:
    """Return the canonical text of a study without comments, and the drawings in them.

    >>> text_without_comments("{Hello} 1. d6 $1 {a mill? [%csl Gd6]} (1. d2 {or} f4) f4")
    '1. d6 $1 (1. d2 f4) f4'
    """
    return " ".join(re.sub(r"\{[^{}]*\}", " ", text).replace("( ", "(").split()).replace(" )", ")")


def _is_unchanged(study: StoredStudy) -> tuple[ColumnElement[bool], ...]:
    return studies.c.id == study.id, studies.c.updated_ms == study.updated_ms, studies.c.text == study.text
