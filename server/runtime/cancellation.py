"""Cancels tasks reliably."""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

AGAIN_SECONDS: Final = 1.0
"""Time for a task to clean up before it is cancelled again."""


async def cancel_and_wait(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and return when all have ended in any way.

    A task that continues is cancelled again: before Python 3.12, `asyncio.wait_for`, which libraries call, loses a
    cancellation at the moment when its awaitable finishes.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=AGAIN_SECONDS)
        await asyncio.gather(*ended, return_exceptions=True)
