"""Searching a state within limits: iterative deepening, aspiration windows, and time checks between slices of nodes.

The search itself is `engine.search`; the choice of a playing strength is `engine.levels`. The engine has no clock: the
caller passes one.

    records.py                what a search takes and returns
    iterative_deepening.py    `analyse`
    aspiration_window.py      the iterations of one thread, each within an aspiration window
    helper_threads.py         threads that help: Lazy SMP
    shared_progress.py        what the threads of one search share
    stability.py              how clear the best move is, for time management
    time_checks.py            when to look at the clock, and whether a limit is reached
    multi_pv.py               `compare_moves`: the best few moves of a state, searched equally deeply
    expected_score.py         from values to expected scores
"""

from .iterative_deepening import analyse
from .multi_pv import Comparison, compare_moves
from .records import (
    NO_HANDICAP,
    QUIESCENCE_PLIES,
    TABLE_MEGABYTES,
    Analysis,
    Clock,
    Handicap,
    Limits,
    Parallel,
    no_clock,
)

__all__ = [
    "NO_HANDICAP",
    "QUIESCENCE_PLIES",
    "TABLE_MEGABYTES",
    "Analysis",
    "Clock",
    "Comparison",
    "Handicap",
    "Limits",
    "Parallel",
    "analyse",
    "compare_moves",
    "no_clock",
]
