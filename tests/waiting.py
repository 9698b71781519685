"""Waiting for conditions that no event announces."""

import asyncio
import time
from collections.abc import Callable

from tests.serving import PATIENCE_S


def wait_until(holds: Callable[[], object], describe: Callable[[], object] = str) -> None:
    """Return once a condition holds; fail with a description if that takes too long."""
    give_up_at = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < give_up_at, describe()
        time.sleep(0.05)


async def until(holds: Callable[[], object]) -> None:
    """Return once a condition holds, while other tasks run."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110  # there is no event to wait for
            await asyncio.sleep(0.002)
