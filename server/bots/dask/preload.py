"""Loaded by a Dask scheduler or worker with `--preload millrace.server.bots.dask.preload`.

`millrace bot-worker` starts workers with it. A worker started by `dask worker` takes its data folder from
`MILLRACE_DATA_DIR`, and its number of concurrent searches from `--resources "long=1 short=1 processors=1"`.
"""

import os
from pathlib import Path

from distributed import Scheduler, Worker

from ...runtime.settings import settings_for
from ...runtime.standard_streams import log_to_stderr
from ..requests import EngineFolders
from .queue_plugin import BotQueue
from .search_slots import SearchSlots
from .slot_counts import DATA_DIR, LONG, PROCESSORS, SHORT


async def dask_setup(server: Scheduler | Worker) -> None:
    """Make a scheduler the queue of the bots, or make a worker search for them."""
    log_to_stderr()
    if isinstance(server, Scheduler):
        server.add_plugin(BotQueue())
        return
    folder = os.environ.get(DATA_DIR)
    settings = settings_for(Path(folder) if folder else None)
    search_in(server, EngineFolders(settings.tablebases_folder, settings.books_folder))


def search_in(worker: Worker, folders: EngineFolders | None) -> None:
    """Load everything that searches need, and let the scheduler use the worker."""
    counts = {name: int(number) for name, number in worker.state.total_resources.items()}
    threads = worker.state.nthreads
    slots = SearchSlots(folders, counts.get(LONG, threads), counts.get(SHORT, 1), counts.get(PROCESSORS, threads))
    slots.load()
    slots.attach(worker)
