"""Measures the event loop's time for answering a message, without its waits."""

import types
from collections.abc import Awaitable, Callable, Generator
from time import perf_counter
from typing import Any, TypeVar

from .backlog import Share

T = TypeVar("T")


@types.coroutine
def timed(
    answer: Awaitable[T], note: Callable[[float, int], None] | None = None, share: Share | None = None
) -> Generator[Any, Any, T]:
    """Await an answer, each step of which waits for its share of the time; report its seconds and number of waits.

    It passes everything on like `yield from` (PEP 380).
    """
    steps = answer.__await__()
    seconds, waits = 0.0, 0
    step: Callable[[Any], Any] = steps.send
    value: Any = None
    try:
        while True:
            if share is not None:
                try:
                    yield from share.turn().__await__()
                except BaseException as error:
                    value, step = error, steps.throw
            began = perf_counter()
            try:
                waited_for = step(value)
            except StopIteration as stop:
                result: T = stop.value
                return result
            finally:
                spent = perf_counter() - began
                seconds += spent
                if share is not None:
                    share.charge(spent)
            waits += 1
            try:
                value, step = (yield waited_for), steps.send
            except BaseException as error:
                value, step = error, steps.throw
    finally:
        if note is not None:
            note(seconds, waits)
