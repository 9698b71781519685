"""The server's clock: milliseconds since 1970, without jumps or backward steps while the process lives.

Tests replace it with their own clock.
"""

import time
from collections.abc import Callable

NowMs = Callable[[], int]

NowSeconds = Callable[[], float]
"""A monotonic clock: it starts at any time, and never runs backwards."""


def steady_clock() -> NowMs:
    """Return a clock set by the system's wall clock now, and driven by its monotonic clock from then on."""
    offset_ms = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now_ms() -> int:
        return time.monotonic_ns() // 1_000_000 + offset_ms

    return now_ms
