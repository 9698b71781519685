"""Studies: lines of play with variations, comments and drawings, saved and shared by link.

A study has one or more chapters. Each has an id of its own, which is the last part of its link; that of the first one
that was saved also names the whole study.
"""

from typing import Annotated, TypeAlias

import msgspec

from .fields import (
    CommandId,
    CommandIdField,
    CountField,
    GameNameField,
    MatchId,
    MatchIdField,
    Message,
    Part,
    PlayerNameField,
    SetupTextField,
)
from .values import Player

MAX_STUDY_PARTS = 16
MAX_PART_LENGTH = 4_000
MAX_CHAPTERS = 32

StudyTitleField = Annotated[str, msgspec.Meta(max_length=80)]
StudyIdField = Annotated[str, msgspec.Meta(max_length=32, pattern=r"^[!-~]*$")]


class SaveStudy(Message, frozen=True):
    """Save a study or a further chapter, or change a chapter that you may edit; answered by `StudySaved`.

    A long text is sent in parts: each but the last is answered by `Done`. The other fields are read from the last part.
    """

    id: CommandIdField
    upload: CommandIdField
    """The same for all parts of a text."""
    part: Annotated[int, msgspec.Meta(ge=0, lt=MAX_STUDY_PARTS)]
    """Counted from 0, in order."""
    parts: Annotated[int, msgspec.Meta(ge=1, le=MAX_STUDY_PARTS)]
    text: Annotated[str, msgspec.Meta(max_length=MAX_PART_LENGTH)]
    """Moves with numbers, comments, glyphs and variations, as in the text format of matches.

    Comments have at most 4,000 characters each; their line breaks become spaces, and braces in them parentheses. A
    variation with a null move becomes a comment."""
    game: GameNameField
    setup: SetupTextField = ""
    match: MatchIdField | None = None
    """The match that is studied; the text begins at its start, and `setup` is ignored."""
    title: StudyTitleField = ""
    """Of the whole study; ignored with `part_of` or `based_on_ms`."""
    study: StudyIdField = ""
    """The chapter to change; empty for a new one."""
    part_of: StudyIdField = ""
    """The study that gets a new chapter; empty for a new study."""
    name: StudyTitleField = ""
    """Of a new chapter."""
    based_on_ms: CountField = 0
    """The `updated_ms` of the text that was changed: if the chapter has been saved since, this is refused as
    `study_changed`. By default it replaces any text."""


class StudySaved(Message, frozen=True):
    """Answers `SaveStudy`."""

    id: CommandId
    study: str
    """The last part of its link."""
    updated_ms: int = 0


class GetStudy(Message, frozen=True):
    """Get a chapter of a study, or its first one; answered by `Study`."""

    id: CommandIdField
    study: StudyIdField


class StudyChapter(Part, frozen=True):
    """A chapter, without its text."""

    study: str
    """The last part of its link."""
    name: str
    game: str


class Study(Message, frozen=True):
    """Answers `GetStudy`."""

    id: CommandId
    study: str
    """The chapter."""
    title: str
    is_own: bool
    """Whether you saved it."""
    game: str
    setup: str
    match: MatchId | None
    text: str
    updated_ms: int
    author: str = ""
    """The name of the account that saved it; empty for a guest."""
    name: str = ""
    """Of the chapter."""
    chapters: tuple[StudyChapter, ...] = ()
    """All of the study, in order."""


class WatchStudy(Message, frozen=True):
    """Follow a chapter: `StudyNews` is sent now and after each change. With `on` false, stop."""

    study: StudyIdField
    on: bool = True


class StudyEditor(Part, frozen=True):
    """A player who may change a study."""

    player: Player
    is_here: bool
    """Whether they have it open."""


class StudyNews(Message, frozen=True):
    """A chapter that you follow, and its study, as they are now."""

    study: str
    """The chapter."""
    title: str
    name: str
    text: str
    updated_ms: int
    chapters: tuple[StudyChapter, ...]
    """Without the followed one once that has been deleted; then only they are meaningful."""
    editors: tuple[StudyEditor, ...]
    """Its author first, unless that is a guest."""
    people: int
    """Everyone who has the study open."""


class ChangeStudy(Message, frozen=True):
    """Change the title of a study that you may edit, or a chapter's name or place; answered by `Done`."""

    id: CommandIdField
    study: StudyIdField
    """The chapter."""
    title: StudyTitleField | None = None
    name: StudyTitleField | None = None
    place: Annotated[int, msgspec.Meta(ge=0, lt=MAX_CHAPTERS)] | None = None
    """Counted from 0."""


class DeleteChapter(Message, frozen=True):
    """Delete a chapter of a study that you may edit, except the only one; answered by `Done`."""

    id: CommandIdField
    study: StudyIdField
    """The chapter."""


class ShareStudy(Message, frozen=True):
    """Let a player edit your study, or no longer; answered by `Done`. An editor may leave a study."""

    id: CommandIdField
    study: StudyIdField
    player: PlayerNameField
    on: bool = True


class ListStudies(Message, frozen=True):
    """List the studies that you may edit; answered by `Studies`."""

    id: CommandIdField


class StudySummary(Part, frozen=True):
    """A study, without its text."""

    study: str
    title: str
    game: str
    updated_ms: int
    is_own: bool = True
    chapters: int = 1


class Studies(Message, frozen=True):
    """Answers `ListStudies`."""

    id: CommandId
    studies: tuple[StudySummary, ...]
    """Newest first."""


class DeleteStudy(Message, frozen=True):
    """Delete your own study with all its chapters, also for everyone with its link; answered by `Done`."""

    id: CommandIdField
    study: StudyIdField


StudyCommand: TypeAlias = SaveStudy | GetStudy | ChangeStudy | DeleteChapter | ShareStudy | ListStudies | DeleteStudy
StudyAnswer: TypeAlias = StudySaved | Study | StudyNews | Studies
