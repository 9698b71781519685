"""Starts a server within the running event loop, without the bots' processes."""

from typing import Any, NamedTuple

from millrace.server.app.application import Application
from millrace.server.app.stores import Stores, open_storage
from millrace.server.callers.limits import limits_of
from millrace.server.cluster.bus import Bus
from millrace.server.cluster.membership import Membership
from millrace.server.runtime.settings import Settings
from millrace.server.runtime.system_clock import NowMs, steady_clock
from millrace.server.web.web_server import WebServer
from tests.server.in_process_server import FirstMoveBots


class Started(NamedTuple):
    """A server that runs."""

    web_server: WebServer
    application: Application
    stores: Stores
    bots: FirstMoveBots
    port: int

    async def close(self) -> None:
        """Stop it."""
        await self.web_server.close()
        await self.application.close()


async def start_server(
    url: str,
    now_ms: NowMs | None = None,
    bus: Bus | None = None,
    membership: Membership | None = None,
    tracing: Any = None,
    **settings: Any,
) -> Started:
    """Start a server on a database, with generous limits on messages and accounts."""
    bots = FirstMoveBots()
    usual = {"messages.connection": 40_000, "messages.address": 1_000_000, "registrations.address": 1_000}
    limits = {**usual, **settings.pop("limits", {})}
    settings.setdefault("bot_pace_seconds", 0)
    asked = Settings(limits=limits, **settings)
    clock = now_ms or steady_clock()
    kept = limits_of(asked, clock)
    web_server = WebServer(asked, kept)
    port = await web_server.open("localhost", 0)
    stores = await open_storage(url)
    application = Application(asked, stores, bots, clock, kept, bus, membership, tracing)
    await application.open()
    web_server.health = application.health
    web_server.cookie_login = application.cookie_login
    web_server.resources = application.resources
    web_server.obey(application.site_rules)
    web_server.describe_page = application.describe_page
    web_server.serve_sessions(application.open_session)
    return Started(web_server, application, stores, bots, port)
