"""What is told of the searches for one answer: the `info` lines."""

from collections.abc import Callable

from ..analysis import Analysis, Clock


class SearchReport:
    """Tells how far the searches for one answer are; nodes and time are those of all of them."""

    def __init__(self, write: Callable[[str], None], clock: Clock) -> None:
        self._write = write
        self._clock = clock
        self._began = clock()
        self._nodes_before = 0
        """Of the searches that have ended."""
        self._told: tuple[int, int, tuple[str, ...]] | None = None
        """Depth, value and line of the latest."""

    def tell(self, found: Analysis) -> None:
        """Tell what the search under way has found so far."""
        self._write_info(found, self._nodes_before + found.nodes)

    def end_search(self, found: Analysis) -> None:
        """Count what a search has taken in all."""
        self._nodes_before += found.nodes

    def conclude(self, chosen: Analysis) -> None:
        """Tell of the move that is played, unless that was told last; there may be none."""
        if chosen.best_move is not None and _gist_of(chosen) != self._told:
            self._write_info(chosen, self._nodes_before)

    def _write_info(self, found: Analysis, nodes: int) -> None:
        self._told = _gist_of(found)
        elapsed_ms = (self._clock() - self._began) * 1000
        nodes_per_second = int(nodes / max(elapsed_ms, 0.001) * 1000)
        self._write(
            f"info depth {found.depth} score {found.value} nodes {nodes} nps {nodes_per_second}"
            f" time {elapsed_ms:.0f} pv {' '.join(found.principal_variation)}"
        )


def _gist_of(found: Analysis) -> tuple[int, int, tuple[str, ...]]:
    return found.depth, found.value, found.principal_variation
