"""The wings of the house: what stands beside rooms and meetings, each put together from its own package.

A wing has desks, tables to load, work that goes on by itself, and an end. What all stand on is handed to them.
"""

import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from ..accounts.handler import AccountDesk
from ..accounts.restrictions import Standings
from ..accounts.scopes import access_of
from ..bots.requests import Bots
from ..bus.bus import LocalBus
from ..bus.events import ReportUpheld
from ..chat.handler import ChatDesk
from ..identity.caller import Caller
from ..identity.find_player import FindPlayer
from ..identity.presence import Presence, Present
from ..lobby.handler import LobbyHandler
from ..moderation.actions import Moderation
from ..moderation.enforcement import Enforcer, Reach
from ..moderation.handler import ModerationDesk
from ..moderation.reports import ReportDesk
from ..profiles.blocks import Blocks
from ..protocol import Message
from ..protocol.frames import WireFrame
from ..ratings.ratings import Ratings
from ..rooms.compiled_rules import CompiledRules
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
    rules: CompiledRules
    rooms: Rooms
    presence: Presence
    blocks: Blocks
    ratings: Ratings
    find_player: FindPlayer


class Desk(Protocol):
    """A handler that does not declare routes yet."""

    @property
    def commands(self) -> tuple[type[Message], ...]:
        """The classes."""

    async def handle(self, command: Any, caller: Caller) -> None:
        """Follow a command, which is of one of the classes, and answer it. Raises: Refusal."""

    def leave(self, caller: Present) -> None:
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


class AccountsWing(Wing):
    """Accounts."""

    def __init__(self, accounts: AccountDesk) -> None:
        self._accounts = accounts
        self.desks = (accounts,)

    async def close(self) -> None:
        """Let go of what hashes."""
        self._accounts.close()


class PlainWing(Wing):
    """Handlers that need nothing more."""

    def __init__(self, *desks: Desk) -> None:
        self.desks = desks


def moderation_of(stores: Stores, now_ms: NowMs) -> Moderation:
    """Return what carries out moderation actions in these stores."""
    return Moderation(stores.order, stores.reports, stores.profiles, stores.ratings, stores.journal, now_ms)


class OrderWing(Wing):
    """Moderators and those who report to them."""

    def __init__(self, ground: Ground, standings: Standings, lobby: LobbyHandler, chat: ChatDesk) -> None:
        stores, rooms = ground.stores, ground.rooms
        reach = Reach(stores.accounts, stores.journal, ground.presence, rooms, ground.ratings, chat, lobby)
        self.enforcer = Enforcer(stores.order, stores.reports, standings, reach)
        self.moderation = ModerationDesk(
            stores.accounts,
            stores.order,
            stores.reports,
            standings,
            moderation_of(stores, ground.now_ms),
            self.enforcer,
        )
        reporting = ReportDesk(stores.reports, stores.accounts, stores.profiles, rooms, chat, ground.now_ms)
        self.enforcer.thanks.append(
            lambda report: ground.bus.publish(ReportUpheld(report.reporter.id, report.player.id, report.match))
        )
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


class WatchingWing(SpectatingHandler):
    """Matches that are being played, and those that bots play when nobody does."""

    def __init__(self, ground: Ground) -> None:
        self.index = LiveIndex(ground.rooms, ground.bus)
        exhibitions = Exhibitions(ground.rooms, ground.bots, ground.now_ms, random.SystemRandom().randrange)
        super().__init__(self.index, exhibitions, ground.now_ms)
