"""Measures the event loop's time for answering a message, without its waits."""

import types
from collections.abc import Awaitable, Callable, Generator
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")


@types.coroutine
def timed(answer: Awaitable[T], note: Callable[[float, int], None]) -> Generator[Any, Any, T]:
    """Await an answer, then report its seconds and its number of waits.

    It passes everything on like `yield from` (PEP 380).
    """
    steps = answer.__await__()
    seconds, waits = 0.0, 0
    step: Callable[[Any], Any] = steps.send
    value: Any = None
    try:
        while True:
            began = perf_counter()
            try:
                waited_for = step(value)
            except StopIteration as stop:
                result: T = stop.value
                return result
            finally:
                seconds += perf_counter() - began
            waits += 1
            try:
                value, step = (yield waited_for), steps.send
            except BaseException as error:
                value, step = error, steps.throw
    finally:
        note(seconds, waits)
