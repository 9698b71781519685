"""Turns: one holder at a time, in the order of request, even if some stop waiting."""

import asyncio

from millrace.server.runtime.turns import Turn


async def test_callbacks_and_tasks_take_turns_in_the_order_of_request() -> None:
    turn, order = Turn(), []

    async def write(name: str) -> None:
        async with turn:
            order.append(name)
            await asyncio.sleep(0)
            order.append(name)

    turn.take(lambda: order.append("first"))
    second = asyncio.create_task(write("second"))
    await asyncio.sleep(0)
    turn.take(lambda: order.append("third"))
    fourth = asyncio.create_task(write("fourth"))
    await asyncio.sleep(0)
    assert order == ["first"]
    turn.release()
    await second
    assert order == ["first", "second", "second", "third"]
    turn.release()
    await fourth
    assert order[-2:] == ["fourth", "fourth"]


async def test_a_cancelled_turn_goes_to_the_next() -> None:
    turn, began = Turn(), []

    async def write() -> None:
        async with turn:
            raise AssertionError("it was cancelled")

    turn.take(lambda: began.append("first"))
    waiting = [asyncio.create_task(write()) for _ in range(2)]
    await asyncio.sleep(0)
    turn.take(lambda: began.append("last"))
    waiting[0].cancel()
    await asyncio.wait(waiting[:1])
    turn.release()
    waiting[1].cancel()
    await asyncio.wait(waiting)
    assert began == ["first", "last"]
    assert all(task.cancelled() for task in waiting)


async def test_a_long_queue_of_short_turns_does_not_recurse_deeply() -> None:
    turn, began = Turn(), []

    def begin(number: int) -> None:
        began.append(number)
        turn.release()

    turn.take(lambda: None)
    for number in range(10_000):
        turn.take(lambda number=number: begin(number))  # type: ignore[misc]  # a default keeps the number
    turn.release()
    assert began == list(range(10_000))
    assert not turn.is_taken
