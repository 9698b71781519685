"""Sends chapters to those who have them open, now and after each change, with who is there.

On several nodes, each node with readers of a study follows it on the bus, and reads it again after a change.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from millrace.protocol import Code, IdentityId, Player, StudyEditor, StudyNews, WatchStudy
from millrace.protocol.frames import frame_of
from millrace.protocol.refusal import Refusal

from ...callers.caller import Caller
from ...callers.limit import Limit
from ...callers.limits import Hold, Limits
from ...cluster.bus import Bus
from ...cluster.bus_events import BusRestored
from ...cluster.events import BusEvent, SharedEvent
from ...cluster.shared_map import SharedMap
from ...journal.rereading import Rereading
from ...journal.unavailable import refusing_failures
from ...runtime.slices import in_slices
from ...runtime.turns import Turn
from .study_store import StudyStore

UPDATE_SECONDS = 0.3
"""Delay of news, to send further changes with it."""
NAMED = 64
"""Maximum players with an account whom a node names to the others for each study."""

FOLLOWED_STUDIES = Limit(
    name="followed_studies",
    counts="studies open at once",
    refusal="You can have at most {bound} studies open at once.",
    connection=8,
    account=64,
    guest=32,
    address=1_000,
)


class StudyChanged(SharedEvent, frozen=True):
    """A chapter of a study was saved, or its titles, order or editors have changed."""

    study: str

    @property
    def topic(self) -> str:
        """The study."""
        return self.study


class StudyShared(BusEvent, frozen=True):
    """A player lets another one edit a study."""

    study: str
    title: str
    by: Player
    editor: IdentityId


class _Present(msgspec.Struct, frozen=True, array_like=True):
    """Who has a study open on one node."""

    named: tuple[IdentityId, ...]
    """Some of those with an account."""
    people: int


class _Open(NamedTuple):
    """A chapter that a connection has open."""

    caller: Caller
    chapter: str


class StudyNewsSender:
    """The readers of studies."""

    def __init__(
        self,
        store: StudyStore,
        players_of: Callable[[Sequence[IdentityId]], Awaitable[Mapping[IdentityId, Player]]],
        limits: Limits,
        bus: Bus,
    ) -> None:
        self._store, self._players_of, self._limits, self._bus = store, players_of, limits, bus
        self._studies: dict[str, dict[_Open, StudyNews | None]] = {}
        """The readers of each study on this node, each with what was sent last."""
        self._open: dict[Caller, dict[str, tuple[str, Hold]]] = {}
        """The chapters that each connection has open, each with its study."""
        self._turn = Turn()
        """Held while news are read and sent, so that older ones never follow newer ones."""
        self._due: dict[str, asyncio.TimerHandle] = {}
        """The studies of which news are about to be sent."""
        self._stale: Rereading[str] = Rereading(self._send_all)
        self._present: SharedMap[_Present] = SharedMap(
            bus, "study readers", _Present, lambda key: self._note(_study(key))
        )
        bus.subscribe(StudyChanged, lambda event: self._note(event.study))
        bus.subscribe(BusRestored, lambda _: self._stale.ask(self._studies))

    async def run(self) -> None:
        """Send news, until cancelled."""
        await self._stale.run()

    async def watch(self, command: WatchStudy, caller: Caller) -> None:
        """Send a chapter to a connection, now and after each change, or stop. Raises: Refusal."""
        chapter = command.study
        if not command.on:
            self._close(caller, chapter)
            return
        with refusing_failures("study not read", "look this up"):
            found = await self._store.find(chapter)
            if found is None or found.id != chapter:
                raise Refusal(Code.UNKNOWN_STUDY, "There is no such study.")
            if chapter not in self._open.get(caller, {}):
                hold = self._limits.hold(FOLLOWED_STUDIES, caller)
                self._open.setdefault(caller, {})[chapter] = found.whole, hold
            is_first = found.whole not in self._studies
            self._studies.setdefault(found.whole, {})[_Open(caller, chapter)] = None
            if is_first:
                await self._bus.follow(found.whole)
            await self._send(found.whole, [chapter])
        self._show_present(found.whole)

    def disconnect(self, caller: Caller) -> None:
        """Forget a connection."""
        for chapter in tuple(self._open.get(caller, ())):
            self._close(caller, chapter)

    def _close(self, caller: Caller, chapter: str) -> None:
        opened = self._open.get(caller, {})
        if chapter not in opened:
            return
        study, hold = opened.pop(chapter)
        hold.release()
        if not opened:
            del self._open[caller]
        readers = self._studies[study]
        del readers[_Open(caller, chapter)]
        if not readers:
            del self._studies[study]
            self._bus.unfollow(study)
        self._show_present(study)

    def _show_present(self, study: str) -> None:
        """Tell everyone at a study who has it open on this node."""
        key = f"{study} {self._bus.node}"
        if study in self._studies:
            self._present.put(key, self._present_here(study))
        else:
            self._present.remove(key)
        self._note(study)

    def _present_here(self, study: str) -> _Present:
        players = {caller.identity: caller.player for caller, _ in self._studies[study]}
        named = tuple(player.id for player in players.values() if player.registered)
        return _Present(named[:NAMED], len(players))

    def _note(self, study: str) -> None:
        """Send news of a study soon, if anyone here has it open."""
        if study in self._studies and study not in self._due:
            self._due[study] = asyncio.get_running_loop().call_later(UPDATE_SECONDS, self._ask, study)

    def _ask(self, study: str) -> None:
        del self._due[study]
        self._stale.ask([study])

    async def _send_all(self, study: str) -> None:
        """Send news of every chapter that is open. Raises: StorageError."""
        await self._send(study, {chapter for _, chapter in self._studies.get(study, ())})

    async def _send(self, study: str, chapters: Iterable[str]) -> None:
        """Send chapters to the readers who have not seen them as they are. Raises: StorageError."""
        async with self._turn:
            for chapter in chapters:
                news = await self._read(study, chapter)
                frame, readers = frame_of(news), self._studies.get(study, {})
                async for reader in in_slices(tuple(readers)):
                    if reader.chapter == chapter and reader in readers and readers[reader] != news:
                        readers[reader] = news
                        reader.caller.deliver((frame,))

    async def _read(self, study: str, chapter: str) -> StudyNews:
        """Return a chapter as it is now; only the others if it has been deleted. Raises: StorageError."""
        chapters = tuple(await self._store.chapters(study))
        found = await self._store.find(chapter)
        if found is None or found.id != chapter:
            return StudyNews(chapter, "", "", "", 0, chapters, (), 0)
        editors, people = await self._editors([found.identity, *await self._store.editors(study)], study)
        return StudyNews(chapter, found.title, found.name, found.text, found.updated_ms, chapters, editors, people)

    async def _editors(self, identities: Sequence[IdentityId], study: str) -> tuple[tuple[StudyEditor, ...], int]:
        """Return the editors of a study, and how many people have it open. Raises: StorageError."""
        players = await self._players_of(identities)
        everywhere = [value for key, value in self._present.all_elsewhere().items() if _study(key) == study]
        if study in self._studies:
            everywhere.append(self._present_here(study))
        here = {identity for each in everywhere for identity in each.named}
        editors = [players[identity] for identity in identities if identity in players]
        people = sum(each.people for each in everywhere)
        return tuple(StudyEditor(player, player.id in here) for player in editors), people


def _study(key: str) -> str:
    """Return the study of an entry of the shared map."""
    return key.partition(" ")[0]
