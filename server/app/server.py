"""A server's life: listen, build the application, serve until stopped, shut down cleanly.

The port opens first, so that the page answers within a second while engine and database load. Players are accepted once
the application is ready; the rules are interpreted until they are compiled, and bots join afterwards.

One of several nodes listens only once it accepts players; until then its port refuses connections, and clients try
another node.
"""

import asyncio
import importlib
import signal
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeAlias

import structlog

from ..bots.requests import EngineFolders
from ..callers.limits import Limits, limits_of
from ..cluster.cluster_clock import ClusterClock
from ..runtime.settings import Settings
from ..web.web_server import WebServer
from .shutdown import Closing, end_soon, until

try:
    import resource
except ImportError:  # some systems have no such limits
    resource = None  # type: ignore[assignment]

log = structlog.get_logger()


WELCOME = "Players are welcome."
"""The server's message once it accepts players."""

SOCKETS = 65_536
"""Number of open files and sockets to request from the system."""


Say: TypeAlias = Callable[[str], None]
"""Prints a line about the server's progress for the operator."""


async def run(settings: Settings, say: Say) -> None:
    """Serve until SIGTERM or SIGINT.

    Raises: OSError if the port is taken, `server.storage.errors.StorageError` and
    `server.cluster.redis_address.BusAddressError`.
    """
    _allow_files()
    stop = asyncio.Event()

    def begin_to_stop() -> None:
        if not stop.is_set():
            say("Stopping. Every acknowledged move is stored.")
            end_soon(say)
            stop.set()

    _on_signal(begin_to_stop)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    clock = ClusterClock()
    limits = limits_of(settings, clock)
    web_server = WebServer(settings, limits)
    port = await web_server.open(settings.host, settings.port, listens=not settings.bus)
    say(f"Millrace serves on http://{settings.host}:{port}")
    if is_open_to_others(settings.host):
        say(
            f"Everyone who can reach port {port} of this machine can play and watch here, without encryption. "
            "For play over the internet, listen on localhost behind a reverse proxy with TLS."
        )
    say(f"Data folder: {settings.data_dir}")
    async with Closing() as closing:
        closing.add("web server", web_server.close)
        await until(stop, _serve(settings, say, web_server, closing, clock, limits))


async def _serve(
    settings: Settings, say: Say, web_server: WebServer, closing: Closing, clock: ClusterClock, limits: Limits
) -> None:
    """Build the application, let players in, and never return. Raises: StorageError if another server takes over."""
    pool, compiling, compiled_rules, locks, opening, application_module, clusters, tablebases = await asyncio.to_thread(
        _load,
        "millrace.server.bots.pool",
        "millrace.server.bots.compiler",
        "millrace.server.app.compiled_rules",
        "millrace.server.storage.server_lock",
        "millrace.server.app.stores",
        "millrace.server.app.application",
        "millrace.server.app.cluster",
        "millrace.server.bots.tablebases.background",
    )
    closing.enter(compiling.kernel_cache())
    compiler = compiling.Compiler()
    closing.add("compiler", compiler.close)
    rules = compiled_rules.CompiledRules(compiler, say)
    # The database comes first: if it refuses, the operator sees that at once.
    lock = await locks.take_server_lock(settings.database_url, is_shared=bool(settings.bus))
    stores = await opening.open_storage(settings.database_url, is_served=True)
    await rules.begin()
    folders = EngineFolders(settings.tablebases_folder, settings.books_folder)

    def bot_pool(workers: int | None) -> Any:
        return pool.BotPool(workers, folders=folders, compiler=compiler)

    if settings.bots:
        (dask,) = await asyncio.to_thread(_load, "millrace.server.bots.dask.cluster_bots")
        bots = dask.ClusterBots(settings.bots, lambda: bot_pool(settings.bot_workers or 1))
    else:
        bots = bot_pool(settings.bot_workers)
    cluster = clusters.open_cluster(settings, clock)
    application = application_module.Application(settings, stores, bots, clock, limits, cluster.bus, cluster.membership)
    # Other nodes take over before players move to them.
    closing.add("membership", cluster.leave, is_first=True)
    closing.add("application", application.close)
    closing.add("bus", cluster.disconnect)
    closing.add("server lock", lock.close)
    async with clusters.start_turn(settings):
        await cluster.join()
        await application.open()
        if settings.bus:
            await application.rooms.wait_until_loaded()
    closing.add_task(rules.complete())
    closing.add_task(_start(bots, say, tablebases.build_small_tables, settings))
    web_server.health = application.health
    web_server.cookie_login = application.cookie_login
    web_server.resources = application.resources
    web_server.describe_page = application.describe_page
    web_server.serve_sessions(application.open_session)
    await web_server.listen()
    say(WELCOME)
    await asyncio.gather(lock.watch(), cluster.watch())


def is_open_to_others(host: str) -> bool:
    """Return whether other machines can reach a server that listens on an address."""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _load(*names: str) -> list[Any]:
    return [importlib.import_module(name) for name in names]


async def _start(
    bots: Any, say: Say, build_tables: Callable[[Path, Path], Awaitable[None]], settings: Settings
) -> None:
    """Start the bots, then build tablebases for them. If the bots fail to start, people can still play each other."""
    loop = asyncio.get_running_loop()
    began = loop.time()

    def announce(game: str, done: int, total: int) -> None:
        say(f"Bots play {game} after {loop.time() - began:.1f} s ({done} of {total})")

    if settings.bots:
        say(f"Connecting to the bots of {settings.bots}; people can play meanwhile ...")
    else:
        say("Starting the bots. A new version compiles their search first; people can play meanwhile ...")
    try:
        await bots.start(announce)
    except Exception as error:
        log.exception("bots could not be started")
        say(f"Bots are not available: {error}")
        return
    say(f"Bots are ready after {loop.time() - began:.1f} s.")
    if settings.builds_tablebases and not settings.bots and settings.tablebase is None:
        await build_tables(settings.tablebases_folder, settings.data_dir)


def _allow_files() -> None:
    """Raise the limit of open files and sockets as far as possible; the default is far lower."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = SOCKETS if most < 0 else min(SOCKETS, most)
        if 0 <= now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _on_signal(call: Callable[[], None]) -> None:
    """Call a function in the event loop at SIGTERM and SIGINT."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, call)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))
