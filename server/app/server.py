"""A server's life: open the door, build the house behind it, serve until told to stop, leave in good order.

The door opens first, so that the page answers within a second, while engine, database and rules are loaded beside;
players are let in when the house stands, and bots join when they are compiled.
"""

import asyncio
import importlib
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

import structlog

from ..bots.requests import Knowledge
from ..http.web_server import Door
from ..settings import Settings

try:
    import resource
except ImportError:  # where processes have no such limits
    resource = None  # type: ignore[assignment]

log = structlog.get_logger()


SOCKETS = 65_536
"""So many files and sockets a server may open, if the system lets it."""


class Console(Protocol):
    """Where a server tells the person who started it how far it is."""

    def say(self, words: str) -> None:
        """Print a line."""

    def progress(self, name: str, done: int, total: int) -> None:
        """Show that of so many steps so many are done."""


class Startable(Protocol):
    """What takes its time to start."""

    async def start(self) -> None:
        """Return when it has started."""


async def run(settings: Settings, console: Console) -> None:
    """Serve until SIGTERM or SIGINT. Raises: OSError if the port is taken, and `server.journal.store.StorageError`."""
    _allow_files()
    stop = asyncio.Event()
    _on_signal(stop.set)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    door = Door(settings.origins)
    port = await door.open(settings.host, settings.port)
    console.say(f"Millrace serves on http://{settings.host}:{port}")
    console.say(f"Data folder: {settings.data_dir}")
    try:
        await _serve(settings, console, door, stop)
    finally:
        await door.close()


async def _serve(settings: Settings, console: Console, door: Door, stop: asyncio.Event) -> None:
    bots_module, storage, house_module, endings = await asyncio.to_thread(
        _load,
        "millrace.server.bots.pool",
        "millrace.server.storage",
        "millrace.server.app.application",
        "millrace.server.tablebases.background",
    )
    stores = await storage.open_storage(settings.database_url)
    knowledge = Knowledge(settings.endings_folder, settings.books_folder)
    bots = bots_module.BotPool(settings.bot_workers, knowledge=knowledge)
    house = house_module.House(settings, stores, bots)
    await house.open(console.progress)
    starting = asyncio.create_task(_start(bots, console, endings.solve_small_endings, settings))
    try:
        door.health = house.health
        door.cookie_login = house.cookie_login
        door.resources = house.resources
        door.set_handler(house.serve_connection)
        console.say("Players are welcome.")
        await stop.wait()
        console.say("Stopping; every acknowledged move is stored.")
        await door.close()
    finally:
        starting.cancel()
        await house.close()


def _load(*names: str) -> list[Any]:
    return [importlib.import_module(name) for name in names]


async def _start(
    bots: Startable, console: Console, solve_endings: Callable[[Path, Path], Awaitable[None]], settings: Settings
) -> None:
    """Start the bots, and say so, then solve endings for them; without them people still play each other."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    console.say("Compiling the bots' search; bots join when it is done ...")
    try:
        await bots.start()
    except Exception as error:
        log.exception("bots could not be started")
        console.say(f"There will be no bots: {error}")
        return
    console.say(f"Bots are ready after {loop.time() - began:.1f} s.")
    if settings.solves_endings:
        await solve_endings(settings.endings_folder, settings.data_dir)


def _allow_files() -> None:
    """Have as many sockets as the system lets this process have; by habit it begins with far fewer."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = SOCKETS if most < 0 else min(SOCKETS, most)
        if 0 <= now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _on_signal(call: Callable[[], None]) -> None:
    """Have a function called in the event loop at SIGTERM and SIGINT."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, call)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))
