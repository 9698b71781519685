"""Studies: lines of play with variations, comments and drawings, saved and shared by link."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import (
    CommandId,
    CommandIdField,
    GameNameField,
    MatchId,
    MatchIdField,
    Message,
    Part,
    SetupTextField,
)

MAX_STUDY_PARTS = 16
MAX_PART_LENGTH = 4_000

StudyIdField = Annotated[str, msgspec.Meta(max_length=32, pattern=r"^[!-~]*$")]


class SaveStudy(Message, frozen=True):
    """Save a study, or change one of your own; answered by `StudySaved`.

    A long text is sent in parts: each but the last is answered by `Done`. The other fields are read from the last part.
    """

    id: CommandIdField
    upload: CommandIdField
    """The same for all parts of a text."""
    part: Annotated[int, msgspec.Meta(ge=0, lt=MAX_STUDY_PARTS)]
    """Counted from 0, in order."""
    parts: Annotated[int, msgspec.Meta(ge=1, le=MAX_STUDY_PARTS)]
    text: Annotated[str, msgspec.Meta(max_length=MAX_PART_LENGTH)]
    """Moves with numbers, comments, glyphs and variations, as in the text format of matches."""
    game: GameNameField
    setup: SetupTextField = ""
    match: MatchIdField | None = None
    """The match that is studied; the text begins at its start, and `setup` is ignored."""
    title: Annotated[str, msgspec.Meta(max_length=80)] = ""
    study: StudyIdField = ""
    """The study to change; empty for a new one."""


class StudySaved(Message, frozen=True):
    """Answers `SaveStudy`."""

    id: CommandId
    study: str
    """The last part of its link."""


class GetStudy(Message, frozen=True):
    """Get a study; answered by `Study`."""

    id: CommandIdField
    study: StudyIdField


class Study(Message, frozen=True):
    """Answers `GetStudy`."""

    id: CommandId
    study: str
    title: str
    is_own: bool
    """Whether you saved it and can change it."""
    game: str
    setup: str
    match: MatchId | None
    text: str
    updated_ms: int
    author: str = ""
    """The name of the account that saved it; empty for a guest."""


class ListStudies(Message, frozen=True):
    """List your own studies; answered by `Studies`."""

    id: CommandIdField


class StudySummary(Part, frozen=True):
    """A study, without its text."""

    study: str
    title: str
    game: str
    updated_ms: int


class Studies(Message, frozen=True):
    """Answers `ListStudies`."""

    id: CommandId
    studies: tuple[StudySummary, ...]
    """Newest first."""


class DeleteStudy(Message, frozen=True):
    """Delete your own study, also for everyone with its link; answered by `Done`."""

    id: CommandIdField
    study: StudyIdField


StudyCommand: TypeAlias = SaveStudy | GetStudy | ListStudies | DeleteStudy
StudyAnswer: TypeAlias = StudySaved | Study | Studies
