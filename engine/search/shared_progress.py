"""State shared by the threads of one search: the deepest completed iteration, and the remaining nodes."""

from threading import Condition, Lock

from .abdada import new_busy

ELDEST_WAIT_S = 0.005
"""Interval at which a waiting thread checks whether the search is over, or at another iteration."""


class SharedProgress:
    """The progress of a search; safe to use from several threads."""

    def __init__(self, node_limit: int | None, threads: int = 1) -> None:
        self.node_limit = node_limit
        self.nodes = 0
        """Nodes searched by all threads, including the whole of slices in progress."""
        self.depth = 0
        self.value = 0
        self.variation: tuple[int, ...] = ()
        self.is_over = False
        """Whether the timekeeping thread has ended."""
        self.busy = new_busy(threads)
        """The positions that threads are searching (`engine.search.abdada`)."""
        self.eldest_depth = 0
        """The deepest iteration whose first root move has been searched."""
        self._lock = Lock()
        self._eldest = Condition()

    @property
    def is_exhausted(self) -> bool:
        """Whether no nodes are left to search."""
        return self.node_limit is not None and self.nodes >= self.node_limit

    def take_nodes(self, nodes: int) -> int:
        """Take nodes for a slice, and return the number granted."""
        with self._lock:
            granted = nodes if self.node_limit is None else max(min(nodes, self.node_limit - self.nodes), 0)
            self.nodes += granted
            return granted

    def return_nodes(self, nodes: int) -> None:
        """Return the unused nodes of a slice; negative if more were used."""
        with self._lock:
            self.nodes -= nodes

    def advance(self, depth: int, value: int, variation: tuple[int, ...]) -> None:
        """Record a completed iteration."""
        with self._lock:
            if depth > self.depth:
                self.depth, self.value, self.variation = depth, value, variation

    def report_eldest(self, depth: int) -> None:
        """Record that an iteration has reached its second root move."""
        if depth > self.eldest_depth:
            with self._eldest:
                self.eldest_depth = max(self.eldest_depth, depth)
                self._eldest.notify_all()

    def wait_for_eldest(self, depth: int) -> bool:
        """Wait briefly for an iteration to reach its second root move; return whether it has."""
        with self._eldest:
            return self._eldest.wait_for(lambda: self.eldest_depth >= depth, ELDEST_WAIT_S)

    def latest(self) -> tuple[int, int, tuple[int, ...]]:
        """Return depth, value and principal variation of the deepest iteration."""
        with self._lock:
            return self.depth, self.value, self.variation
