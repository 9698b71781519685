"""The pace of a search: when it pauses to look at the clock, and when a limit is reached.

The clock is handed in. Imported by the rest of the package.
"""

from collections.abc import Callable

from engine.analysis.records import Clock, Limits

SLICE_SECONDS = 0.003
FIRST_SLICE_NODES = 2_000
LEAST_SLICE_NODES = 50
MOST_SLICE_NODES = 30_000


class Pace:
    """When to look at the clock, and whether a limit is reached."""

    def __init__(self, limits: Limits, clock: Clock, should_stop: Callable[[], bool] | None) -> None:
        self.started = clock()
        self.limits = limits
        self.clock = clock
        self.should_stop = should_stop
        self.slice_nodes = FIRST_SLICE_NODES
        self.slice_started = self.started

    @property
    def elapsed_ms(self) -> float:
        """Time since the search began."""
        return (self.clock() - self.started) * 1000

    def start_slice(self, nodes: int) -> int:
        """Return at how many nodes to pause, `nodes` having been searched."""
        self.slice_started = self.clock()
        slice_nodes = self.slice_nodes
        if self.limits.movetime_ms is not None:
            left = self.started + self.limits.movetime_ms / 1000 - self.slice_started
            slice_nodes = max(int(slice_nodes * min(left / SLICE_SECONDS, 1)), LEAST_SLICE_NODES)
        return nodes + slice_nodes if self.limits.nodes is None else min(nodes + slice_nodes, self.limits.nodes)

    def end_slice(self, nodes: int) -> None:
        """Learn from a slice of so many nodes how long the next may be."""
        seconds = self.clock() - self.slice_started
        wanted = int(nodes * SLICE_SECONDS / seconds) if seconds > 0 else self.slice_nodes * 2
        self.slice_nodes = max(min(wanted, self.slice_nodes * 2, MOST_SLICE_NODES), LEAST_SLICE_NODES)

    def is_spent(self, nodes: int) -> bool:
        """Return whether a limit is reached after so many nodes in all."""
        if self.limits.nodes is not None and nodes >= self.limits.nodes:
            return True
        if self.limits.movetime_ms is not None and self.elapsed_ms >= self.limits.movetime_ms:
            return True
        return self.should_stop is not None and self.should_stop()
