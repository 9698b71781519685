"""The `info` lines of the searches for one answer."""

from collections.abc import Callable
from dataclasses import dataclass

from ..search import Analysis, Clock
from ..search.expected_score import plies_to_end, win_draw_loss
from ..state import State
from ..transposition_table import TranspositionTable

CURRENT_MOVE_AFTER_MS = 1_000
"""Time after which the root move being searched is reported."""


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """What the lines say."""

    variations: int = 1
    """How many lines of play are reported."""
    shows_wdl: bool = False


class SearchReport:
    """Writes the progress of the searches for one answer. Nodes and time are totals of all of them."""

    def __init__(
        self,
        write: Callable[[str], None],
        clock: Clock,
        state: State,
        table: TranspositionTable | None,
        settings: ReportSettings,
    ) -> None:
        self._write = write
        self._clock = clock
        self._state = state
        self._table = table
        self._settings = settings
        self._began = clock()
        self._nodes_before = 0
        """Nodes of completed searches."""
        self._written: tuple[int, int, tuple[str, ...]] | None = None
        """Depth, value and variation of the latest line."""
        self._current: tuple[int, int] | None = None
        """Depth and move of the latest line about a root move."""

    @property
    def elapsed_ms(self) -> float:
        """Time since the first search began."""
        return (self._clock() - self._began) * 1000

    def write_progress(self, found: Analysis) -> None:
        """Write what the present search has found so far."""
        self._write_info(found, self._nodes_before + found.nodes)

    def write_root_move(self, depth: int, move: int, number: int) -> None:
        """Write which root move is searched, once the search lasts."""
        if self._current == (depth, move) or self.elapsed_ms < CURRENT_MOVE_AFTER_MS:
            return
        self._current = depth, move
        self._write(f"info depth {depth} currmove {self._state.format_move(move)} currmovenumber {number}")

    def write_variation(self, found: Analysis, rank: int) -> None:
        """Write one of several lines of play, whose search is over; the best has rank 1."""
        self._write_info(found, self._nodes_before, rank)

    def end_search(self, found: Analysis) -> None:
        """Add the nodes of a completed search."""
        self._nodes_before += found.nodes

    def conclude(self, chosen: Analysis) -> None:
        """Write the result for the move that is played, unless that was the latest line. There may be no move."""
        if chosen.best_move is not None and _summary_of(chosen) != self._written:
            self._write_info(chosen, self._nodes_before)

    def _write_info(self, found: Analysis, nodes: int, rank: int = 0) -> None:
        if not rank:
            self._written = _summary_of(found)
        elapsed_ms = self.elapsed_ms
        words = [f"info depth {found.depth} seldepth {max(found.selective_depth, found.depth)}"]
        words += [f"multipv {rank}"] if rank else []
        words += [f"score {score_text(self._state, found.value)}"]
        if self._settings.shows_wdl:
            words += ["wdl {} {} {}".format(*win_draw_loss(self._state.game, found.value))]
        words += [f"nodes {nodes} nps {int(nodes / max(elapsed_ms, 0.001) * 1000)}"]
        words += [f"hashfull {self._table.fill_permille()}"] if self._table is not None else []
        self._write(" ".join([*words, f"time {elapsed_ms:.0f} pv", *found.principal_variation]))


def score_text(state: State, value: int) -> str:
    """Return a value as UCI writes it: hundredths of a man, or moves of the mover to a proven end, negative for a
    loss."""
    plies = plies_to_end(value)
    if plies is None:
        return f"cp {value}"
    moves = -(-abs(plies) // state.start.seats)
    return f"mate {moves if plies > 0 else -moves}"


def _summary_of(found: Analysis) -> tuple[int, int, tuple[str, ...]]:
    return found.depth, found.value, found.principal_variation
