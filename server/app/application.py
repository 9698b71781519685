"""Everything behind the door, put together: rooms, meetings, accounts and the wings, and what keeps them going.

Importing it loads the engine, the database libraries and more, which takes over a second; `server.app.server` therefore
opens the door first and imports this beside.
"""

import asyncio
import gc
import random
import socket

import structlog
from websockets.asyncio.server import ServerConnection

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import PERSONALITIES
from millrace.engine.warm_up import Progress

from ..accounts.authentication import Authenticator
from ..accounts.cookies import CookieLogin
from ..accounts.handler import AccountHandler
from ..accounts.restrictions import Restrictions
from ..accounts.store import AccountStore
from ..analysis.handler import AnalysisHandler
from ..archive.exports import ExportHandler
from ..archive.handler import ArchiveHandler, QueryBuilder
from ..archive.import_handler import ImportHandler
from ..bots.requests import Bots
from ..bus.bus import LocalBus
from ..chat.handler import ChatHandler
from ..http.session import Session, SessionServices
from ..identity.find_player import FindPlayer
from ..identity.names import skeleton_of
from ..identity.presence import Presence
from ..journal.store import StorageError
from ..lobby.handler import LobbyHandler
from ..lobby.your_matches import YourMatchesHandler
from ..moderation.enforcement import Enforcement
from ..moderation.handler import ModerationHandler
from ..moderation.reports import ReportHandler
from ..notifications.handler import NotificationHandler
from ..notifications.triggers import NotificationTriggers
from ..profiles.block_handler import BlockHandler
from ..profiles.blocks import Blocks
from ..profiles.current_matches import CurrentMatches
from ..profiles.directory import PlayerDirectory
from ..profiles.follows import Follows
from ..profiles.handler import ProfileHandler
from ..profiles.last_seen import LastSeen
from ..profiles.player_lists import PlayerLists
from ..profiles.ratings_handler import RatingsHandler
from ..protocol import Code, Player
from ..protocol.refusal import Refusal
from ..ratings.ratings import Ratings
from ..rooms.compiled_rules import CompiledRules
from ..rooms.handler import MatchHandler
from ..rooms.rooms import Rooms
from ..routing.feature import Feature
from ..routing.resources import Resources
from ..routing.routes import routes_by_message
from ..settings import Settings
from ..spectating.exhibitions import Exhibitions
from ..spectating.handler import SpectatingHandler
from ..spectating.live_index import LiveIndex
from ..storage.stores import Stores
from ..system_clock import NowMs, steady_clock
from .moderation_actions import moderation_actions

log = structlog.get_logger()

BEAT_SECONDS = 1.0
"""The journal notes so often that the server is alive; after a crash, clocks stand still from the last such note."""


FORGET_SECONDS = 3600
"""Sessions and tickets that have expired are forgotten so often."""


class Application:
    """A server without its door."""

    def __init__(self, settings: Settings, stores: Stores, bots: Bots, now_ms: NowMs | None = None) -> None:
        self._stores = stores
        self._bots = bots
        self._now_ms = now_ms = now_ms or steady_clock()
        self._rules = CompiledRules()
        bus = LocalBus()
        self._ratings = Ratings(stores.ratings, now_ms)
        self._rooms = Rooms(stores.journal, self._rules, bots, self._ratings, bus, now_ms, settings.patience)
        presence, blocks = Presence(bus), Blocks(stores.blocks)
        find_player = _find_player(stores.accounts)
        restrictions = Restrictions(stores.moderation, now_ms)
        find_challengeable = _find_challengeable(find_player, restrictions)
        live_index = LiveIndex(self._rooms, bus)
        exhibitions = Exhibitions(self._rooms, bots, now_ms, random.SystemRandom().randrange)
        spectating = SpectatingHandler(live_index, exhibitions, now_ms)
        lobby = LobbyHandler(
            self._rooms,
            presence,
            blocks,
            self._ratings,
            live_index,
            find_challengeable,
            bus,
            now_ms,
            settings.guest_joins,
        )
        chat = ChatHandler(stores.chat, self._rooms, restrictions, bus, now_ms)
        ratings = RatingsHandler(stores.ratings, self._ratings, stores.accounts, stores.archive, find_player)
        enforcement = Enforcement(
            stores.moderation,
            stores.reports,
            restrictions,
            stores.accounts,
            stores.journal,
            presence,
            self._rooms,
            self._ratings,
            lobby.withdraw,
            bus,
        )
        moderation = ModerationHandler(
            stores.accounts,
            stores.moderation,
            stores.reports,
            restrictions,
            moderation_actions(stores, now_ms),
            enforcement,
            presence,
            bus,
            _reserved_names(),
        )
        follows, last_seen = Follows(stores.profiles), LastSeen(stores.profiles, bus, now_ms)
        directory = PlayerDirectory(stores.profiles, presence, CurrentMatches(self._rooms, bus), last_seen)
        player_lists = PlayerLists(stores.profiles, directory, bus)
        block_handler = BlockHandler(blocks, follows, player_lists, bus, now_ms)
        profiles = ProfileHandler(
            stores.profiles,
            stores.accounts,
            stores.archive,
            directory,
            last_seen,
            follows,
            blocks,
            player_lists,
            find_player,
            bus,
            now_ms,
        )
        queries = QueryBuilder(find_player)
        notifications = NotificationHandler(stores.notifications, presence, bus, now_ms)
        NotificationTriggers(notifications.inbox, self._rooms, presence, directory, follows, blocks, bus, now_ms)
        accounts = AccountHandler(
            stores.accounts,
            stores.journal,
            presence,
            self._rooms,
            restrictions,
            bus,
            now_ms,
            _reserved_names(),
            settings.registrations,
            [
                moderation.delete_player,
                stores.chat.forget,
                block_handler.delete_player,
                profiles.delete_player,
                notifications.delete_player,
            ],
        )
        self._features: tuple[Feature, ...] = (
            MatchHandler(self._rooms),
            lobby,
            YourMatchesHandler(self._rooms, stores.journal, bus),
            chat,
            ratings,
            accounts,
            AnalysisHandler(self._rooms, bots, stores.analyses, now_ms, settings.analysis_allowance),
            profiles,
            block_handler,
            ReportHandler(stores.reports, stores.accounts, stores.profiles, self._rooms, chat, bus, now_ms),
            moderation,
            notifications,
            ArchiveHandler(stores.archive, queries),
            ImportHandler(stores.journal, self._rules.ready, now_ms),
            ExportHandler(stores.archive, queries),
            spectating,
        )

        self.routes = routes_by_message(route for feature in self._features for route in feature.routes)
        """The handler of every message that the session does not answer itself."""
        self.resources: Resources = tuple(resource for feature in self._features for resource in feature.resources)
        """What GETs are answered with."""
        self.cookie_login = CookieLogin(stores.accounts, now_ms)
        """Sets and clears the session cookies of browsers."""
        self._session_services = SessionServices(
            authenticate=Authenticator(stores.accounts, now_ms).authenticate,
            features=self._features,
            routes=self.routes,
            presence=presence,
            now_ms=now_ms,
            message_rate=settings.message_rate,
            is_behind_proxy=settings.is_behind_proxy,
        )
        self._background: list[asyncio.Task[None]] = []

    async def open(self, progress: Progress) -> None:
        """Take up every match that was being played, and begin what happens by itself.

        Matches go on as soon as the rules of their game are compiled, of which `progress` is told.
        Raises: StorageError.
        """
        await self._ratings.load()
        for feature in self._features:
            await feature.load()
        await self._rooms.resume_all()
        work = (
            self._compile(progress),
            self._beat(),
            self._rooms.sweep(),
            self._forget_expired(),
            *(each for feature in self._features for each in feature.background()),
        )
        self._background = [asyncio.create_task(keeper) for keeper in work]

    async def serve_connection(self, connection: ServerConnection) -> None:
        """Serve one connection until it ends."""
        await Session(connection, self._session_services).run()

    def health(self) -> dict[str, object]:
        """Return what `/health` tells."""
        return {"status": "ok", "games": self._rules.games, "bots": "ready" if self._bots.is_ready else "compiling"}

    async def close(self) -> None:
        """Stop all that happens by itself, write what is pending, end the bots' processes."""
        for keeper in self._background:
            keeper.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        for feature in self._features:
            await feature.close()
        await self._rooms.close()
        await self._bots.close()
        await self._stores.close()

    async def _compile(self, progress: Progress) -> None:
        await self._rules.compile(progress)
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)

    async def _forget_expired(self) -> None:
        while True:
            try:
                await self._stores.accounts.sweep(self._now_ms())
            except StorageError as error:
                log.warning("expired sessions not forgotten", error=str(error))
            await asyncio.sleep(FORGET_SECONDS)

    async def _beat(self) -> None:
        node = socket.gethostname()
        while True:
            try:
                await self._stores.journal.beat(node, self._now_ms())
            except StorageError as error:
                log.warning("heartbeat not stored", error=str(error))
            await asyncio.sleep(BEAT_SECONDS)


def _reserved_names() -> list[str]:
    """Return the names of games and bots, which nobody may have."""
    names = [text for game in GAMES.values() for text in (game.name, game.title)]
    return [*names, *(personality.title for personality in PERSONALITIES.values())]


def _find_player(accounts: AccountStore) -> FindPlayer:
    """Return the function that finds the owner of the account of a name."""

    async def find(name: str) -> Player | None:
        account = await accounts.find_named(skeleton_of(name))
        return None if account is None else account.player

    return find


def _find_challengeable(find_player: FindPlayer, restrictions: Restrictions) -> FindPlayer:
    """Return the function that finds a player to challenge, and refuses banned ones."""

    async def find(name: str) -> Player | None:
        player = await find_player(name)
        if player is not None and restrictions.ban_of(player.id) is not None:
            raise Refusal(Code.BANNED, f"The account of {player.name} is banned.")
        return player

    return find
