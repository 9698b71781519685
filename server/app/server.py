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
from threading import Event
from typing import Any, TypeAlias

import structlog

from millrace.release import release_text

from ..bots.requests import EngineFolders
from ..callers.limits import Limits, limits_of
from ..cluster.bus_events import NodeCutOff, NodeReturned
from ..cluster.cluster_clock import ClusterClock
from ..runtime.loop_lag import measure_loop_lag
from ..runtime.settings import Settings
from ..runtime.systemd import READY, STOPPING, feed_watchdog, notify
from ..runtime.threads import start_threads
from ..web.web_server import WebServer
from .shutdown import Closing, end_soon, until

try:
    import resource
except ImportError:  # some systems have no such limits
    resource = None  # type: ignore[assignment]

log = structlog.get_logger()


WELCOME = "Players are welcome."
"""The server's message once it accepts players."""

LOOK_SECONDS = 0.1
"""Interval at which a node that was cut off looks whether moves can be stored again."""

PORT_SECONDS = 1.0
"""Pause before such a node tries again to listen on a port that another program has taken."""

THREADS = 6
"""Number of threads for what would block the event loop."""

OTHER_THREADS = 12
"""Number of further threads without which people cannot play: libuv's for names of hosts, which ends the process if it
cannot start them, those of SQLite's connections and of the journal, and those that check passwords."""

SOCKETS = 65_536
"""Number of open files and sockets to request from the system."""


Say: TypeAlias = Callable[[str], None]
"""Prints a line about the server's progress for the operator."""


async def run(settings: Settings, say: Say) -> None:
    """Serve until SIGTERM, SIGINT or SIGHUP.

    Raises: OSError if the port is taken, `server.storage.errors.StorageError` and
    `server.cluster.redis_address.BusAddressError`.
    """
    _allow_files()
    await _start_threads()
    stop, is_closed = asyncio.Event(), Event()

    def begin_to_stop() -> None:
        if not stop.is_set():
            stop.set()
            notify(STOPPING)
            say("Stopping. Every acknowledged move is stored.")
            end_soon(say, is_closed)

    _on_signal(begin_to_stop)
    _make_data_folder(settings)
    clock = ClusterClock()
    limits = limits_of(settings, clock)
    web_server = WebServer(settings, limits)
    port = await web_server.open(settings.host, settings.port, listens=not settings.bus)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host

    def introduce() -> None:
        say(f"Millrace starts on http://{host}:{port}")
        say(f"Release {release_text()}, data folder {settings.data_dir}")

    def welcome() -> None:
        say(f"Millrace serves on http://{host}:{port}")
        if is_open_to_others(settings.host):
            say(
                f"Everyone who can reach port {port} of this machine can play and watch here, without encryption. "
                "For play over the internet, listen on localhost behind a reverse proxy with TLS."
            )
        say(WELCOME)

    async with Closing() as closing:
        closing.add("web server", web_server.close)
        await until(stop, _serve(settings, say, introduce, welcome, web_server, closing, clock, limits))
    is_closed.set()


async def _serve(
    settings: Settings,
    say: Say,
    introduce: Callable[[], None],
    welcome: Callable[[], None],
    web_server: WebServer,
    closing: Closing,
    clock: ClusterClock,
    limits: Limits,
) -> None:
    """Build the application, let players in, and never return. Raises: StorageError if another server takes over."""
    # The database comes first: if it refuses, the operator sees that at once.
    lock = await _take_lock(settings, introduce)
    pool, compiling, interpreted_bots = await asyncio.to_thread(
        _load, "millrace.server.bots.pool", "millrace.server.bots.compiler", "millrace.server.bots.interpreted_bots"
    )
    closing.enter(compiling.kernel_cache())
    interpreted = _first_bots(closing, interpreted_bots, is_needed=not (settings.bots or compiling.has_kernels()))
    compiled_rules, opening, application_module, clusters, tablebases, modules = await asyncio.to_thread(
        _load,
        "millrace.server.app.compiled_rules",
        "millrace.server.app.stores",
        "millrace.server.app.application",
        "millrace.server.app.cluster",
        "millrace.server.bots.tablebases.background",
        "millrace.server.bots.modules",
    )
    application_module.check_options(settings, limits)  # before the database is opened, and perhaps upgraded
    compiler = compiling.Compiler()
    closing.add("compiler", compiler.close)
    rules = compiled_rules.CompiledRules(compiler, say)
    stores = await opening.open_storage(settings.database_url)
    await rules.begin()
    folders = EngineFolders(settings.tablebases_folder, settings.books_folder)

    def bot_pool(workers: int | None) -> Any:
        return pool.BotPool(workers, folders=folders, compiler=compiler, interpreted=interpreted)

    if settings.bots:
        (dask,) = await asyncio.to_thread(_load, "millrace.server.bots.dask.cluster_bots")
        bots = dask.ClusterBots(settings.bots, lambda: bot_pool(settings.bot_workers or 1))
    else:
        bots = bot_pool(settings.bot_workers)
    cluster = clusters.open_cluster(settings, clock)
    tracing = None
    if settings.traces:
        (traces,) = await asyncio.to_thread(_load, "millrace.server.app.tracing")
        tracing = traces.start_tracing(settings.traces, cluster.membership.node)
    application = application_module.Application(
        settings, stores, bots, clock, limits, cluster.bus, cluster.membership, tracing
    )
    # Other nodes take over before players move to them.
    closing.add("membership", cluster.leave, is_first=True)
    closing.add("application", application.close)
    closing.add("bus", cluster.disconnect)
    closing.add("server lock", lock.close)
    if tracing is not None:
        closing.add("traces", tracing.close)
    async with clusters.start_turn(settings):
        await cluster.join()
        await application.open()
        if settings.bus:
            await application.rooms.wait_until_loaded()
    closing.add_task(_compile_rules(interpreted, rules))
    closing.add_task(_start(bots, say, tablebases.build_small_tables, modules.make_modules, settings))
    web_server.health = application.health
    web_server.cookie_login = application.cookie_login
    web_server.resources = application.resources
    web_server.obey(application.site_rules)
    web_server.describe_page = application.describe_page
    web_server.serve_sessions(application.open_session)
    await web_server.listen()
    welcome()
    notify(READY)
    closing.add_task(feed_watchdog())
    closing.add_task(measure_loop_lag())
    await asyncio.gather(lock.watch(), cluster.watch(), _hand_over(cluster.bus, web_server, application.rooms))


async def _take_lock(settings: Settings, introduce: Callable[[], None]) -> Any:
    """Take the lock of the database, and introduce the server: with SQLite once it has the lock, with PostgreSQL at
    once, since that may take long to answer. Raises: StorageError.
    """
    addresses, locks = await asyncio.to_thread(
        _load, "millrace.server.storage.address", "millrace.server.storage.server_lock"
    )
    is_file = addresses.is_sqlite(addresses.parse_address(settings.database_url))
    if not is_file:
        introduce()
    lock = await locks.take_server_lock(settings.database_url, is_shared=bool(settings.bus))
    if is_file:
        introduce()
    return lock


async def _hand_over(bus: Any, web_server: WebServer, rooms: Any) -> None:
    """Send the players to other nodes while this one is cut off from the database."""
    changes: asyncio.Queue[object] = asyncio.Queue()
    for kind in (NodeCutOff, NodeReturned):
        bus.subscribe(kind, changes.put_nowait)
    while True:
        if isinstance(await changes.get(), NodeCutOff):
            await web_server.hand_over()
            continue
        while rooms.are_interrupted and changes.empty():  # noqa: ASYNC110  # there is no event to wait for
            await asyncio.sleep(LOOK_SECONDS)
        try:
            await web_server.listen()
        except OSError as error:
            log.error("the port is in use by another program; trying again", reason=error.strerror)
            await asyncio.sleep(PORT_SECONDS)
            changes.put_nowait(NodeReturned())


def _make_data_folder(settings: Settings) -> None:
    """Create the data folder. A server whose database is elsewhere can do without it. Raises: OSError."""
    try:
        settings.make_data_dir()
    except OSError as error:
        if not settings.database:
            raise
        log.warning("no data folder: tablebases and opening books cannot be kept", reason=error.strerror)


def is_open_to_others(host: str) -> bool:
    """Return whether other machines can reach a server that listens on an address."""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _load(*names: str) -> list[Any]:
    return [importlib.import_module(name) for name in names]


def _first_bots(closing: Closing, interpreted_bots: Any, *, is_needed: bool) -> Any:
    """Return the bots that play while nothing is compiled; their process loads while this one loads the rest."""
    interpreted = interpreted_bots.InterpretedBots()
    closing.add("first bots", interpreted.close)
    if is_needed:
        interpreted.begin()
    return interpreted


async def _compile_rules(interpreted: Any, rules: Any) -> None:
    """Compile the rules once the first bots can play: two compiling processes would make them late."""
    await interpreted.settle()
    await rules.complete()


async def _start(
    bots: Any,
    say: Say,
    build_tables: Callable[[Path, Path], Awaitable[None]],
    make_modules: Callable[[], Awaitable[None]],
    settings: Settings,
) -> None:
    """Start the bots, then make tablebases for them, and the browsers' engine.

    While bots cannot start, people can still play each other.
    """
    from millrace.engine.games import title_of  # noqa: PLC0415  # loaded by now; the page is served before

    loop = asyncio.get_running_loop()
    began = loop.time()

    def announce(game: str, done: int, total: int) -> None:
        say(f"Bots play {title_of(game)} after {loop.time() - began:.1f} s ({done} of {total})")

    if settings.bots:
        say(f"Connecting to the bots of {settings.bots}; people can play meanwhile ...")
    else:
        say("Starting the bots. A new version compiles their search first; people can play meanwhile ...")
    await bots.start(announce)
    say(f"Bots are ready after {loop.time() - began:.1f} s.")
    if settings.builds_tablebases and not settings.bots and settings.tablebase is None:
        await build_tables(settings.tablebases_folder, settings.data_dir)
    if settings.makes_browser_engine:
        await make_modules()


async def _start_threads() -> None:
    """Start the event loop's threads and libuv's, if the system allows all that a server needs. Raises: OSError."""
    start_threads(THREADS + OTHER_THREADS, "trial").shutdown()
    loop = asyncio.get_running_loop()
    loop.set_default_executor(start_threads(THREADS, "server"))
    await loop.getaddrinfo("localhost", None)


def _allow_files() -> None:
    """Raise the limit of open files and sockets as far as possible; the default is far lower."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = SOCKETS if most < 0 else min(SOCKETS, most)
        if 0 <= now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _on_signal(call: Callable[[], None]) -> None:
    """Call a function in the event loop at SIGTERM and SIGINT, and when the terminal is closed (SIGHUP), unless that is
    ignored, as under `nohup`.
    """
    loop = asyncio.get_running_loop()
    numbers = [signal.SIGTERM, signal.SIGINT]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    for number in numbers:
        try:
            loop.add_signal_handler(number, call)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))
