"""The wings of the house: what stands beside rooms and meetings, each put together from its own package.

A wing has desks, tables to load, work that goes on by itself, and an end. What all stand on is handed to them.
"""

import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from .. import metrics
from ..accounts.handler import AccountHandler
from ..accounts.restrictions import Restrictions
from ..accounts.scopes import access_of
from ..bots.requests import Bots
from ..bus.bus import LocalBus
from ..bus.events import PlayingChanged, PresenceChanged
from ..chat.handler import ChatHandler
from ..identity.caller import Caller
from ..identity.find_player import FindPlayer
from ..identity.presence import Presence, PlayerSession
from ..lobby.handler import LobbyHandler
from ..lobby.lists import LobbyLists
from ..lobby.your_matches import YourMatchesHandler
from ..moderation.actions import Moderation
from ..moderation.enforcement import Enforcement, Reach
from ..moderation.handler import ModerationHandler
from ..moderation.reports import ReportHandler
from ..moderation.store import StoredReport
from ..notifications.handler import NotificationHandler
from ..notifications.inbox import Inbox
from ..notifications.preferences import NotificationPreferences
from ..notifications.store import AddNotification
from ..notifications.triggers import NotificationTriggers
from ..profiles.blocks import Blocks
from ..profiles.current_matches import CurrentMatches
from ..profiles.directory import PlayerDirectory
from ..profiles.follows import Follows
from ..profiles.handler import ProfileHandler
from ..profiles.last_seen import LastSeen
from ..protocol import Create, Join, Message, Notification, NotificationKind, Scope, WatchLobby, WatchYourMatches
from ..protocol.frames import WireFrame
from ..ratings.settlement import RatingKeeper
from ..rooms.compiled_rules import RuleBook
from ..rooms.rooms import Rooms
from ..routing.feature import Feature
from ..routing.routes import Route
from ..spectating.exhibitions import Exhibitions
from ..spectating.handler import SpectatingHandler
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


class Desk(Protocol):
    """A handler that does not declare routes yet."""

    @property
    def commands(self) -> tuple[type[Message], ...]:
        """The classes."""

    async def handle(self, command: Any, caller: Caller) -> None:
        """Follow a command, which is of one of the classes, and answer it. Raises: Refusal."""

    def leave(self, caller: PlayerSession) -> None:
        """Note that a connection is over."""


class Wing(Feature):
    """Several handlers with what they share."""

    desks: Sequence[Desk] = ()

    @property
    def routes(self) -> Sequence[Route[Any]]:
        """What the handlers answer."""
        return [route for desk in self.desks for route in _routes_of(desk)]

    def disconnect(self, caller: Caller) -> None:
        """Forget a caller whose connection has ended."""
        for desk in self.desks:
            desk.leave(caller)


def _routes_of(desk: Desk) -> Sequence[Route[Any]]:
    return [Route(kind, desk.handle, access_of(kind)) for kind in desk.commands]


class LobbyFeature(Wing):
    """Seeks, challenges, quick pairing, and the lists."""

    def __init__(self, lobby: LobbyHandler, rooms: Rooms, lists: LobbyLists, turns: YourMatchesHandler) -> None:
        self.desks = (lobby,)
        self._lobby, self._rooms, self._lists, self._turns = lobby, rooms, lists, turns

    @property
    def routes(self) -> Sequence[Route[Any]]:
        """Making and joining matches, and the lists."""
        return (
            *super().routes,
            Route(Create, self._create, Scope.CHALLENGE),
            Route(Join, self._join, Scope.CHALLENGE),
            Route(WatchLobby, self._watch_lobby, Scope.READ),
            Route(WatchYourMatches, self._watch_your_matches, Scope.READ),
        )

    async def load(self) -> None:
        """Read blocks."""
        await self._lobby.load()

    def background(self) -> Sequence[Work]:
        """Pair players, and look after seeks."""
        return self._lobby.keepers()

    def greet(self, caller: Caller) -> Sequence[WireFrame]:
        """Return the search and the challenges of a caller."""
        return self._lobby.greet(caller.identity)

    def disconnect(self, caller: Caller) -> None:
        """Forget a caller whose connection has ended."""
        super().disconnect(caller)
        self._lists.unwatch(caller)
        self._turns.unwatch(caller)

    async def close(self) -> None:
        """Send the lists no more."""
        self._lists.close()
        self._turns.close()

    async def _create(self, command: Create, caller: Caller) -> None:
        with metrics.COMMAND_SECONDS.time():
            caller.send(await self._lobby.open(command, caller.player))

    async def _join(self, command: Join, caller: Caller) -> None:
        caller.expect_moves()
        self._lobby.admit(command, caller.player, caller.connection_info.address)
        with metrics.COMMAND_SECONDS.time():
            room = await self._rooms.find(command.match)
            caller.send(await room.command(command, caller.player, caller.round_trip_ms))

    async def _watch_lobby(self, message: WatchLobby, caller: Caller) -> None:
        (self._lists.watch if message.on else self._lists.unwatch)(caller)

    async def _watch_your_matches(self, message: WatchYourMatches, caller: Caller) -> None:
        (self._turns.watch if message.on else self._turns.unwatch)(caller)


class AccountsWing(Wing):
    """Accounts."""

    def __init__(self, accounts: AccountHandler) -> None:
        self._accounts = accounts
        self.desks = (accounts,)

    async def close(self) -> None:
        """Let go of what hashes."""
        self._accounts.close()


class PlainWing(Wing):
    """Handlers that need nothing more."""

    def __init__(self, *desks: Desk) -> None:
        self.desks = desks


def moderation_actions(stores: Stores, now_ms: NowMs) -> Moderation:
    """Return what carries out moderation actions in these stores."""
    return Moderation(stores.order, stores.reports, stores.profiles, stores.ratings, stores.journal, now_ms)


class ModerationWing(Wing):
    """Moderators and those who report to them."""

    def __init__(self, ground: Ground, standings: Restrictions, lobby: LobbyHandler, chat: ChatHandler) -> None:
        stores, rooms = ground.stores, ground.rooms
        reach = Reach(stores.accounts, stores.journal, ground.presence, rooms, ground.ratings, chat, lobby)
        self.enforcer = Enforcement(stores.order, stores.reports, standings, reach)
        self.moderation = ModerationHandler(
            stores.accounts,
            stores.order,
            stores.reports,
            standings,
            moderation_actions(stores, ground.now_ms),
            self.enforcer,
        )
        reporting = ReportHandler(stores.reports, stores.accounts, stores.profiles, rooms, chat, ground.now_ms)
        for changing in (reporting, self.enforcer):
            changing.followers.append(self.moderation.changed)
        self.desks = (reporting, self.moderation)

    async def load(self) -> None:
        """Read who may not do what, and until when."""
        await self.enforcer.load()

    def greet(self, caller: Caller) -> Sequence[WireFrame]:
        """Return the restrictions of a caller."""
        return self.moderation.greet(caller.identity)

    def background(self) -> Sequence[Work]:
        """Let measures end in time."""
        return (self.enforcer.keep(),)

    async def close(self) -> None:
        """Tell moderators nothing more."""
        self.moderation.close()


class ProfileWing(Wing):
    """Profiles, who follows whom, and who is online."""

    def __init__(self, ground: Ground) -> None:
        stores = ground.stores
        self._seen = LastSeen(stores.profiles, ground.bus, ground.now_ms)
        playing = CurrentMatches(ground.rooms, ground.bus)
        self.directory = PlayerDirectory(stores.profiles, ground.presence, playing, self._seen)
        self.follows = Follows(stores.profiles)
        self.desk = ProfileHandler(
            stores.profiles,
            stores.accounts,
            stores.archive,
            self.directory,
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

    def background(self) -> Sequence[Work]:
        """Note who is here."""
        return (self._seen.keep(),)

    async def close(self) -> None:
        """Tell nobody more, and write who was here."""
        self.desk.lists.close()
        await self._seen.store()


class NotificationWing(Wing):
    """What people are told who may be elsewhere."""

    def __init__(self, ground: Ground, people: ProfileWing, order: ModerationWing) -> None:
        store, now_ms = ground.stores.notifications, ground.now_ms
        self._preferences = NotificationPreferences(store)
        self._inbox = Inbox(store, self._preferences, ground.presence, now_ms)
        NotificationTriggers(
            self._inbox,
            ground.rooms,
            ground.presence,
            people.directory,
            people.follows,
            ground.blocks,
            ground.bus,
            now_ms,
        )
        order.enforcer.thanks.append(lambda report: self._inbox.note([_thanks_for(report, now_ms())]))
        self.desk = NotificationHandler(self._preferences, self._inbox)
        self.desks = (self.desk,)

    async def load(self) -> None:
        """Read who wants to be told what."""
        await self._preferences.load()

    def background(self) -> Sequence[Work]:
        """Write notices, and forget old ones."""
        return (self._inbox.keep(), self._inbox.sweep())

    async def close(self) -> None:
        """Write what has not been written yet."""
        await self._inbox.settle()


class WatchingWing(SpectatingHandler):
    """Matches that are being played, and those that bots play when nobody does."""

    def __init__(self, ground: Ground) -> None:
        self.index = LiveIndex(ground.rooms, ground.bus)
        exhibitions = Exhibitions(ground.rooms, ground.bots, ground.now_ms, random.SystemRandom().randrange)
        super().__init__(self.index, exhibitions, ground.now_ms)


def _thanks_for(report: StoredReport, now_ms: int) -> AddNotification:
    """Return the notice that tells a reporter that moderators have acted."""
    return AddNotification(
        report.reporter.id, Notification(NotificationKind.REPORT_UPHELD, report.player.id, now_ms, report.match)
    )
