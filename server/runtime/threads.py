"""Threads, where the system allows few: a server starts all its own at once, and so can be used and stopped later."""

import errno
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier


def spare_threads() -> None:
    """Keep NumPy, before it is loaded, from starting a thread for each processor, here and in processes started from
    here: nothing multiplies large matrices, and a process that is not allowed the threads dies.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def start_threads(number: int, name: str, initializer: Callable[[], None] | None = None) -> ThreadPoolExecutor:
    """Return running threads. Raises: OSError if the system does not allow as many."""
    threads, all_run = ThreadPoolExecutor(number, name, initializer), Barrier(number)
    try:
        list(threads.map(lambda _: all_run.wait(), range(number)))
    except RuntimeError:
        all_run.abort()
        raise OSError(errno.EAGAIN, "The system does not allow this process enough threads or memory") from None
    return threads
