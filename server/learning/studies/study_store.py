"""Stored studies. Each row is a chapter; a study has no other row: its chapters all have its title and its owner."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    Select,
    Text,
    delete,
    func,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, MatchId, Player, StudyChapter, StudySummary

from ...storage.database import Step, Store
from ...storage.tables import define_table, optional, required


class StoredStudy(NamedTuple):
    """A chapter of a study."""

    id: str
    identity: IdentityId
    """Whose study it is."""
    title: str
    """Of the study."""
    game: str
    setup: str
    match: MatchId | None
    text: str
    updated_ms: int
    """Also the number of the version: each is later than the one before."""
    part_of: str | None = None
    """The study. None for its first chapter, whose id names the study even after it has been deleted."""
    name: str = ""

    @property
    def whole(self) -> str:
        """The study."""
        return self.part_of or self.id


studies = define_table(
    "studies",
    ["id"],
    *required(Text, "id", "identity", "title", "game", "setup"),
    *optional(Text, "match"),
    *required(Text, "text"),
    *required(BigInteger, "updated_ms"),
    *optional(Text, "part_of"),
    Column("name", Text, nullable=False, server_default=text("''")),
    Column("place", Integer, nullable=False, server_default=text("0")),
)
"""Chapters of studies: moves with variations and comments as text, from a set-up or the start of a match. Everyone who
knows an id may read the study. `place` is the order within a study; equal places are in the order of ids."""

Index("studies_identity", studies.c.identity, studies.c.updated_ms)
Index("studies_part_of", studies.c.part_of)

study_editors = define_table("study_editors", ["study", "identity"], *required(Text, "study", "identity"))
"""The players who may edit a study besides its owner."""

Index("study_editors_identity", study_editors.c.identity)


class StudyStore(Store):
    """The studies of all players. Every method raises StorageError.

    Those that change something take further steps, and return False, with nothing stored, if a step fails.
    """

    async def find(self, study: str) -> StoredStudy | None:
        """Return a chapter, the first one of a study whose first chapter has been deleted, or None."""
        found = select(*(studies.c[name] for name in StoredStudy._fields)).where(_is_in(study))
        first = found.order_by(studies.c.id != study, studies.c.place, studies.c.id).limit(1)
        return await self._database.record(StoredStudy, first)

    async def chapters(self, study: str) -> list[StudyChapter]:
        """Return the chapters of a study, in order."""
        found = select(studies.c.id, studies.c.name, studies.c.game).where(_is_in(study))
        rows = await self._database.rows(found.order_by(studies.c.place, studies.c.id))
        return [StudyChapter(*row) for row in rows]

    async def editors(self, study: str) -> list[IdentityId]:
        """Return the players who may edit a study besides its owner."""
        found = select(study_editors.c.identity).where(study_editors.c.study == study)
        return await self._database.values(IdentityId, found.order_by(study_editors.c.identity))

    async def add(self, study: StoredStudy, *steps: Step) -> bool:
        """Store a chapter, as the last one of its study, which must exist unless this is its first chapter."""
        values = {name: literal(value, studies.c[name].type) for name, value in study._asdict().items()}
        place = func.coalesce(func.max(studies.c.place), -1) + 1
        row = select(*values.values(), place).where(_is_in(study.whole))
        if study.part_of is not None:
            row = row.having(func.count() > 0)
        adding = insert(studies).from_select([*values, "place"], row)
        return await self._database.transact([_locking_step(study.whole), Step(adding, must_change=True), *steps])

    async def change(self, study: StoredStudy, before_ms: int, *steps: Step) -> bool:
        """Replace a chapter; its version must still be `before_ms`. The title becomes that of the whole study."""
        values = {name: value for name, value in study._asdict().items() if name not in ("id", "identity", "part_of")}
        is_version = (studies.c.id == study.id, studies.c.updated_ms == before_ms)
        changing = Step(update(studies).where(*is_version).values(values), must_change=True)
        return await self._database.transact([changing, _titling_step(study.whole, study.title), *steps])

    async def arrange(
        self, study: StoredStudy, title: str | None, name: str | None, order: Sequence[str], *steps: Step
    ) -> bool:
        """Change the title of a study, the name of a chapter, and the order of the given chapters."""
        changes = [] if title is None else [_titling_step(study.whole, title)]
        if name is not None:
            changes.append(Step(update(studies).where(studies.c.id == study.id).values(name=name)))
        for place, chapter in enumerate(order):
            changes.append(Step(update(studies).where(studies.c.id == chapter).values(place=place)))
        return await self._database.transact([*changes, *steps])

    async def delete(self, study: StoredStudy, *steps: Step) -> bool:
        """Delete a study with all its chapters."""
        return await self._database.transact([*_deleting_steps(study.whole), *steps])

    async def delete_chapter(self, study: StoredStudy, *steps: Step) -> bool:
        """Delete one chapter; its study must have another."""
        count = select(func.count()).where(_is_in(study.whole)).scalar_subquery()
        deleting = delete(studies).where(studies.c.id == study.id, count > 1)
        return await self._database.transact([_locking_step(study.whole), Step(deleting, must_change=True), *steps])

    async def share(self, study: str, editor: IdentityId, *steps: Step, on: bool) -> bool:
        """Let a player edit a study, or no longer."""
        row = {"study": study, "identity": editor}
        adding = insert(study_editors).values(row).on_conflict_do_nothing()
        is_row = (study_editors.c.study == study, study_editors.c.identity == editor)
        return await self._database.transact([Step(adding if on else delete(study_editors).where(*is_row)), *steps])

    async def studies_of(self, identity: IdentityId, most: int) -> Sequence[StudySummary]:
        """Return the studies that a player may edit, the latest first, at most `most`."""
        shared = select(study_editors.c.study).where(study_editors.c.identity == identity)
        is_shared = or_(studies.c.id.in_(shared), studies.c.part_of.in_(shared))
        found = [
            StudySummary(study, title, game, updated_ms, is_own, chapters)
            for is_own, is_listed in ((True, studies.c.identity == identity), (False, is_shared))
            for study, title, game, updated_ms, chapters in await self._database.rows(_summaries(is_listed, most))
        ]
        return sorted(found, key=lambda each: -each.updated_ms)[:most]

    async def count_chapters(self, identity: IdentityId) -> int:
        """Return how many chapters the studies of a player have."""
        counted = select(func.count()).where(studies.c.identity == identity)
        return await self._database.value(int, counted) or 0


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's studies, and let the player edit no others."""
    own = select(func.coalesce(studies.c.part_of, studies.c.id)).where(studies.c.identity == identity)
    is_gone = or_(study_editors.c.identity == identity, study_editors.c.study.in_(own))
    return [Step(delete(study_editors).where(is_gone)), Step(delete(studies).where(studies.c.identity == identity))]


def removing_steps(study: StoredStudy) -> list[Step]:
    """Return the steps that delete a study; the chapter must be as it was read."""
    return [Step(delete(studies).where(*_is_unchanged(study)), must_change=True), *_deleting_steps(study.whole)]


def clearing_steps(study: StoredStudy, cleared: StoredStudy) -> list[Step]:
    """Return the steps that give a chapter, as it was read, another name and text, and its study another title."""
    clearing = update(studies).where(*_is_unchanged(study))
    # Another version, so that nobody who has it open saves the old text again.
    values = {"name": cleared.name, "text": cleared.text, "updated_ms": study.updated_ms + 1}
    return [Step(clearing.values(values), must_change=True), _titling_step(study.whole, cleared.title)]


def text_without_comments(text: str) -> str:
    """Return the canonical text of a study without comments, and the drawings in them.

    >>> text_without_comments("{Hello} 1. d6 $1 {a mill? [%csl Gd6]} (1. d2 {or} f4) f4")
    '1. d6 $1 (1. d2 f4) f4'
    """
    return " ".join(re.sub(r"\{[^{}]*\}", " ", text).replace("( ", "(").split()).replace(" )", ")")


def _is_in(study: str) -> ColumnElement[bool]:
    """Return whether a row is a chapter of a study, or the chapter of that id."""
    return or_(studies.c.id == study, studies.c.part_of == study)


def _locking_step(study: str) -> Step:
    """Return the step that keeps others from adding and deleting chapters of a study until the transaction ends."""
    return Step(select(studies.c.id).where(_is_in(study)).order_by(studies.c.id).with_for_update())


def _is_unchanged(study: StoredStudy) -> tuple[ColumnElement[bool], ...]:
    return studies.c.id == study.id, studies.c.updated_ms == study.updated_ms, studies.c.text == study.text


def _deleting_steps(study: str) -> list[Step]:
    editors = delete(study_editors).where(study_editors.c.study == study)
    return [_locking_step(study), Step(delete(studies).where(_is_in(study))), Step(editors)]


def _titling_step(study: str, title: str) -> Step:
    return Step(update(studies).where(_is_in(study), studies.c.title != title).values(title=title))


def _summaries(is_listed: ColumnElement[bool], most: int) -> Select[Any, Any, Any, Any, Any]:
    """Return the query of the studies of some chapters: each with its title, a game, the latest change, and the number
    of chapters.
    """
    whole = func.coalesce(studies.c.part_of, studies.c.id)
    latest = func.max(studies.c.updated_ms)
    found = select(whole, func.max(studies.c.title), func.max(studies.c.game), latest, func.count())
    return found.where(is_listed).group_by(whole).order_by(latest.desc(), whole).limit(most)
