"""Slices: long work in the event loop that lets others run between its steps."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from time import perf_counter
from typing import TypeVar

SLICE_SECONDS = 0.001
"""Time after which the event loop gets a turn: what a move may wait for."""

T = TypeVar("T")


async def in_slices(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield items, with a turn of the event loop whenever they have taken long."""
    began = perf_counter()
    for item in items:
        yield item
        if perf_counter() - began >= SLICE_SECONDS:
            await asyncio.sleep(0)
            began = perf_counter()
