"""The one alpha-beta search, built for each game by `make_search`, for two to four seats.

Neither iterative deepening nor time is here, nor texts: those are `engine.analysis`, which imports this.

The search is a loop over plies with its frames in arrays, so that it *pauses* when it has used up the nodes that it
was given and *resumes* where it was: whoever keeps time looks at the clock in between, and the nodes searched do not
depend on where the pauses fall. (A loop is also 1.5 to 1.9 times faster here than recursion, and a flag to stop it
would be hoisted out of the compiled loop.)

Its parts are named and switched in `engine.game.techniques`, each with its source; a game's record says which it uses.
Besides them there are a triangular table of variations, mate-distance pruning, draws by repetition and quiet plies, and
what solved endings say of a position (`Strength.tablebase`), where their tables are handed in.

A win or a loss that the search tells is true, whatever it leaves out: nothing is pruned or reduced into a value beyond
`PROVEN`. Moves that could avert a proven loss are all looked at, a static worth and a null move never stand for a win.
Its distance is the shortest among the lines that were searched; `engine.analysis` looks deeper for a shorter one.

Values are hundredths of a man from the view of the *side* to move at each node: the root's seat on one side, all others
on the other, as if they had agreed to harm it. So a value changes its sign from ply to ply with two seats, and with
more where a ply goes from the root's seat to the others or back. How much the others may do is an `OpponentModel`.

Repetition in the tree: a position that came up since the root, the root included, is a draw at its second
occurrence, since what repeats once can repeat again; one from before the root only at its third, as the rules say,
unless the root's seat is ahead and would only throw away what it has (`contempt`).
Where a game forbids repetition, the move is skipped.
"""

from .abdada import end_busy, new_busy
from .alpha_beta import Advance, make_search
from .histories import borrow_histories, new_histories, renew_histories
from .leaf_values import value_of_code, value_of_ranks
from .opponent_model import OpponentModel
from .tree import (
    ALPHA,
    BETA,
    BUSY,
    DEPTH,
    DRAWN_AT,
    ENTER,
    GENERATION,
    MAX_DEPTH,
    MOVE,
    NODES,
    NOISE,
    OPPONENTS,
    OVERSIGHTS,
    PAST,
    PLY,
    QUIESCENCE,
    QUIET,
    REVERSIBLE,
    ROOT_MOVES,
    SEATS,
    SEED,
    STEP,
    TABLE_MOVE,
    VALUE,
    Tree,
    new_tree,
)
from .tree_repetition import count_repeats, slot_of

__all__ = [
    "ALPHA",
    "BETA",
    "BUSY",
    "DEPTH",
    "DRAWN_AT",
    "ENTER",
    "GENERATION",
    "MAX_DEPTH",
    "MOVE",
    "NODES",
    "NOISE",
    "OPPONENTS",
    "OVERSIGHTS",
    "PAST",
    "PLY",
    "QUIESCENCE",
    "QUIET",
    "REVERSIBLE",
    "ROOT_MOVES",
    "SEATS",
    "SEED",
    "STEP",
    "TABLE_MOVE",
    "VALUE",
    "Advance",
    "OpponentModel",
    "Tree",
    "borrow_histories",
    "count_repeats",
    "end_busy",
    "make_search",
    "new_busy",
    "new_histories",
    "new_tree",
    "renew_histories",
    "slot_of",
    "value_of_code",
    "value_of_ranks",
]
