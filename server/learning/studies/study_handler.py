"""The handler of studies: saving, reading by link, chapters, editors, and the list of those that one may edit."""

import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence

from millrace.protocol import (
    MAX_CHAPTERS,
    ChangeStudy,
    Code,
    DeleteChapter,
    DeleteStudy,
    Done,
    GetStudy,
    IdentityId,
    ListStudies,
    Message,
    Player,
    SaveStudy,
    Scope,
    ShareStudy,
    Studies,
    Study,
    StudySaved,
    SwitchableFeature,
    WatchStudy,
)
from millrace.protocol.refusal import Refusal

from ...archive.background_reading import read_in_background
from ...bots.background_process import BackgroundProcess
from ...callers.answers import Answers, Memory
from ...callers.caller import Caller, FindPlayer, account_of
from ...callers.feature import Feature, Route
from ...callers.limit import DAY_MS, HOUR_MS, Limit
from ...callers.limits import Limits
from ...callers.uploads import Uploads
from ...callers.user_text import require_line
from ...cluster.bus import Bus
from ...journal.unavailable import refusing_failures
from ...matches.fair_play import require_over
from ...rooms.rooms import Rooms
from ...runtime.system_clock import NowMs
from .study_news import StudyChanged, StudyNewsSender, StudyShared
from .study_store import StoredStudy, StudyStore
from .study_text import read_study, require_length

CHAPTERS_KEPT = 400
"""Maximum chapters of all of a player's studies."""
STUDIES_LISTED = 400
"""Maximum studies in a list, own and shared ones."""
MAX_EDITORS = 16
"""Maximum editors of a study besides its owner."""

STUDIES_SAVED = Limit(
    name="studies_saved",
    counts="studies and chapters saved",
    refusal="You have saved many studies today.",
    window_ms=DAY_MS,
    account=600,
    guests=100,
    address=2_000,
)
STUDY_CHANGES = Limit(
    name="study_changes",
    counts="changes to studies",
    refusal="You have changed studies many times within an hour.",
    code=Code.RATE_LIMITED,
    window_ms=HOUR_MS,
    account=1_500,
    guests=500,
    address=6_000,
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
        bus: Bus,
        find_player: FindPlayer,
        players_of: Callable[[Sequence[IdentityId]], Awaitable[Mapping[IdentityId, Player]]],
        are_apart: Callable[[IdentityId, IdentityId], bool],
    ) -> None:
        """`players_of` returns the owners of accounts, and `are_apart` whether one of two players blocks the other."""
        self._store = store
        self._rooms = rooms
        self._now_ms = now_ms
        self._limits = limits
        self._background = background
        self._bus = bus
        self._find_player, self._players_of, self._are_apart = find_player, players_of, are_apart
        self._uploads = Uploads()
        self._news = StudyNewsSender(store, players_of, limits, bus)
        self.routes = (
            Route(SaveStudy, answers.once(self.save), Scope.PLAY, feature=SwitchableFeature.STUDIES),
            Route(ChangeStudy, answers.once(self.change), Scope.PLAY, feature=SwitchableFeature.STUDIES),
            Route(ShareStudy, answers.once(self.share), Scope.PLAY, feature=SwitchableFeature.STUDIES),
            Route(GetStudy, self.get, Scope.READ),
            Route(WatchStudy, self._news.watch, Scope.READ),
            Route(ListStudies, self.list, Scope.READ),
            Route(DeleteChapter, answers.once(self.delete_chapter), Scope.PLAY),
            Route(DeleteStudy, answers.once(self.delete), Scope.PLAY),
        )

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Send news of studies."""
        return (self._news.run(),)

    def disconnect(self, caller: Caller) -> None:
        """Forget an unfinished upload, and what was followed."""
        self._uploads.forget(caller)
        self._news.disconnect(caller)

    async def save(self, command: SaveStudy, caller: Caller, memory: Memory) -> Message:
        """Receive a part of a chapter; with the last part, store it. Raises: Refusal."""
        text = self._uploads.add(command, caller)
        if text is None:
            return Done(command.id)
        require_line(command.title)
        require_line(command.name)
        self._limits.use(STUDY_CHANGES if command.study else STUDIES_SAVED, caller)
        require_length(text)
        game, setup = await self._start_of(command, caller)
        address, player = caller.connection_info.address, caller.identity
        reading = self._background.run(address, read_study, game, setup, text, player=player)
        content = await read_in_background(reading)
        # Only now: the caller may have been an editor when the text arrived.
        named = command.study or command.part_of
        before = await self._editable(named, caller) if named else None
        if command.study and before is not None and command.based_on_ms not in (0, before.updated_ms):
            raise _changed()
        with refusing_failures("study not stored"):
            if before is not None and command.study:
                return await self._replace(command, before, content, memory)
            return await self._add(command, before, caller, content, memory)

    async def change(self, command: ChangeStudy, caller: Caller, memory: Memory) -> Done:
        """Change a title, a name or a place. Raises: Refusal."""
        title, name = (None if text is None else text.strip() for text in (command.title, command.name))
        require_line(title or "")
        require_line(name or "")
        self._limits.use(STUDY_CHANGES, caller)
        study, done = await self._editable(command.study, caller), Done(command.id)
        with refusing_failures("study not stored"):
            order = list[str]()
            if command.place is not None:
                chapters = await self._store.chapters(study.whole)
                order = [each.study for each in chapters if each.study != study.id]
                order.insert(command.place, study.id)
            if not await self._store.arrange(study, title, name, order, memory.step(done)):
                raise _unknown()
        self._bus.publish(StudyChanged(study.whole))
        return done

    async def share(self, command: ShareStudy, caller: Caller, memory: Memory) -> Done:
        """Let a player edit the caller's study, or no longer. Raises: Refusal."""
        self._limits.use(STUDY_CHANGES, caller)
        owner, done = account_of(caller), Done(command.id)
        study = await self._editable(command.study, caller)
        with refusing_failures("study not stored"):
            player = await self._find_player(command.player)
            if player is None:
                raise Refusal(Code.UNKNOWN_PLAYER, "There is no player called {name}.", name=command.player)
            is_leaving = player.id == owner.id and not command.on
            if study.identity != owner.id and not is_leaving:
                raise _unknown()
            if command.on and (player.id == owner.id or self._are_apart(owner.id, player.id)):
                raise Refusal(Code.NOT_FOR_YOU, "You cannot share a study with this player.")
            if command.on and len(await self._store.editors(study.whole)) >= MAX_EDITORS:
                raise Refusal(Code.TOO_MANY, "At most {bound} players can edit a study with you.", bound=MAX_EDITORS)
            if not await self._store.share(study.whole, player.id, memory.step(done), on=command.on):
                raise _unknown()
        self._bus.publish(StudyChanged(study.whole))
        if command.on:
            self._bus.publish(StudyShared(study.whole, study.title, owner, player.id))
        return done

    async def get(self, command: GetStudy, caller: Caller) -> Study:
        """Answer with a chapter. Raises: Refusal."""
        with refusing_failures("studies not read", "look this up"):
            found = await self._store.find(command.study)
            if found is None:
                raise Refusal(Code.UNKNOWN_STUDY, "There is no such study.")
            author = (await self._players_of([found.identity])).get(found.identity)
            chapters = tuple(await self._store.chapters(found.whole))
        start = (found.game, found.setup, found.match, found.text, found.updated_ms)
        is_own = found.identity == caller.identity
        name = "" if author is None else author.name
        return Study(command.id, found.id, found.title, is_own, *start, name, found.name, chapters)

    async def list(self, command: ListStudies, caller: Caller) -> Studies:
        """Answer with the studies that the caller may edit. Raises: Refusal."""
        with refusing_failures("studies not read", "look this up"):
            return Studies(command.id, tuple(await self._store.studies_of(caller.identity, STUDIES_LISTED)))

    async def delete_chapter(self, command: DeleteChapter, caller: Caller, memory: Memory) -> Done:
        """Delete a chapter. Raises: Refusal."""
        study, done = await self._editable(command.study, caller), Done(command.id)
        with refusing_failures("study not deleted"):
            if not await self._store.delete_chapter(study, memory.step(done)):
                if study.id not in {each.study for each in await self._store.chapters(study.whole)}:
                    raise _unknown()
                raise Refusal(Code.NOTHING_TO_DO, "A study has at least one chapter.")
        self._bus.publish(StudyChanged(study.whole))
        return done

    async def delete(self, command: DeleteStudy, caller: Caller, memory: Memory) -> Done:
        """Delete the caller's study. Raises: Refusal."""
        study, done = await self._editable(command.study, caller), Done(command.id)
        with refusing_failures("study not deleted"):
            if study.identity != caller.identity or not await self._store.delete(study, memory.step(done)):
                raise _unknown()
        self._bus.publish(StudyChanged(study.whole))
        return done

    async def _editable(self, study: str, caller: Caller) -> StoredStudy:
        """Return a chapter that the caller may edit. Raises: Refusal."""
        with refusing_failures("studies not read"):
            found = await self._store.find(study)
            if found is None:
                raise _unknown()
            if found.identity != caller.identity and caller.identity not in await self._store.editors(found.whole):
                raise _unknown()
        return found

    async def _start_of(self, command: SaveStudy, caller: Caller) -> tuple[str, str]:
        """Return the game and the set-up of where the text begins. Raises: Refusal."""
        if command.match is None:
            return command.game, command.setup
        match = (await self._rooms.find(command.match)).log.match_for(caller.identity)
        require_over(match)
        return match.created.game, match.created.setup

    async def _replace(
        self, command: SaveStudy, before: StoredStudy, content: tuple[str, str], memory: Memory
    ) -> StudySaved:
        """Store a changed chapter, and return the answer. Raises: Refusal, StorageError."""
        study = before._replace(
            title=before.title if command.based_on_ms else command.title.strip(),
            game=content[0],
            setup=_setup_of(command),
            match=command.match,
            text=content[1],
            updated_ms=max(self._now_ms(), before.updated_ms + 1),
        )
        saved = StudySaved(command.id, study.id, study.updated_ms)
        if not await self._store.change(study, before.updated_ms, memory.step(saved)):
            raise _changed()
        self._bus.publish(StudyChanged(study.whole))
        return saved

    async def _add(
        self, command: SaveStudy, first: StoredStudy | None, caller: Caller, content: tuple[str, str], memory: Memory
    ) -> StudySaved:
        """Store a new chapter, of a study if one is given, and return the answer. Raises: Refusal, StorageError."""
        owner, title, whole = caller.identity, command.title.strip(), None
        if first is not None:
            owner, title, whole = first.identity, first.title, first.whole
            if len(await self._store.chapters(whole)) >= MAX_CHAPTERS:
                raise Refusal(Code.TOO_MANY, "A study has at most {bound} chapters.", bound=MAX_CHAPTERS)
        if await self._store.count_chapters(owner) >= CHAPTERS_KEPT:
            raise Refusal(Code.TOO_MANY, "You have too many studies. Delete one first.")
        start = (content[0], _setup_of(command), command.match)
        name, now_ms = command.name.strip(), self._now_ms()
        study = StoredStudy(secrets.token_urlsafe(9), owner, title, *start, content[1], now_ms, whole, name)
        saved = StudySaved(command.id, study.id, now_ms)
        if not await self._store.add(study, memory.step(saved)):
            raise _unknown()
        self._bus.publish(StudyChanged(study.whole))
        return saved


def _setup_of(command: SaveStudy) -> str:
    return "" if command.match is not None else command.setup


def _unknown() -> Refusal:
    return Refusal(Code.UNKNOWN_STUDY, "You have no such study.")


def _changed() -> Refusal:
    return Refusal(Code.STUDY_CHANGED, "Someone else has just changed this chapter.")
