"""The wings of the house: what stands beside rooms and meetings, each put together from its own package.

A wing has desks, tables to load, work that goes on by itself, and an end. What all stand on is handed to them.
"""

import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..accounts.restrictions import Restrictions
from ..archive.exports import Exporter
from ..archive.handler import ArchiveDesk, Finder
from ..archive.import_handler import ImportDesk
from ..bots.requests import Bots
from ..bus import LocalBus
from ..chat.handler import ChatHandler
from ..identity.find_player import FindPlayer
from ..identity.presence import Presence
from ..lobby.handler import MeetingDesk
from ..moderation.actions import Moderation
from ..moderation.enforcement import Enforcement, Reach
from ..moderation.handler import ModerationHandler
from ..moderation.reports import ReportHandler
from ..moderation.store import StoredReport
from ..notifications.handler import NoticeDesk
from ..notifications.inbox import NoticeBook
from ..notifications.preferences import Wanted
from ..notifications.store import Given
from ..notifications.triggers import NoticeWatch
from ..profiles.blocks import Blocks
from ..profiles.current_matches import Playing
from ..profiles.directory import Persons
from ..profiles.follows import Follows
from ..profiles.handler import PeopleDesk
from ..profiles.last_seen import LastSeen
from ..protocol import Notice, NoticeKind
from ..ratings.settlement import RatingKeeper
from ..rooms.compiled_rules import RuleBook
from ..rooms.rooms import Rooms
from ..routing.handlers import Desk
from ..spectating.exhibitions import Exhibitions
from ..spectating.handler import WatchingDesk
from ..spectating.live_index import LiveIndex
from ..storage.stores import Stores
from ..system_clock import NowMs

Work: TypeAlias = Coroutine[None, None, None]
"""What goes on until it is cancelled."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What all wings stand on."""

    stores: Stores
    now_ms: NowMs
    bus: LocalBus
    bots: Bots
    rules: RuleBook
    rooms: Rooms
    presence: Presence
    blocks: Blocks
    ratings: RatingKeeper
    find_player: FindPlayer


class Wing:
    """A part of the house; one that has nothing to load, to do or to end leaves that out."""

    desks: Sequence[Desk] = ()

    async def load(self) -> None:
        """Read what is kept in memory. Raises: StorageError."""

    def work(self) -> Sequence[Work]:
        """Return what goes on by itself."""
        return ()

    async def close(self) -> None:
        """End what is under way, and write what is pending."""


def moderation_of(stores: Stores, now_ms: NowMs) -> Moderation:
    """Return what carries out moderation actions in these stores."""
    return Moderation(stores.moderation, stores.reports, stores.people, stores.ratings, stores.journal, now_ms)


class ModerationWing(Wing):
    """Moderators and those who report to them."""

    def __init__(self, ground: Ground, restrictions: Restrictions, meeting: MeetingDesk, chat: ChatHandler) -> None:
        stores, rooms = ground.stores, ground.rooms
        reach = Reach(stores.accounts, stores.journal, ground.presence, rooms, ground.ratings, chat, meeting)
        self.enforcer = Enforcement(stores.moderation, stores.reports, restrictions, reach)
        self.moderation = ModerationHandler(
            stores.accounts,
            stores.moderation,
            stores.reports,
            restrictions,
            moderation_of(stores, ground.now_ms),
            self.enforcer,
        )
        reporting = ReportHandler(stores.reports, stores.accounts, stores.people, rooms, chat, ground.now_ms)
        for changing in (reporting, self.enforcer):
            changing.followers.append(self.moderation.changed)
        self.desks = (reporting, self.moderation)

    async def load(self) -> None:
        """Read who may not do what, and until when."""
        await self.enforcer.load()

    def work(self) -> Sequence[Work]:
        """Let measures end in time."""
        return (self.enforcer.keep(),)

    async def close(self) -> None:
        """Tell moderators nothing more."""
        self.moderation.close()


class PeopleWing(Wing):
    """Profiles, who follows whom, and who is online."""

    def __init__(self, ground: Ground) -> None:
        stores = ground.stores
        self._seen = LastSeen(stores.people, ground.presence, ground.now_ms)
        playing = Playing(ground.rooms, ground.bus)
        self.persons = Persons(stores.people, ground.presence, playing, self._seen)
        self.follows = Follows(stores.people)
        self.desk = PeopleDesk(
            stores.people,
            stores.accounts,
            stores.archive,
            self.persons,
            self.follows,
            ground.blocks,
            ground.find_player,
            ground.now_ms,
        )
        ground.presence.observers.append(lambda *_: self.desk.lists.changed())
        playing.observers.append(self.desk.lists.changed)
        self.desks = (self.desk,)

    async def load(self) -> None:
        """Read who follows whom, and when each was last seen."""
        await self.desk.load()

    def work(self) -> Sequence[Work]:
        """Note who is here."""
        return (self._seen.keep(),)

    async def close(self) -> None:
        """Tell nobody more, and write who was here."""
        self.desk.lists.close()
        await self._seen.store()


class NoticesWing(Wing):
    """What people are told who may be elsewhere."""

    def __init__(self, ground: Ground, people: PeopleWing, order: ModerationWing) -> None:
        store, now_ms = ground.stores.notices, ground.now_ms
        self._wanted = Wanted(store)
        self._book = NoticeBook(store, self._wanted, ground.presence, now_ms)
        NoticeWatch(
            self._book,
            ground.rooms,
            ground.presence,
            people.persons,
            people.follows,
            ground.blocks,
            ground.bus,
            now_ms,
        )
        order.enforcer.thanks.append(lambda report: self._book.note([_thanks_for(report, now_ms())]))
        self.desk = NoticeDesk(self._wanted, self._book)
        self.desks = (self.desk,)

    async def load(self) -> None:
        """Read who wants to be told what."""
        await self._wanted.load()

    def work(self) -> Sequence[Work]:
        """Write notices, and forget old ones."""
        return (self._book.keep(), self._book.sweep())

    async def close(self) -> None:
        """Write what has not been written yet."""
        await self._book.settle()


class ArchiveWing(Wing):
    """Matches that are over: found, exported, imported."""

    def __init__(self, ground: Ground) -> None:
        finder = Finder(ground.find_player)
        store = ground.stores.archive
        self.resources = Exporter(store, finder).resources
        """What is answered to GETs."""
        self.desks = (
            ArchiveDesk(store, finder),
            ImportDesk(ground.stores.journal, ground.rules.ready, ground.now_ms),
        )


class WatchingWing(Wing):
    """Matches that are being played, and those that bots play when nobody does."""

    def __init__(self, ground: Ground) -> None:
        self.index = LiveIndex(ground.rooms, ground.bus)
        exhibitions = Exhibitions(ground.rooms, ground.bots, ground.now_ms, random.SystemRandom().randrange)
        self._desk = WatchingDesk(self.index, exhibitions, ground.now_ms)
        self.desks = (self._desk,)

    async def close(self) -> None:
        """End exhibitions, and tell nobody more."""
        await self._desk.close()


def _thanks_for(report: StoredReport, now_ms: int) -> Given:
    """Return the notice that tells a reporter that moderators have acted."""
    return Given(report.reporter.id, Notice(NoticeKind.REPORT_UPHELD, report.player.id, now_ms, report.match))
