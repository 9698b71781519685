"""Plain minimax with alpha-beta, as the published programs for these games search: no table, no quiescence, no pruning.

Not the search that this engine plays with, which is `alpha_beta`. The moves of a node are ordered by the static
evaluation of the positions that they lead to, and if a *beam* is given, only the best so many are searched. Like that
search it is a loop over plies that pauses when it has used its nodes; a node is an evaluated position. Repetition is
the caller's: at the root only the given moves are searched, and below the rules on repetition do not count.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bindings import compiled_for, packing_of, read_move
from ..bits import kernel
from ..game import Board, Game, MoveBuffer
from ..transposition_table import WIN
from .leaf_values import make_leaf_values
from .move_ordering import MOVE_MASK, Ranked, select_next
from .tree import extend_variation

MAX_PLIES = 16
"""Maximum depth of a search."""

PLY, STEP, VALUE, NODES, DEPTH, BEAM, SEATS, ROOT_MOVES = range(8)
ALPHA, BETA, BEST, COUNT, LIMIT, TRIED, TURN = range(7)
ENTER, NEXT, LEAVE = range(3)


class PlainTree(NamedTuple):
    """The arrays of a search."""

    counters: NDArray[np.int64]
    """`PLY` to `ROOT_MOVES`: the state of the loop, its counts and its parameters."""
    frames: NDArray[np.int64]
    """One row for each ply, with the columns `ALPHA` to `TURN`; `LIMIT` is how many of the `COUNT` moves are tried."""
    words: NDArray[np.uint64]
    ranked: Ranked
    buffer: MoveBuffer
    root_moves: MoveBuffer
    variations: NDArray[np.int64]
    lengths: NDArray[np.int64]
    ranks: NDArray[np.int32]


Advance = Callable[[Board, PlainTree, int], bool]
"""`(board, tree, node_limit)`: search until done, and return True, or until this many nodes are evaluated in all."""


def new_plain_tree(game: Game, words: NDArray[np.uint64], root_moves: tuple[int, ...], seats: int) -> PlainTree:
    """Return the arrays of a search from a position, of some of its moves."""
    plies, max_moves = MAX_PLIES + 2, game.rules.kernels.max_moves
    tree = PlainTree(
        counters=np.zeros(8, dtype=np.int64),
        frames=np.zeros((plies, 7), dtype=np.int64),
        words=np.zeros((plies, game.rules.position_words), dtype=np.uint64),
        ranked=np.zeros((plies, max_moves), dtype=np.int64),
        buffer=np.zeros(max_moves, dtype=np.int32),
        root_moves=np.zeros(max_moves, dtype=np.int32),
        variations=np.zeros((plies, plies), dtype=np.int64),
        lengths=np.zeros(plies, dtype=np.int64),
        ranks=np.zeros(max(game.seats), dtype=np.int32),
    )
    tree.words[0] = words
    tree.root_moves[: len(root_moves)] = root_moves
    tree.counters[[SEATS, ROOT_MOVES]] = seats, len(root_moves)
    return tree


def begin_iteration(tree: PlainTree, depth: int, beam: int | None) -> None:
    """Prepare a search to a depth, with at most `beam` moves of each node."""
    tree.counters[[PLY, STEP, DEPTH]] = 0, ENTER, depth
    tree.counters[BEAM] = beam or tree.ranked.shape[1]
    tree.frames[0, [ALPHA, BETA]] = -2 * WIN, 2 * WIN


@cache
def make_plain_minimax(game: Game) -> Advance:  # noqa: PLR0915
    """Return the compiled search of a game."""
    generate_moves, make_move, count_moves = (
        game.rules.kernels.generate_moves,
        game.rules.kernels.make_move,
        game.rules.kernels.count_moves,
    )
    is_over = game.rules.kernels.is_over or kernel(lambda board, position: count_moves(board, position) == 0)
    packing = packing_of(game)
    unpack_row, pack_row = packing.unpack_row, packing.pack_row
    _, value_of_end, static_evaluation = make_leaf_values(game)

    @kernel
    def advance(board: Board, tree: PlainTree, node_limit: int) -> bool:  # noqa: PLR0912, PLR0915
        counters, frames, ranked, lengths = tree.counters, tree.frames, tree.ranked, tree.lengths
        ply, step, value, nodes = counters[PLY], counters[STEP], counters[VALUE], counters[NODES]
        depth, beam, seats = counters[DEPTH], counters[BEAM], counters[SEATS]
        while True:
            turn = frames[ply, TURN]
            next_turn = turn + 1 if turn + 1 < seats else 0
            # The root's seat is one side, and all others are the other side.
            changes_side = (turn == 0) != (next_turn == 0)
            if step == ENTER:
                if nodes >= node_limit:
                    counters[PLY], counters[STEP], counters[VALUE], counters[NODES] = ply, step, value, nodes
                    return False
                position = unpack_row(tree.words, ply)
                lengths[ply], lengths[ply + 1] = ply, ply + 1
                if ply > 0:
                    count = generate_moves(board, position, tree.buffer)
                else:
                    count = counters[ROOT_MOVES]
                    for index in range(count):
                        tree.buffer[index] = tree.root_moves[index]
                step = LEAVE
                if count == 0:
                    value = value_of_end(board, position, ply, turn, seats, tree.ranks)
                    continue
                for index in range(count):
                    move = read_move(tree.buffer, index)
                    after = make_move(board, position, move)
                    if is_over(board, after):
                        value = value_of_end(board, after, ply + 1, next_turn, seats, tree.ranks)
                    else:
                        value = static_evaluation(board, after, next_turn, seats)
                    if changes_side:
                        value = -value
                    ranked[ply, index] = value << 16 | move
                nodes += count
                if ply == depth - 1:
                    chosen = select_next(ranked, ply, 0, count)
                    value = chosen >> 16
                    extend_variation(tree.variations, lengths, ply, chosen & MOVE_MASK)
                    continue
                frames[ply, BEST], frames[ply, COUNT], frames[ply, TRIED] = -2 * WIN, count, 0
                frames[ply, LIMIT] = min(count, beam)
                step = NEXT
            elif step == NEXT:
                tried, alpha, beta = frames[ply, TRIED], frames[ply, ALPHA], frames[ply, BETA]
                if tried == frames[ply, LIMIT] or alpha >= beta:
                    value, step = frames[ply, BEST], LEAVE
                    continue
                move = select_next(ranked, ply, tried, frames[ply, COUNT]) & MOVE_MASK
                frames[ply, TRIED] = tried + 1
                pack_row(make_move(board, unpack_row(tree.words, ply), move), tree.words, ply + 1)
                frames[ply + 1, TURN] = next_turn
                frames[ply + 1, ALPHA] = -beta if changes_side else alpha
                frames[ply + 1, BETA] = -alpha if changes_side else beta
                ply += 1
                step = ENTER
            elif ply == 0:
                counters[VALUE], counters[NODES] = value, nodes
                return True
            else:
                ply -= 1
                turn = frames[ply, TURN]
                next_turn = turn + 1 if turn + 1 < seats else 0
                if (turn == 0) != (next_turn == 0):
                    value = -value
                if value > frames[ply, BEST]:
                    frames[ply, BEST] = value
                    if value > frames[ply, ALPHA]:
                        frames[ply, ALPHA] = value
                        extend_variation(tree.variations, lengths, ply, ranked[ply, frames[ply, TRIED] - 1] & MOVE_MASK)
                step = NEXT

    return compiled_for(game, advance)
