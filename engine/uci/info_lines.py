"""The `info` lines of the searches for one answer."""

from collections.abc import Callable

from ..analysis import Analysis, Clock


class SearchReport:
    """Writes the progress of the searches for one answer. Nodes and time are totals of all of them."""

    def __init__(self, write: Callable[[str], None], clock: Clock) -> None:
        self._write = write
        self._clock = clock
        self._began = clock()
        self._nodes_before = 0
        """Nodes of completed searches."""
        self._written: tuple[int, int, tuple[str, ...]] | None = None
        """Depth, value and variation of the latest line."""

    def write_progress(self, found: Analysis) -> None:
        """Write what the present search has found so far."""
        self._write_info(found, self._nodes_before + found.nodes)

    def end_search(self, found: Analysis) -> None:
        """Add the nodes of a completed search."""
        self._nodes_before += found.nodes

    def conclude(self, chosen: Analysis) -> None:
        """Write the result for the move that is played, unless that was the latest line. There may be no move."""
        if chosen.best_move is not None and _summary_of(chosen) != self._written:
            self._write_info(chosen, self._nodes_before)

    def _write_info(self, found: Analysis, nodes: int) -> None:
        self._written = _summary_of(found)
        elapsed_ms = (self._clock() - self._began) * 1000
        nodes_per_second = int(nodes / max(elapsed_ms, 0.001) * 1000)
        self._write(
            f"info depth {found.depth} score {found.value} nodes {nodes} nps {nodes_per_second}"
            f" time {elapsed_ms:.0f} pv {' '.join(found.principal_variation)}"
        )


def _summary_of(found: Analysis) -> tuple[int, int, tuple[str, ...]]:
    return found.depth, found.value, found.principal_variation
