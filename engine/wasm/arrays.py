"""The arrays of a match in a WebAssembly module: what the page reads and writes, and what kernels keep."""

from typing import NamedTuple

import numpy as np

from ..game import Game, Start
from ..game.drawing_kernels import CELL_COLUMNS, MOST_CELLS, MOST_TALLIES
from ..perft import Progress
from ..search import new_histories, new_tree
from ..search.deepening_kernel import new_run
from .views import Layout, View

MOST_PLIES = 4000
"""Maximum plies of a match."""

MOST_PERFT_PLIES = 16

CHOICES = 4
"""Number of searches for alternative moves, for a level with a style (`levels.play.CANDIDATES`)."""

FIELDS = (
    "table_at",
    "table_entries",
    "seats",
    "first_seat",
    "ply",
    "leaves",
    "generation",
    "history_seat",
    "candidates",
    "max_depth",
    "max_nodes",
    "noise",
    "seed",
    "quiescence",
    "oversights",
    "is_aside",
    "captures",
    "stage",
    "tried",
    "chosen",
    "chosen_value",
    "best_score",
    "level_depth",
    "level_nodes",
    "unpacked_at",
)
(
    TABLE_AT,
    TABLE_ENTRIES,
    SEATS_PLAYING,
    FIRST_SEAT,
    PLY,
    LEAVES,
    NEXT_GENERATION,
    HISTORY_SEAT,
    CANDIDATES,
    MAX_DEPTH_ASKED,
    MAX_NODES_ASKED,
    NOISE_ASKED,
    SEED_ASKED,
    QUIESCENCE_ASKED,
    OVERSIGHTS_ASKED,
    IS_ASIDE,
    CAPTURES,
    STAGE,
    TRIED,
    CHOSEN,
    CHOSEN_VALUE,
    BEST_SCORE,
    LEVEL_DEPTH,
    LEVEL_NODES,
    UNPACKED_AT,
) = range(len(FIELDS))
"""The entries of the array `fields`, and their names for the page. The page writes where it has put the transposition
table and the number of its entries, a power of two; the seats and the one to move at the start; and what it asks of a
search, with 0 for no limit of depth or nodes, and for all moves instead of `CANDIDATES` ones. The module writes the
plies since the start, the leaves that perft has counted, the number of the latest search, the seat for which the
histories are (-1 if there are none), and whether the search in progress has borrowed them. From `CAPTURES` on they are
those of a level's choice: the page asks for the bonus for captures, and the depth and the nodes of the level; `CHOSEN`
is the move. `UNPACKED_AT` is for `unpack`, which the page calls first where the module has it."""


class Views(NamedTuple):
    """The arrays of a session."""

    fields: View
    board: View
    line: View
    """The positions since the start, each from its mover's view: shape `(MOST_PLIES + 1, position_words)`."""
    moves_played: View
    quiet_plies: View
    past: View
    """By ply: how many positions before it could equal a later one."""
    moves: View
    clicks: View
    ranks: View
    cells: View
    counts: View
    """What `draw` writes (`engine.game.drawing_kernels`)."""
    candidates: View
    tried: View
    """The moves that a level has searched."""
    tree: View
    run: View
    lent_history: View
    lent_corrections: View
    perft: View


def make_views(layout: Layout, game: Game, start: Start) -> Views:
    """Give every array of a game's matches a place."""
    kernels, width = game.rules.kernels, game.rules.position_words
    tree = new_tree(game, MOST_PLIES, new_histories(game, 0))
    depth = MOST_PERFT_PLIES
    progress = Progress(
        np.zeros((depth, width), dtype=np.uint64),
        np.zeros((depth, kernels.max_moves), dtype=np.int32),
        np.zeros(depth, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )
    return Views(
        fields=layout.add("fields", "int64", len(FIELDS)),
        board=layout.add_tuple("board", start.board),
        line=layout.add("line", "uint64", MOST_PLIES + 1, width),
        moves_played=layout.add("moves_played", "int64", MOST_PLIES + 1),
        quiet_plies=layout.add("quiet_plies", "int64", MOST_PLIES + 1),
        past=layout.add("past", "int64", MOST_PLIES + 1),
        moves=layout.add("moves", "int32", kernels.max_moves),
        clicks=layout.add("clicks", "int16", kernels.max_clicks + 1),
        ranks=layout.add("ranks", "int32", max(game.seats)),
        cells=layout.add("cells", "int16", MOST_CELLS, CELL_COLUMNS),
        counts=layout.add("counts", "int16", 1 + MOST_TALLIES, max(game.seats)),
        candidates=layout.add("candidates", "int32", kernels.max_moves),
        tried=layout.add("tried", "int32", CHOICES + 1),
        tree=layout.add_tuple("tree", tree),
        run=layout.add_tuple("run", new_run()),
        lent_history=layout.add("lent_history", "int32", *tree.history.shape),
        lent_corrections=layout.add("lent_corrections", "int32", *tree.corrections.shape),
        perft=layout.add_tuple("perft", progress),
    )
