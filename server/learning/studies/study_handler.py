"""The handler of studies: saving them, reading them by link, and listing one's own."""

import asyncio
import secrets
from dataclasses import dataclass, field

from millrace.engine.game import EngineError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import (
    Code,
    CommandId,
    DeleteStudy,
    Done,
    GetStudy,
    ListStudies,
    SaveStudy,
    Scope,
    Studies,
    Study,
    StudySaved,
)
from millrace.protocol.refusal import Refusal

from ...archive.line_reader import MAX_COMMENT_LENGTH, play_line, tidy_comment
from ...archive.record import RecordError
from ...archive.record_text import tokens_of_line
from ...archive.written_match import parse_line
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limit import DAY_MS, Limit
from ...callers.limits import Limits
from ...callers.user_text import require_showable
from ...journal.unavailable import refusing_failures
from ...rooms.rooms import Rooms
from ...runtime.system_clock import NowMs
from ..analysis.fair_play import require_over
from .study_store import StoredStudy, StudyStore

MAX_LENGTH = 48_000
MAX_PLIES = 1_000
"""Maximum moves of the main line."""
STUDIES_KEPT = 200
"""Maximum number of studies per player."""

STUDIES_SAVED = Limit(
    name="studies_saved",
    counts="studies saved or changed",
    refusal="You have saved many studies today.",
    window_ms=DAY_MS,
    account=600,
    guests=100,
    address=2_000,
)


@dataclass(slots=True)
class _Upload:
    """A text that is being uploaded."""

    name: CommandId
    texts: list[str] = field(default_factory=list)


class StudyHandler(Feature):
    """Saves studies and shows them to everyone with the link."""

    def __init__(self, store: StudyStore, rooms: Rooms, now_ms: NowMs, limits: Limits) -> None:
        self._store = store
        self._rooms = rooms
        self._now_ms = now_ms
        self._limits = limits
        self._uploads: dict[Caller, _Upload] = {}
        self.routes = (
            Route(SaveStudy, self.save, Scope.PLAY),
            Route(GetStudy, self.get, Scope.READ),
            Route(ListStudies, self.list, Scope.READ),
            Route(DeleteStudy, self.delete, Scope.PLAY),
        )

    async def save(self, command: SaveStudy, caller: Caller) -> None:
        """Receive a part of a study; with the last part, store it. Raises: Refusal."""
        text = self._gather(command, caller)
        if text is None:
            caller.send(Done(command.id))
            return
        require_showable(command.title)
        self._limits.use(STUDIES_SAVED, caller)
        start = await self._start_of(command, caller)
        # A long text occupies the processor for a while.
        canonical = await asyncio.to_thread(canonical_text, start, text)
        with refusing_failures("study not stored"):
            caller.send(StudySaved(command.id, await self._keep(command, caller, start, canonical)))

    async def get(self, command: GetStudy, caller: Caller) -> None:
        """Answer with a study. Raises: Refusal."""
        with refusing_failures("studies not read", "look this up"):
            found = await self._store.find(command.study)
        if found is None:
            raise Refusal(Code.UNKNOWN_STUDY, "There is no such study.")
        _, identity, title, game, setup, match, text, updated_ms = found
        is_own = identity == caller.identity
        caller.send(Study(command.id, found.id, title, is_own, game, setup, match, text, updated_ms))

    async def list(self, command: ListStudies, caller: Caller) -> None:
        """Answer with the caller's studies. Raises: Refusal."""
        with refusing_failures("studies not read", "look this up"):
            own = await self._store.studies_of(caller.identity, STUDIES_KEPT)
            caller.send(Studies(command.id, tuple(own)))

    async def delete(self, command: DeleteStudy, caller: Caller) -> None:
        """Delete the caller's study. Raises: Refusal."""
        with refusing_failures("study not deleted"):
            is_deleted = await self._store.delete(caller.identity, command.study)
        if not is_deleted:
            raise Refusal(Code.UNKNOWN_STUDY, "You have no such study.")
        caller.send(Done(command.id))

    def disconnect(self, caller: Caller) -> None:
        """Forget an unfinished upload."""
        self._uploads.pop(caller, None)

    def _gather(self, command: SaveStudy, caller: Caller) -> str | None:
        """Return the text after its last part, None before. Raises: Refusal."""
        if command.part == 0:
            self._uploads[caller] = _Upload(command.upload)
        upload = self._uploads.get(caller)
        if upload is None or (upload.name, len(upload.texts)) != (command.upload, command.part):
            raise Refusal(Code.BAD_RECORD, "The parts of this text did not arrive in order. Please save it again.")
        upload.texts.append(command.text)
        if command.part + 1 < command.parts:
            return None
        del self._uploads[caller]
        return "".join(upload.texts)

    async def _start_of(self, command: SaveStudy, caller: Caller) -> State:
        """Return where the text begins. Raises: Refusal."""
        if command.match is not None:
            match = (await self._rooms.find(command.match)).log.match_for(caller.identity)
            require_over(match)
            return match.state.line[0]
        try:
            return State.of(find_game(command.game), command.setup)
        except EngineError as error:
            raise Refusal(Code.BAD_SETUP, str(error)) from None

    async def _keep(self, command: SaveStudy, caller: Caller, start: State, text: str) -> str:
        """Store a study, and return its id. Raises: Refusal, StorageError."""
        if not command.study and len(await self._store.studies_of(caller.identity, STUDIES_KEPT)) == STUDIES_KEPT:
            raise Refusal(Code.TOO_MANY, "You have too many studies. Delete one first.")
        name = command.study or secrets.token_urlsafe(9)
        setup = "" if command.match is not None else command.setup
        study = StoredStudy(
            name,
            caller.identity,
            command.title.strip(),
            start.game.name,
            setup,
            command.match,
            text,
            self._now_ms(),
        )
        if not await self._store.keep(study):
            raise Refusal(Code.UNKNOWN_STUDY, "You have no such study.")
        return name


def canonical_text(start: State, text: str) -> str:
    """Return the text of a study in canonical form: moves with variations, comments, glyphs and drawings.

    It has the format of a match's moves (`server.archive.record_text`). Drawings are in comments, as in other programs:
    `[%csl Gd6,Rf4]` are circles and `[%cal Gd6-f4]` arrows, each with the first letter of its colour.

    Raises: Refusal if it cannot be read, or breaks the rules.
    """
    if len(text) > MAX_LENGTH:
        raise Refusal(Code.BAD_RECORD, "The study is too long.")
    try:
        line = parse_line(text)
        if len(line.plies) > MAX_PLIES:
            raise Refusal(Code.BAD_RECORD, "The study is too long.")
        plies = play_line(start, line).plies
    except RecordError as error:
        raise Refusal(Code.BAD_RECORD, str(error)) from None
    remark = tidy_comment(line.comments)[:MAX_COMMENT_LENGTH]
    first = (f"{{{remark}}}",) if remark else ()
    return " ".join((*first, *tokens_of_line(plies, start.start.seats, start.ply)))
