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
from ..bus.bus import LocalBus
from ..bus.events import PlayingChanged, PresenceChanged, ReportUpheld
from ..chat.handler import ChatHandler
from ..identity.find_player import FindPlayer
from ..identity.presence import Presence
from ..lobby.handler import MeetingDesk
from ..moderation.actions import ModerationActions
from ..moderation.enforcement import Enforcement
from ..moderation.handler import ModerationHandler
from ..moderation.reports import ReportHandler
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


def moderation_actions(stores: Stores, now_ms: NowMs) -> ModerationActions:
    """Return what takes moderation actions in these stores."""
    return ModerationActions(stores.moderation, stores.reports, stores.people, stores.ratings, stores.journal, now_ms)


class ModerationWing(Wing):
    """Moderation, and the reports to moderators."""

    def __init__(self, ground: Ground, restrictions: Restrictions, meeting: MeetingDesk, chat: ChatHandler) -> None:
        stores, rooms, bus, now_ms = ground.stores, ground.rooms, ground.bus, ground.now_ms
        self._enforcement = Enforcement(
            stores.moderation,
            stores.reports,
            restrictions,
            stores.accounts,
            stores.journal,
            ground.presence,
            rooms,
            ground.ratings,
            meeting.withdraw,
            bus,
        )
        self.moderation = ModerationHandler(
            stores.accounts,
            stores.moderation,
            stores.reports,
            restrictions,
            moderation_actions(stores, now_ms),
            self._enforcement,
            ground.presence,
            bus,
        )
        self.desks = (
            ReportHandler(stores.reports, stores.accounts, stores.people, rooms, chat, bus, now_ms),
            self.moderation,
        )

    async def load(self) -> None:
        """Read all restrictions. Raises: StorageError."""
        await self._enforcement.load()

    def work(self) -> Sequence[Work]:
        """Follow the moderation log."""
        return (self._enforcement.follow(),)

    async def close(self) -> None:
        """Send moderators no more updates."""
        self.moderation.close()


class PeopleWing(Wing):
    """Profiles, who follows whom, and who is online."""

    def __init__(self, ground: Ground) -> None:
        stores = ground.stores
        self._seen = LastSeen(stores.people, ground.bus, ground.now_ms)
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
        for kind in (PresenceChanged, PlayingChanged):
            ground.bus.subscribe(kind, lambda _: self.desk.lists.changed())
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

    def __init__(self, ground: Ground, people: PeopleWing) -> None:
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
        ground.bus.subscribe(ReportUpheld, lambda event: self._book.note([_thanks_for(event, now_ms())]))
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


def _thanks_for(event: ReportUpheld, now_ms: int) -> Given:
    """Return the notice that tells a reporter that moderators have acted."""
    return Given(event.reporter, Notice(NoticeKind.REPORT_UPHELD, event.subject, now_ms, event.match))
