"""What a Dask worker of the tests loads: it searches without opening books, which would spare it most searches."""

from distributed import Worker

from millrace.server.bots.dask.preload import search_in


async def dask_setup(worker: Worker) -> None:
    search_in(worker, None)
