"""The handler of studies: saving them, reading them by link, and listing one's own."""

import secrets
from collections.abc import Awaitable, Callable

from millrace.engine.game import EngineError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import (
    Code,
    DeleteStudy,
    Done,
    GetStudy,
    IdentityId,
    ListStudies,
    Message,
    SaveStudy,
    Scope,
    Studies,
    Study,
    StudySaved,
    SwitchableFeature,
)
from millrace.protocol.refusal import Refusal

from ...archive.background_reading import read_in_background
from ...archive.line_reader import MAX_COMMENT_LENGTH, play_line, tidy_comment
from ...archive.record import RecordError
from ...archive.record_text import tokens_of_line
from ...archive.written_match import parse_line
from ...bots.background_process import BackgroundProcess
from ...callers.answers import Answers, Memory
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limit import DAY_MS, Limit
from ...callers.limits import Limits
from ...callers.uploads import Uploads
from ...callers.user_text import require_showable
from ...journal.unavailable import refusing_failures
from ...matches.fair_play import require_over
from ...rooms.rooms import Rooms
from ...runtime.system_clock import NowMs
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


class StudyHandler(Feature):
    """Saves studies and shows them to everyone with the link."""

    def __init__(
        self,
        store: StudyStore,
        rooms: Rooms,
        now_ms: NowMs,
        limits: Limits,
        answers: Answers,
        background: BackgroundProcess,
        name_of: Callable[[IdentityId], Awaitable[str]],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._now_ms = now_ms
        self._limits = limits
        self._background = background
        self._name_of = name_of
        self._uploads = Uploads()
        self.routes = (
            Route(SaveStudy, answers.once(self.save), Scope.PLAY, feature=SwitchableFeature.STUDIES),
            Route(GetStudy, self.get, Scope.READ),
            Route(ListStudies, self.list, Scope.READ),
            Route(DeleteStudy, answers.once(self.delete), Scope.PLAY),
        )

    async def save(self, command: SaveStudy, caller: Caller, memory: Memory) -> Message:
        """Receive a part of a study; with the last part, store it. Raises: Refusal."""
        text = self._uploads.add(command, caller)
        if text is None:
            return Done(command.id)
        require_showable(command.title)
        self._limits.use(STUDIES_SAVED, caller)
        if len(text) > MAX_LENGTH:
            raise Refusal(Code.BAD_RECORD, "The study is too long.")
        game, setup = await self._start_of(command, caller)
        reading = self._background.run(caller.connection_info.address, read_study, game, setup, text)
        game, canonical = await read_in_background(reading)
        with refusing_failures("study not stored"):
            return await self._keep(command, caller, game, canonical, memory)

    async def get(self, command: GetStudy, caller: Caller) -> None:
        """Answer with a study. Raises: Refusal."""
        with refusing_failures("studies not read", "look this up"):
            found = await self._store.find(command.study)
            if found is None:
                raise Refusal(Code.UNKNOWN_STUDY, "There is no such study.")
            author = await self._name_of(found.identity)
        _, identity, title, game, setup, match, text, updated_ms = found
        is_own = identity == caller.identity
        caller.send(Study(command.id, found.id, title, is_own, game, setup, match, text, updated_ms, author))

    async def list(self, command: ListStudies, caller: Caller) -> None:
        """Answer with the caller's studies. Raises: Refusal."""
        with refusing_failures("studies not read", "look this up"):
            own = await self._store.studies_of(caller.identity, STUDIES_KEPT)
            caller.send(Studies(command.id, tuple(own)))

    async def delete(self, command: DeleteStudy, caller: Caller, memory: Memory) -> Done:
        """Delete the caller's study. Raises: Refusal."""
        done = Done(command.id)
        with refusing_failures("study not deleted"):
            is_deleted = await self._store.delete(caller.identity, command.study, memory.step(done))
        if not is_deleted:
            raise Refusal(Code.UNKNOWN_STUDY, "You have no such study.")
        return done

    def disconnect(self, caller: Caller) -> None:
        """Forget an unfinished upload."""
        self._uploads.forget(caller)

    async def _start_of(self, command: SaveStudy, caller: Caller) -> tuple[str, str]:
        """Return the game and the set-up of where the text begins. Raises: Refusal."""
        if command.match is None:
            return command.game, command.setup
        match = (await self._rooms.find(command.match)).log.match_for(caller.identity)
        require_over(match)
        return match.created.game, match.created.setup

    async def _keep(self, command: SaveStudy, caller: Caller, game: str, text: str, memory: Memory) -> StudySaved:
        """Store a study, and return the answer. Raises: Refusal, StorageError."""
        if not command.study and len(await self._store.studies_of(caller.identity, STUDIES_KEPT)) == STUDIES_KEPT:
            raise Refusal(Code.TOO_MANY, "You have too many studies. Delete one first.")
        if command.study and await self._store.find(command.study) is None:
            raise Refusal(Code.UNKNOWN_STUDY, "You have no such study.")
        name = command.study or secrets.token_urlsafe(9)
        setup = "" if command.match is not None else command.setup
        study = StoredStudy(
            name,
            caller.identity,
            command.title.strip(),
            game,
            setup,
            command.match,
            text,
            self._now_ms(),
        )
        saved = StudySaved(command.id, name)
        if not await self._store.keep(study, memory.step(saved)):
            raise Refusal(Code.UNKNOWN_STUDY, "You have no such study.")
        return saved


def read_study(game: str, setup: str, text: str) -> tuple[str, str]:
    """Return the game of a study and its text in canonical form. Raises: Refusal."""
    try:
        start = State.of(find_game(game), setup)
    except EngineError as error:
        raise Refusal(Code.BAD_SETUP, str(error)) from None
    return start.game.name, canonical_text(start, text)


def canonical_text(start: State, text: str) -> str:
    """Return the text of a study in canonical form: moves with variations, comments, glyphs and drawings.

    It has the format of a match's moves (`server.archive.record_text`). Drawings are in comments, as in other programs:
    `[%csl Gd6,Rf4]` are circles and `[%cal Gd6-f4]` arrows, each with the first letter of its colour.

    Raises: Refusal if it cannot be read, or breaks the rules.
    """
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
