"""Measures how late the event loop wakes a task: what every player waits in addition when the loop is overloaded."""

import asyncio

from . import metrics

PERIOD_SECONDS = 1.0


async def measure_loop_lag(period_seconds: float = PERIOD_SECONDS) -> None:
    """Observe the lag once in every period, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due_s = loop.time() + period_seconds
        await asyncio.sleep(period_seconds)
        metrics.LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - due_s))
