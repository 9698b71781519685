"""The application: all features with their shared services and background work. It knows no sockets.

Importing it loads the engine and the database libraries, which takes over a second, so `server.app.server` listens
first and imports it meanwhile.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

import structlog

from millrace.engine.games import GAMES, distribution_of, title_of
from millrace.release import release_commit, release_version

from ..bots.requests import Bots
from ..callers.answers import KEPT_MS
from ..callers.feature import routes_by_message
from ..callers.limits import Limits, limits_of
from ..callers.resources import Resources
from ..cluster.bus import Bus, LocalBus
from ..cluster.cluster_clock import MOST_DIFFERENCE_MS
from ..cluster.membership import LoneNode, Membership
from ..players.accounts.cookies import CookieLogin
from ..rooms.bot_availability import BotAvailabilityNews
from ..runtime.cancellation import cancel_and_wait
from ..runtime.settings import Settings
from ..runtime.system_clock import NowMs, steady_clock
from ..storage.errors import StorageError
from ..web.connection import Connection
from ..web.previews.preview_handler import PreviewHandler
from ..web.session import Session
from ..web.session_services import SessionServices
from .features import build_features, calendar_of
from .limit_table import LIMITS
from .services import Services
from .stores import Stores

if TYPE_CHECKING:
    from .tracing import Tracing

log = structlog.get_logger()

DELETE_EXPIRED_SECONDS = 3600
"""Interval at which expired sessions, tickets and answers are deleted."""


def check_options(settings: Settings, limits: Limits) -> None:
    """Check the options that an application alone understands. Raises: UnknownLimitError, CalendarError, OSError."""
    limits.require_known(LIMITS)
    calendar_of(settings)


class Application:
    """A server without its port."""

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        bots: Bots,
        now_ms: NowMs | None = None,
        limits: Limits | None = None,
        bus: Bus | None = None,
        membership: Membership | None = None,
        tracing: "Tracing | None" = None,
    ) -> None:
        now_ms, bus = now_ms or steady_clock(), bus or LocalBus()
        limits = limits or limits_of(settings, now_ms)
        limits.require_known(LIMITS)
        limits.share(bus)
        if tracing is not None:
            bots, stores.journal = tracing.trace_bots(bots), tracing.trace_journal(stores.journal)
        services = Services(settings, stores, bots, now_ms, limits, bus, membership or LoneNode(bus.node))
        self._services = services
        self.rooms = services.rooms
        self._features = build_features(services)
        routes = routes_by_message(route for feature in self._features for route in feature.routes)
        self.routes = routes if tracing is None else tracing.trace_routes(routes)
        """The handler of every message that the session does not answer itself."""
        self.resources: Resources = tuple(resource for feature in self._features for resource in feature.resources)
        """The resources that answer GET requests."""
        (previews,) = (feature for feature in self._features if isinstance(feature, PreviewHandler))
        (self._bot_news,) = (feature for feature in self._features if isinstance(feature, BotAvailabilityNews))
        self.describe_page = previews.describe
        """Returns the title and description of a page for link previews."""
        self.cookie_login = CookieLogin(stores.accounts, now_ms)
        """Sets and clears the session cookies of browsers."""
        self._session_services = SessionServices(
            authenticate=services.authenticator.authenticate,
            features=self._features,
            routes=self.routes,
            presence=services.presence,
            now_ms=now_ms,
            limits=limits,
            is_behind_proxy=settings.is_behind_proxy,
            site_rules=services.site_rules,
        )
        self.site_rules = services.site_rules
        """What admins have decided, such as blocked addresses."""
        self._background: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Resume every match in progress, and start the background work. Raises: StorageError."""
        await self._services.stores.open_connections()
        await self._services.ratings.load()
        for feature in self._features:
            await feature.load()
        await self.rooms.resume_all()
        work = (
            self.rooms.sweep(),
            self._delete_expired(),
            *(each for feature in self._features for each in feature.background()),
        )
        self._background = [asyncio.create_task(coroutine) for coroutine in work]

    def open_session(self, connection: Connection, headers: Mapping[str, str]) -> Session:
        """Return the session of a connection, from the headers of its request."""
        return Session(connection, headers, self._session_services)

    def health(self) -> dict[str, object]:
        """Return the answer of `/health`: people can play if the status is "ok" or "degraded".

        `trouble` has a sentence for each thing that is wrong. `node` and the fields after it name the answering node
        and its view of the cluster.
        """
        membership, bots, bus = self._services.membership, self._services.bots, self._services.bus
        troubles = self._troubles()
        return {
            "status": "interrupted" if self.rooms.are_interrupted else "degraded" if troubles else "ok",
            "trouble": troubles,
            "release": release_version(),
            "commit": release_commit(),
            "games": tuple(GAMES),
            "bots": bots.status,
            "node": membership.node,
            "members": sorted(membership.members),
            "bus": "none" if bus.is_alone else "connected" if bus.is_connected else "away",
            "clock_difference_ms": round(membership.clock_difference_ms),
        }

    def _troubles(self) -> list[str]:
        """Return what is wrong, in words for the operator."""
        bus, difference_ms = self._services.bus, round(self._services.membership.clock_difference_ms)
        whom = "this server" if bus.is_deaf else "another server"
        faulty_games = self._services.bots.faulty_games
        return [
            text
            for text, is_wrong in (
                ("The database cannot store moves. Play is paused.", self.rooms.are_interrupted),
                (f"Redis does not answer {whom}. News of other servers arrives up to 2 s late.", not bus.is_connected),
                (f"The clock differs from PostgreSQL's: {difference_ms} ms.", abs(difference_ms) > MOST_DIFFERENCE_MS),
                ("Some bots cannot start; the log says why.", self._bot_news.note_trouble()),
                *((_without_bots(game), True) for game in faulty_games),
            )
            if is_wrong
        ]

    async def close(self) -> None:
        """Stop the background work, write pending data, and end the bots' processes."""
        await cancel_and_wait(self._background)
        for feature in self._features:
            await feature.close()
        await self.rooms.close()
        await self._services.background.close()
        await self._services.bots.close()
        await self._services.stores.close()

    async def _delete_expired(self) -> None:
        while True:
            try:
                now_ms = self._services.now_ms()
                await self._services.stores.accounts.sweep(now_ms)
                await self._services.stores.answers.delete_before(now_ms - KEPT_MS)
            except StorageError as error:
                log.warning("expired sessions and answers not deleted", error=str(error))
            await asyncio.sleep(DELETE_EXPIRED_SECONDS)


def _without_bots(game: str) -> str:
    package = distribution_of(game)
    return f"{title_of(game)} has no bots: the code of its package {package} is faulty; the log says why."
