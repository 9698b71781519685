"""Everything behind the door, put together: journal, rooms, bots, lobby, and what keeps them going.

Importing it loads the engine, the database libraries and more, which takes over a second; `server.app` therefore
opens the door first and imports this beside. Imported by `server.app` only.
"""

import asyncio
import gc
import socket

import structlog
from websockets.asyncio.server import ServerConnection

from engine.games import GAMES
from engine.opponents import PERSONALITIES
from engine.warming import Progress
from server.accounts.desk import AccountDesk
from server.accounts.entrance import Entrance
from server.accounts.names import skeleton_of
from server.accounts.reception import Reception
from server.accounts.store import AccountStore
from server.bots.requests import Bots
from server.bus import LocalBus
from server.chat.desk import ChatDesk
from server.door.presence import Presence
from server.door.session import Place, Session
from server.journal import StorageError
from server.meeting.desk import MeetingDesk
from server.meeting.seeks import FindPlayer
from server.protocol import Player
from server.ratings.desk import RatingDesk
from server.ratings.keeper import RatingKeeper
from server.rooms.lobby import Lobby
from server.rooms.rooms import Rooms
from server.rooms.rulebook import RuleBook
from server.rooms.turns import TurnsDesk
from server.settings import Settings
from server.stores import Stores
from server.timekeeper import NowMs, steady_clock

log = structlog.get_logger()

BEAT_SECONDS = 1.0
"""The journal notes so often that the server is alive; after a crash, clocks stand still from the last such note."""


FORGET_SECONDS = 3600
"""Sessions and tickets that have expired are forgotten so often."""


class House:
    """A server without its door."""

    def __init__(self, settings: Settings, stores: Stores, bots: Bots, now_ms: NowMs | None = None) -> None:
        self._stores = stores
        journal = self._journal = stores.journal
        self._now_ms = now_ms or steady_clock()
        self._bus = LocalBus()
        self._bots = bots
        self._rules = RuleBook()
        self._ratings = RatingKeeper(stores.ratings, self._now_ms)
        self._rooms = Rooms(journal, self._rules, bots, self._ratings, self._bus, self._now_ms, settings.patience)
        presence = Presence()
        find_player = _find_player(stores.accounts)
        self._meeting = MeetingDesk(
            self._rooms,
            presence,
            stores.blocks,
            self._ratings,
            find_player,
            self._bus,
            self._now_ms,
            settings.guest_joins,
        )
        titles = [text for game in GAMES.values() for text in (game.name, game.title)]
        titles += [personality.title for personality in PERSONALITIES.values()]
        self._place = Place(
            rooms=self._rooms,
            lobby=Lobby(self._bus, self._rooms.live, self._meeting.seeks_for, self._meeting.online_bots),
            presence=presence,
            reception=Reception(stores.accounts, self._now_ms),
            accounts=AccountDesk(stores, presence, self._rooms, self._now_ms, titles, settings.registrations),
            meeting=self._meeting,
            chat=ChatDesk(stores.chat, self._rooms, self._bus, self._now_ms),
            turns=TurnsDesk(self._rooms, journal, self._bus),
            ratings=RatingDesk(stores.ratings, self._ratings, stores.accounts, find_player),
            now_ms=self._now_ms,
            message_rate=settings.message_rate,
            is_behind_proxy=settings.is_behind_proxy,
        )
        self._place.accounts.farewells += [self._place.chat.forget, self._meeting.forget]
        self.entrance = Entrance(stores.accounts, self._now_ms)
        """Gives browsers their cookies."""
        self._keepers: list[asyncio.Task[None]] = []

    async def open(self, progress: Progress) -> None:
        """Take up every match that was being played, and begin what happens by itself.

        Matches go on as soon as the rules of their game are compiled, of which `progress` is told.
        Raises: StorageError.
        """
        await self._meeting.load()
        await self._ratings.load()
        await self._rooms.resume_all()
        keepers = self._meeting.keepers()
        work = (self._compile(progress), self._beat(), self._rooms.sweep(), self._forget_expired(), *keepers)
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
        self._place.accounts.close()
        self._place.turns.close()
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
                await self._journal.beat(node, self._now_ms())
            except StorageError as error:
                log.warning("heartbeat not stored", error=str(error))
            await asyncio.sleep(BEAT_SECONDS)


def _find_player(accounts: AccountStore) -> FindPlayer:
    """Return the function that finds the owner of the account of a name."""

    async def find(name: str) -> Player | None:
        account = await accounts.find_named(skeleton_of(name))
        return None if account is None else account.player

    return find
