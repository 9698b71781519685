"""The command `millrace bot-worker`: Dask workers that search for bots. Each is a process, replaced when it dies."""

import asyncio
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from millrace.engine.games import GAMES

from ...bots.compiler import CompileError, Compiler, FaultyRulesError, Job, kernel_cache
from ...bots.dask.slot_counts import DATA_DIR, LONG, PROCESSORS, SHORT
from ...bots.schedule import short_workers_beside
from ...bots.tablebases.background import build_small_tables
from ...runtime.settings import Settings
from ...runtime.standard_streams import announce
from .output import exit_on, fail

if TYPE_CHECKING:
    from distributed import Nanny

PRELOAD = "millrace.server.bots.dask.preload"

RECONNECT_SECONDS = 1
"""Pause before restarting a nanny that has lost its scheduler."""

CONNECT_SECONDS = 3
"""Time for a nanny to connect to the scheduler. Dask itself would wait longer after each attempt."""


def work_until_stopped(address: str, processes: int, settings: Settings, builds_tablebases: bool) -> None:
    """Search for a scheduler in a number of processes, until this process is stopped."""
    if not address:
        fail("Name the Dask scheduler, such as tcp://scheduler:8786.")
    with exit_on(OSError), kernel_cache():
        settings.make_data_dir()
        asyncio.run(_work(address, processes, settings, builds_tablebases))


async def _work(address: str, processes: int, settings: Settings, builds_tablebases: bool) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    working = asyncio.create_task(_compile_and_search(address, processes, settings, builds_tablebases))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


async def _compile_and_search(address: str, processes: int, settings: Settings, builds_tablebases: bool) -> None:
    await _compile(announce)
    announce(f"Searching for {address} in {processes} processes. Press Ctrl-C to stop.")
    short = short_workers_beside(processes)
    async with asyncio.TaskGroup() as group:
        if builds_tablebases:
            group.create_task(build_small_tables(settings.tablebases_folder, settings.data_dir))
        for number in range(processes):
            counts = {LONG: 1, SHORT: int(number < short), PROCESSORS: processes}
            group.create_task(_keep_worker(address, settings, counts))


async def _compile(say: Callable[[str], None]) -> None:
    """Fill the kernel cache, so that not every worker compiles."""
    compiler = Compiler()
    try:
        for number, game in enumerate(GAMES, 1):
            try:
                await compiler.compile(Job("search", game))
                say(f"Compiled the search for {GAMES[game].title} ({number} of {len(GAMES)})")
            except FaultyRulesError as error:
                say(f"{error} It has no bots here.")
    except CompileError as error:
        say(f"{error} Each process compiles it itself.")
    finally:
        await compiler.close()


async def _keep_worker(address: str, settings: Settings, counts: dict[str, int]) -> None:
    """Run a worker under a Dask nanny, which replaces it when it dies; restart both for a new scheduler."""
    import dask  # noqa: PLC0415  # as below

    dask.config.set({"distributed.comm.timeouts.connect": CONNECT_SECONDS})
    while True:
        try:
            async with _nanny(address, settings, counts) as nanny:
                await nanny.finished()
        except (OSError, RuntimeError, TimeoutError):
            pass  # Dask logs why
        await asyncio.sleep(RECONNECT_SECONDS)


def _nanny(address: str, settings: Settings, counts: dict[str, int]) -> "Nanny":
    from distributed import Nanny  # noqa: PLC0415  # takes a second, and `serve` without a cluster does without

    return Nanny(
        address,
        nthreads=1,
        resources=counts,
        preload=[PRELOAD],
        env={DATA_DIR: str(settings.data_dir)},
        memory_limit=0,
        config={"distributed.worker.profile.enabled": False},
    )
