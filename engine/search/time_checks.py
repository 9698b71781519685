"""Decides when a search pauses to check the clock, and whether a limit is reached.

The caller passes the clock.
"""

from collections.abc import Callable
from typing import Protocol

from ..time_management import NEW_ITERATION_SHARE
from .records import Clock, Limits

DOUBLING_SHARE = 0.5
"""With `Limits.wants_doubling`, no new iteration begins after this share of the time."""

SLICE_SECONDS = 0.003
FIRST_SLICE_NODES = 2_000
LEAST_SLICE_NODES = 50
MOST_SLICE_NODES = 30_000


class TimeChecks(Protocol):
    """The time checks of one thread of a search."""

    time_factor: float
    """The factor of the soft limit, set by the searching thread."""

    @property
    def limits(self) -> Limits:
        """The limits of the whole search."""

    def next_slice(self) -> int:
        """Return the number of nodes to search before the next pause."""

    def end_slice(self, nodes: int) -> None:
        """Adapt the length of the next slice to the duration of this one."""

    def is_spent(self) -> bool:
        """Return whether to end now."""


class LeaderTimeChecks:
    """The checks of the timekeeping thread."""

    def __init__(
        self,
        limits: Limits,
        clock: Clock,
        should_stop: Callable[[], bool] | None = None,
        is_pondering: Callable[[], bool] | None = None,
    ) -> None:
        self.started = self.counted_from = clock()
        self.limits = limits
        self.clock = clock
        self.should_stop = should_stop
        self.is_pondering = is_pondering
        """None once the time counts."""
        self.time_factor = 1.0
        """The factor of the soft limit."""
        self.slice_nodes = self.latest_slice = FIRST_SLICE_NODES
        self.slice_started = self.started

    @property
    def elapsed_ms(self) -> float:
        """Time since the search began, including pondering."""
        return (self.clock() - self.started) * 1000

    def next_slice(self) -> int:
        """Return the number of nodes to search before the next pause."""
        self.slice_started = self.clock()
        self.latest_slice = self.slice_nodes
        if self.limits.movetime_ms is not None and self.is_pondering is None:
            left = self.counted_from + self.limits.movetime_ms / 1000 - self.slice_started
            self.latest_slice = max(int(self.slice_nodes * min(left / SLICE_SECONDS, 1)), LEAST_SLICE_NODES)
        return self.latest_slice

    def end_slice(self, nodes: int) -> None:
        """Adapt the length of the next slice to the duration of this one."""
        seconds = self.clock() - self.slice_started
        wanted = int(nodes * SLICE_SECONDS / seconds) if seconds > 0 else self.slice_nodes * 2
        self.slice_nodes = max(min(wanted, self.slice_nodes * 2, MOST_SLICE_NODES), LEAST_SLICE_NODES)

    def is_spent(self) -> bool:
        """Return whether a time limit is reached, or the caller stops the search."""
        return self._is_time_spent(1.0) or (self.should_stop is not None and self.should_stop())

    def leaves_time_for_more(self) -> bool:
        """Return whether another iteration is likely to be completed within the soft limit."""
        share = DOUBLING_SHARE if self.limits.wants_doubling else NEW_ITERATION_SHARE
        return not self._is_time_spent(share)

    def used_share(self, nodes: int) -> float:
        """Return the used share of the nodes or of the time, the larger one; 0 without limits, and while pondering."""
        limits, shares = self.limits, [0.0]
        if limits.nodes is not None:
            shares.append(nodes / limits.nodes)
        if not self._is_waiting():
            thought_ms = (self.clock() - self.counted_from) * 1000
            shares += [thought_ms / max(ms, 1.0) for ms in (limits.movetime_ms, limits.soft_ms) if ms is not None]
        return max(shares)

    def _is_time_spent(self, soft_part: float) -> bool:
        """Return whether the hard limit or this share of the soft limit is reached."""
        limits = self.limits
        if self._is_waiting() or (limits.movetime_ms is None and limits.soft_ms is None):
            return False
        thought_ms = (self.clock() - self.counted_from) * 1000
        if limits.movetime_ms is not None and thought_ms >= limits.movetime_ms:
            return True
        if limits.wants_doubling:
            return limits.movetime_ms is not None and thought_ms > limits.movetime_ms * soft_part
        return limits.soft_ms is not None and thought_ms >= limits.soft_ms * self.time_factor * soft_part

    def _is_waiting(self) -> bool:
        """Return whether the search is pondering. When it stops pondering, count the time from now."""
        if self.is_pondering is not None and not self.is_pondering():
            self.is_pondering = None
            self.counted_from = self.clock()
        return self.is_pondering is not None
