"""Cancelling tasks reliably."""

import asyncio

import pytest

from millrace.server.runtime import cancellation
from millrace.server.runtime.cancellation import cancel_and_wait


@pytest.fixture(autouse=True)
def again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "AGAIN_SECONDS", 0.01)


async def test_a_task_that_loses_a_cancellation_is_cancelled_again() -> None:
    lost = 0

    async def goes_on() -> None:
        nonlocal lost
        while lost < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost += 1
        await asyncio.Event().wait()

    tasks = [asyncio.create_task(goes_on()), asyncio.create_task(asyncio.Event().wait())]
    await asyncio.sleep(0)
    await cancel_and_wait(tasks)
    assert lost == 3
    assert all(task.cancelled() for task in tasks)


async def test_ended_and_failing_tasks_are_accepted(caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError

    ended, failing = asyncio.create_task(asyncio.sleep(0)), asyncio.create_task(fails())
    await ended
    await cancel_and_wait([ended, failing])
    assert isinstance(failing.exception(), ValueError)
    assert not caplog.records
