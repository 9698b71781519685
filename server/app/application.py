"""Everything behind the door, put together: rooms, meetings, accounts and the wings, and what keeps them going.

Importing it loads the engine, the database libraries and more, which takes over a second; `server.app.server` therefore
opens the door first and imports this beside.
"""

import asyncio
import gc
import socket

import structlog
from websockets.asyncio.server import ServerConnection

from millrace.engine.games import GAMES
from millrace.engine.opponents import PERSONALITIES
from millrace.engine.warming import Progress

from ..accounts.authentication import Authenticator
from ..accounts.cookies import CookieLogin
from ..accounts.handler import AccountHandler
from ..accounts.restrictions import Restrictions
from ..accounts.store import AccountStore
from ..analysis.handler import AnalysisDesk
from ..bots.requests import Bots
from ..bus.bus import LocalBus
from ..chat.handler import ChatHandler
from ..http.session import Place, Session
from ..identity.find_player import FindPlayer
from ..identity.names import skeleton_of
from ..identity.presence import Presence
from ..journal.store import StorageError
from ..lobby.handler import MeetingDesk
from ..lobby.lists import Lobby
from ..lobby.your_matches import TurnsDesk
from ..profiles.blocks import Blocks
from ..profiles.ratings_handler import RatingDesk
from ..protocol import Code, Player
from ..protocol.refusal import Refusal
from ..ratings.settlement import RatingKeeper
from ..rooms.compiled_rules import RuleBook
from ..rooms.rooms import Rooms
from ..routing.handlers import by_command
from ..routing.resources import Resources
from ..settings import Settings
from ..storage.stores import Stores
from ..system_clock import NowMs, steady_clock
from .features import ArchiveWing, Ground, ModerationWing, NoticesWing, PeopleWing, WatchingWing

log = structlog.get_logger()

BEAT_SECONDS = 1.0
"""The journal notes so often that the server is alive; after a crash, clocks stand still from the last such note."""


FORGET_SECONDS = 3600
"""Sessions and tickets that have expired are forgotten so often."""


class House:
    """A server without its door."""

    def __init__(self, settings: Settings, stores: Stores, bots: Bots, now_ms: NowMs | None = None) -> None:
        self._stores = stores
        self._bots = bots
        self._now_ms = now_ms = now_ms or steady_clock()
        self._rules = RuleBook()
        bus = LocalBus()
        self._ratings = RatingKeeper(stores.ratings, now_ms)
        self._rooms = Rooms(stores.journal, self._rules, bots, self._ratings, bus, now_ms, settings.patience)
        presence, blocks = Presence(bus), Blocks(stores.blocks)
        find_player = _find_player(stores.accounts)
        ground = Ground(
            stores, now_ms, bus, bots, self._rules, self._rooms, presence, blocks, self._ratings, find_player
        )
        restrictions = Restrictions(stores.moderation, now_ms)
        find_open = _find_open(find_player, restrictions)
        self._meeting = MeetingDesk(
            self._rooms, presence, blocks, self._ratings, find_open, bus, now_ms, settings.guest_joins
        )
        chat = ChatHandler(stores.chat, self._rooms, restrictions, bus, now_ms)
        ratings = RatingDesk(stores.ratings, self._ratings, stores.accounts, stores.archive, find_player)
        self._analysis = AnalysisDesk(self._rooms, bots, stores.analyses, now_ms, settings.analysis_allowance)

        moderation = ModerationWing(ground, restrictions, self._meeting, chat)
        choose_name = moderation.moderation.choose_name
        self._accounts = AccountHandler(
            stores.accounts,
            stores.journal,
            presence,
            self._rooms,
            now_ms,
            restrictions,
            choose_name,
            _reserved_names(),
            settings.registrations,
        )
        people = PeopleWing(ground)
        notices = NoticesWing(ground, people)
        archive, watching = ArchiveWing(ground), WatchingWing(ground)
        self._wings = (people, moderation, notices, archive, watching)
        forgetful = (moderation.moderation, chat, self._meeting, people.desk, notices.desk)
        self._accounts.farewells += [each.forget for each in forgetful]
        own_desks = (self._meeting, chat, self._accounts, ratings, self._analysis)

        self.resources: Resources = tuple(archive.resources)
        """What is answered to GETs."""
        self.cookie_login = CookieLogin(stores.accounts, now_ms)
        """Gives browsers their cookies."""
        self._place = Place(
            rooms=self._rooms,
            lobby=Lobby(bus, watching.index, self._meeting.seeks_for, self._meeting.online_bots),
            presence=presence,
            reception=Authenticator(stores.accounts, now_ms),
            meeting=self._meeting,
            turns=TurnsDesk(self._rooms, stores.journal, bus),
            desks=by_command([*own_desks, *(desk for wing in self._wings for desk in wing.desks)]),
            greet=lambda identity: (*self._meeting.greet(identity), *moderation.moderation.greet(identity)),
            now_ms=now_ms,
            message_rate=settings.message_rate,
            is_behind_proxy=settings.is_behind_proxy,
        )
        self._keepers: list[asyncio.Task[None]] = []

    async def open(self, progress: Progress) -> None:
        """Take up every match that was being played, and begin what happens by itself.

        Matches go on as soon as the rules of their game are compiled, of which `progress` is told.
        Raises: StorageError.
        """
        await self._meeting.load()
        await self._ratings.load()
        for wing in self._wings:
            await wing.load()
        await self._rooms.resume_all()
        work = (
            self._compile(progress),
            self._beat(),
            self._rooms.sweep(),
            self._forget_expired(),
            *self._meeting.keepers(),
            *(each for wing in self._wings for each in wing.work()),
        )
        self._keepers = [asyncio.create_task(keeper) for keeper in work]

    async def serve_connection(self, connection: ServerConnection) -> None:
        """Serve one connection until it ends."""
        await Session(connection, self._place).run()

    def health(self) -> dict[str, object]:
        """Return what `/health` tells."""
        return {"status": "ok", "games": self._rules.games, "bots": "ready" if self._bots.is_ready else "compiling"}

    async def close(self) -> None:
        """Stop all that happens by itself, write what is pending, end the bots' processes."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        self._place.lobby.close()
        self._accounts.close()
        self._place.turns.close()
        await self._analysis.close()
        await self._rooms.close()
        await self._bots.close()
        for wing in self._wings:
            await wing.close()
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


def _find_open(find_player: FindPlayer, restrictions: Restrictions) -> FindPlayer:
    """Return the function that finds whom one may challenge, and refuses those whose account is closed."""

    async def find(name: str) -> Player | None:
        player = await find_player(name)
        if player is not None and restrictions.ban_of(player.id) is not None:
            raise Refusal(Code.BANNED, f"The account of {player.name} is closed.")
        return player

    return find
