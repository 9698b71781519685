"""Searching a state within limits: iterative deepening, aspiration windows, and time kept between slices of nodes.

Not the search itself, which is `engine.search`, and not the choice of a playing strength, which is
`engine.levels.play`. The clock is handed in, since the engine has none.

    records.py     what a search is told and what it finds
    time_checks.py        when it pauses to look at the clock, and when a limit is reached
    stability.py      how clear the best move is, for the time that it is given
    progress.py       what several threads' runs of one search share
    run.py         one search under way
    helpers.py        threads that help
    deepening.py   `analyse`
    comparing.py   `compare`: several moves of a state, as deeply as one another
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
    "analyse",
    "compare_moves",
    "no_clock",
]
