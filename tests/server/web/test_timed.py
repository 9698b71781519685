"""The time of an answer is measured without its waits."""

import asyncio

import pytest

from millrace.server.web import timed as timed_module
from millrace.server.web.timed import timed


class Notes:
    """Records the measurements."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.waits: list[int] = []

    def add(self, seconds: float, waits: int) -> None:
        self.seconds.append(seconds)
        self.waits.append(waits)


async def test_waiting_is_not_counted_and_computing_is(monkeypatch: pytest.MonkeyPatch) -> None:
    notes, gate, now_s = Notes(), asyncio.Event(), [0.0]
    monkeypatch.setattr(timed_module, "perf_counter", lambda: now_s[0])

    async def answer() -> str:
        now_s[0] += 1
        await gate.wait()
        now_s[0] += 2
        await asyncio.sleep(0)
        return "done"

    task = asyncio.ensure_future(timed(answer(), notes.add))
    await asyncio.sleep(0)
    now_s[0] += 100
    gate.set()
    assert await task == "done"
    assert (notes.seconds, notes.waits) == ([3.0], [2])


async def test_a_cancelled_answer_can_clean_up() -> None:
    notes, has_cleaned_up = Notes(), asyncio.Event()

    async def answer() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            has_cleaned_up.set()

    task = asyncio.ensure_future(timed(answer(), notes.add))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert has_cleaned_up.is_set()
    assert notes.waits == [1]
