"""Loaded by the tests' Dask workers: it searches without opening books, which would make most searches unnecessary."""

from distributed import Worker

from millrace.server.bots.dask.preload import search_in


async def dask_setup(worker: Worker) -> None:
    search_in(worker, None)
