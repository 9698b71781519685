"""The alpha-beta search, built for each game by `make_search`, for two to four seats.

Iterative deepening, time and texts are in `engine.analysis`.

The search is a loop over plies with its frames in arrays, so that it *pauses* when it has used its nodes and *resumes*
where it was: the caller looks at the clock in between, and the nodes searched do not depend on where the pauses are. (A
loop is also 1.5 to 1.9 times faster here than recursion, and a stop flag would be hoisted out of the compiled loop.)

Its techniques are listed in `engine.game.techniques`, with sources; a game's record says which it uses. Besides them
there are a triangular table of principal variations, mate-distance pruning, draws by repetition and quiet plies, and
tablebase probes (`Strength.tablebase`).

A win or loss that the search reports is certain, whatever it prunes: nothing is pruned or reduced to a value beyond
`PROVEN`, all moves that could avert a proven loss are searched, and a static evaluation or null move never proves a
win. Its distance is the shortest among the searched lines; `engine.analysis` searches deeper for a shorter one.

Values are hundredths of a man from the view of the *side* to move at each node. The root's seat is one side, and all
others are the other side. So a value changes its sign at every ply with two seats, and otherwise where a ply passes
from the root's seat to the others or back. How the others play is an `OpponentModel`.

Repetition in the tree: a position that occurred since the root, the root included, is a draw at its second occurrence,
since what repeats once can repeat again. A position from before the root is a draw only at its third occurrence, as the
rules say, unless the root's seat is ahead and would throw away its lead (`contempt`). Where a game forbids repetition,
the move is skipped.

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
from .leaf_values import value_of_code, value_of_ranks
from .opponent_model import OpponentModel
from .tree import MAX_DEPTH, NODES, Tree, new_tree
from .tree_repetition import count_repeats, make_line_keys, slot_of

__all__ = [
    "MAX_DEPTH",
    "NODES",
    "Advance",
    "OpponentModel",
    "Tree",
    "borrow_histories",
    "count_repeats",
    "end_busy",
    "make_line_keys",
    "make_search",
    "new_busy",
    "new_histories",
    "new_tree",
    "renew_histories",
    "slot_of",
    "value_of_code",
    "value_of_ranks",
]
