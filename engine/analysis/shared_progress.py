"""What the runs of one search share: the furthest iteration that any has completed, and the nodes still to be searched.

No threads here, but several may use it.
"""

from threading import Lock

from ..search import new_busy


class SharedProgress:
    """How far a search has come."""

    def __init__(self, most_nodes: int | None, threads: int = 1) -> None:
        self.most_nodes = most_nodes
        self.nodes = 0
        """Searched by all runs, those of slices under way included as a whole."""
        self.depth = 0
        self.value = 0
        self.variation: tuple[int, ...] = ()
        self.is_over = False
        """Whether the run that keeps the time has ended."""
        self.busy = new_busy(threads)
        """Which positions runs are at (`engine.search.abdada`)."""
        self._lock = Lock()

    @property
    def is_used_up(self) -> bool:
        """Whether there are no nodes left to search."""
        return self.most_nodes is not None and self.nodes >= self.most_nodes

    def draw(self, nodes: int) -> int:
        """Return how many of the nodes that a slice would search it may."""
        with self._lock:
            granted = nodes if self.most_nodes is None else max(min(nodes, self.most_nodes - self.nodes), 0)
            self.nodes += granted
            return granted

    def give_back(self, nodes: int) -> None:
        """Take back the nodes of a slice that were not searched; fewer than none, if more were."""
        with self._lock:
            self.nodes -= nodes

    def advance(self, depth: int, value: int, variation: tuple[int, ...]) -> None:
        """Take note of a completed iteration."""
        with self._lock:
            if depth > self.depth:
                self.depth, self.value, self.variation = depth, value, variation

    def latest(self) -> tuple[int, int, tuple[int, ...]]:
        """Return depth, value and variation of the furthest iteration."""
        with self._lock:
            return self.depth, self.value, self.variation
