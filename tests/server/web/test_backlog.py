"""The backlog: addresses in turn, and as much time for all others."""

import asyncio
import time

from millrace.server.web.backlog import Backlog, Share
from millrace.server.web.timed import timed
from tests.waiting import until


async def test_addresses_take_turns() -> None:
    backlog, handled = Backlog(), list[str]()
    for address in ("first", "first", "first", "second", "third", "second"):
        backlog.add(address, lambda address=address: handled.append(address))  # type: ignore[misc]
    await until(lambda: len(handled) == 6)
    assert handled == ["first", "second", "third", "first", "second", "first"]


async def test_it_takes_no_more_than_half_of_the_time() -> None:
    backlog, own_seconds = Backlog(), 0.0

    def work() -> None:
        nonlocal own_seconds
        began = time.perf_counter()
        while time.perf_counter() - began < 0.0005:
            pass
        own_seconds += time.perf_counter() - began
        backlog.add("flooder", work)

    began = time.perf_counter()
    for _ in range(10):
        backlog.add("flooder", work)
    await until(lambda: own_seconds > 0.1)
    assert time.perf_counter() - began > 2 * own_seconds - 0.01


async def test_it_rests_for_the_time_of_answers_too() -> None:
    backlog, handled = Backlog(), asyncio.Event()
    began = time.perf_counter()
    backlog.charge(0.1)
    backlog.add("flooder", handled.set)
    await handled.wait()
    assert time.perf_counter() - began >= 0.099


async def test_a_fault_does_not_stop_it() -> None:
    backlog, handled, errors = Backlog(), asyncio.Event(), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["exception"]))

    def fail() -> None:
        raise ValueError

    backlog.add("flooder", fail)
    backlog.add("flooder", handled.set)
    await handled.wait()
    assert len(errors) == 1


async def test_the_steps_of_many_answers_take_no_more_than_half_of_the_time() -> None:
    backlog, own_seconds = Backlog(), 0.0

    async def answer() -> None:
        nonlocal own_seconds
        for _ in range(10):
            began = time.perf_counter()
            while time.perf_counter() - began < 0.0005:
                pass
            own_seconds += time.perf_counter() - began
            await asyncio.sleep(0)

    began = time.perf_counter()
    await asyncio.gather(*(timed(answer(), share=Share(backlog, f"address {number}")) for number in range(20)))
    assert time.perf_counter() - began > 1.9 * own_seconds - 0.01


async def test_an_answer_that_is_cancelled_while_it_waits_for_its_turn_can_clean_up() -> None:
    backlog, has_cleaned_up = Backlog(), asyncio.Event()

    async def answer() -> None:
        try:
            await asyncio.sleep(0)
            backlog.charge(60)
            await asyncio.sleep(0)
        finally:
            has_cleaned_up.set()

    task = asyncio.ensure_future(timed(answer(), share=Share(backlog, "address")))
    await until(lambda: backlog.is_resting)
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert has_cleaned_up.is_set()
