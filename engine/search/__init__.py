"""The search: `analyse` deepens an alpha-beta search, which `make_search` builds for each game, for two to four seats.

The choice of a playing strength is `engine.levels`. The engine has no clock: the caller passes one.

The alpha-beta search is a loop over plies with its frames in arrays, so that it *pauses* when it has used its nodes and
*resumes* where it was: the caller looks at the clock in between, and the nodes searched do not depend on where the
pauses are. (A loop is also 1.5 to 1.9 times faster here than recursion, and a stop flag would be hoisted out of the
compiled loop.)

Its techniques are listed in `engine.game.techniques`, with sources; a game's record says which it uses. Besides them
there are a triangular table of principal variations, mate-distance pruning, draws by repetition and quiet plies, and
tablebase probes (`Strength.tablebase`).

A win or loss that the search reports is certain, whatever it prunes: nothing is pruned or reduced to a value beyond
`PROVEN`, all moves that could avert a proven loss are searched, and a static evaluation or null move never proves a
win. Its distance is the shortest among the searched lines; iterative deepening goes on for a shorter one.

Values are hundredths of a man from the view of the *side* to move at each node. The root's seat is one side, and all
others are the other side. So a value changes its sign at every ply with two seats, and otherwise where a ply passes
from the root's seat to the others or back. How the others play is an `OpponentModel`.

Repetition in the tree: a position that occurred since the root, the root included, is a draw at its second occurrence,
since what repeats once can repeat again. A position from before the root is a draw only at its third occurrence, as the
rules say, unless the root's seat is ahead and would throw away its lead (`contempt`). Where a game forbids repetition,
the move is skipped.

    records.py                what a search takes and returns
    iterative_deepening.py    `analyse`
    iterations.py             the iterations of one thread, in slices of nodes
    aspiration_window.py      the window of an iteration, as kernels
    deepening_kernel.py       iterative deepening as a kernel, for the browser
    helper_threads.py         threads that help: Lazy SMP
    shared_progress.py        what the threads of one search share
    stability.py              how clear the best move is, for time management
    time_checks.py            when to look at the clock, and whether a limit is reached
    multi_pv.py               `compare_moves`: the best few moves of a state, searched equally deeply
    expected_score.py         from values to expected scores
    alpha_beta.py             the loop: alpha-beta with principal variation search and quiescence search
    tree.py                   its arrays: one frame for each ply
    move_ordering.py          table move, noisy moves, killer moves, history heuristic
    correction_history.py     corrections of the static evaluation
    histories.py              what one search passes on to the next
    pruning.py                late move reductions, null move, futility: margins and depths
    leaf_values.py            ends of play, tablebase positions, static evaluation
    tree_repetition.py        repetition detection in the tree
    opponent_model.py         paranoid and best-reply search for more than two seats
    plain_minimax.py          plain minimax, for bots that play as published programs did
    oversights.py             the moves that weak levels overlook
    abdada.py                 which positions other threads are searching
"""

from .abdada import end_busy, new_busy
from .alpha_beta import Advance, make_search
from .histories import borrow_histories, new_histories, renew_histories
from .iterative_deepening import analyse
from .leaf_values import value_of_code, value_of_ranks
from .multi_pv import Comparison, compare_moves
from .opponent_model import OpponentModel
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
from .tree import MAX_DEPTH, NODES, Tree, new_tree
from .tree_repetition import count_repeats, make_line_keys, slot_of

__all__ = [
    "MAX_DEPTH",
    "NODES",
    "NO_HANDICAP",
    "QUIESCENCE_PLIES",
    "TABLE_MEGABYTES",
    "Advance",
    "Analysis",
    "Clock",
    "Comparison",
    "Handicap",
    "Limits",
    "OpponentModel",
    "Parallel",
    "Tree",
    "analyse",
    "borrow_histories",
    "compare_moves",
    "count_repeats",
    "end_busy",
    "make_line_keys",
    "make_search",
    "new_busy",
    "new_histories",
    "new_tree",
    "no_clock",
    "renew_histories",
    "slot_of",
    "value_of_code",
    "value_of_ranks",
]
