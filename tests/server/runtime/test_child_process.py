"""Child processes end with the tasks that start them."""

import asyncio
import gc
import os
import warnings
from collections.abc import Callable, Coroutine
from types import ModuleType
from typing import Any

import pytest
import uvloop

from millrace.client.bots import child_process as of_clients
from millrace.server.runtime import child_process as of_servers
from tests.processes import children_of

PIPES = dict.fromkeys(("stdin", "stdout", "stderr"), asyncio.subprocess.PIPE)
STEPS = 16
"""More than a start has."""

pytestmark = pytest.mark.usefixtures("processes")

each_copy = pytest.mark.parametrize("module", [of_clients, of_servers], ids=["client", "server"])
each_loop = pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])


async def start_and_kill(module: ModuleType) -> None:
    process = await module.start_child("yes", **PIPES)  # fills its pipe at once
    try:
        await asyncio.Event().wait()
    finally:
        await module.kill_child(process)


async def cancel_after(steps: int, times: int, module: ModuleType) -> None:
    """Cancel a start, or what follows it, after so many turns of the loop, and again in each of the next ones."""
    starting = asyncio.create_task(start_and_kill(module))
    for _ in range(steps):
        await asyncio.sleep(0)
    for _ in range(times):
        starting.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await starting


@each_copy
@each_loop
def test_a_child_whose_start_is_cancelled_at_any_moment_is_ended_and_closed(
    run: Callable[[Coroutine[Any, Any, None]], None], module: ModuleType
) -> None:
    before = children_of(os.getpid())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for steps in range(STEPS):
            for times in (1, 3):
                run(cancel_after(steps, times, module))
                assert children_of(os.getpid()) == before, steps
        gc.collect()
    assert [warning for warning in caught if issubclass(warning.category, ResourceWarning)] == []


@each_copy
async def test_a_program_that_does_not_exist_cannot_be_started(module: ModuleType) -> None:
    with pytest.raises(FileNotFoundError):
        await module.start_child("/nowhere/program")


@each_copy
async def test_a_child_is_killed_while_another_task_reads_its_output(module: ModuleType) -> None:
    process = await module.start_child("cat", **PIPES)
    reading = asyncio.create_task(process.stdout.read())
    await asyncio.sleep(0)
    await module.kill_child(process)
    assert await reading == b""
