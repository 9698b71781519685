"""The lag of the event loop is measured."""

import asyncio
import time

from millrace.server.runtime import metrics
from millrace.server.runtime.cancellation import cancel_and_wait
from millrace.server.runtime.loop_lag import measure_loop_lag
from tests.server.metric_values import count_and_seconds
from tests.waiting import until


async def test_a_loop_that_stands_still_is_seen_to_lag() -> None:
    count, seconds = count_and_seconds(metrics.LOOP_LAG_SECONDS)
    measuring = asyncio.create_task(measure_loop_lag(0.05))
    await asyncio.sleep(0)
    time.sleep(0.3)  # noqa: ASYNC251  # the loop stands still
    await until(lambda: count_and_seconds(metrics.LOOP_LAG_SECONDS)[0] > count)
    await cancel_and_wait([measuring])
    assert count_and_seconds(metrics.LOOP_LAG_SECONDS)[1] - seconds > 0.2
