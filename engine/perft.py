"""Perft: counting the leaves of the game tree, to check move generation.

Leaves are counted at exactly the given depth. A ply includes its capture, a pass is a ply, a finished line has no
children, and the rules on repetition and quiet plies are ignored. A forced pass is a ply like any other (ruling 3.5):
the line continues with the next seat. When an opening ends, counting continues in its sequel. See
chessprogramming.org/Perft.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .bindings import packing_of, read_move
from .bits import allocating_kernel
from .game import Board, Game, MoveBuffer, Words
from .state import State


class PerftTable(NamedTuple):
    """The reference counts of one position."""

    comment: str
    position: str
    leaves: dict[int, int]
    """By depth in plies."""


def perft(state: State, depth: int) -> int:
    """Return the number of leaves `depth` plies below a state.

    >>> from millrace.engine.games import find_game
    >>> perft(State.of(find_game("morris")), 3)
    12144
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(state.generated_moves)
    if state.game.rules.sequel is not None:
        # The opening may end on any line, and its sequel has other kernels.
        return sum(perft(state.after(move), depth - 1) for move in state.generated_moves)
    moves = np.empty((depth, state.game.rules.kernels.max_moves), dtype=np.int32)
    return _counter_of(state.game)(state.start.board, state.words, depth, moves)


def divide(state: State, depth: int) -> Iterator[tuple[str, int]]:
    """Yield the text of each legal move with the leaves below it, `depth` (at least 1) plies below `state`."""
    game, board = state.game, state.start.board
    for move in state.generated_moves:
        yield game.texts.format_move(board, move), perft(state.after(move), depth - 1)


def read_tables(path: Path) -> Iterator[PerftTable]:
    """Yield the tables of a perft file: lines `# comment`, `position TEXT`, then `DEPTH LEAVES`."""
    comment, position, leaves = "", "", dict[int, int]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or line.startswith("position "):
            if leaves:
                yield PerftTable(comment, position, leaves)
                comment, leaves = "", {}
            if line.startswith("#"):
                comment = line[1:].strip()
            else:
                position = line.removeprefix("position ")
        elif line.strip():
            depth, count = line.split()
            leaves[int(depth)] = int(count)
    if leaves:
        yield PerftTable(comment, position, leaves)


@cache
def _counter_of(game: Game) -> Callable[[Board, Words, int, MoveBuffer], int]:
    """Return the compiled counter for depths of at least 2. Leaves are counted in bulk one ply above them.

    It is a loop rather than a recursion, since passing arrays from call to call cost more than half of the speed
    (`python -m benchmarks.perft`).
    """
    generate_moves, count_moves, make_move = (
        game.rules.kernels.generate_moves,
        game.rules.kernels.count_moves,
        game.rules.kernels.make_move,
    )
    packing = packing_of(game)
    unpack_row, pack_row = packing.unpack_row, packing.pack_row
    width = game.rules.position_words

    @allocating_kernel
    def count_leaves(board: Board, words: Words, depth: int, moves: MoveBuffer) -> int:
        positions = np.empty((depth, width), dtype=np.uint64)
        unplayed = np.zeros(depth, dtype=np.int64)
        for index in range(width):
            positions[0, index] = words[index]
        leaves, ply, is_resumed = 0, 0, False
        while ply >= 0:
            position = unpack_row(positions, ply)
            if not is_resumed:
                unplayed[ply] = generate_moves(board, position, moves[ply])
            if ply == depth - 2:
                for index in range(unplayed[ply]):
                    leaves += count_moves(board, make_move(board, position, read_move(moves[ply], index)))
                unplayed[ply] = 0
            is_resumed = unplayed[ply] == 0
            if is_resumed:
                ply -= 1
            else:
                unplayed[ply] -= 1
                move = read_move(moves[ply], unplayed[ply])
                ply += 1
                pack_row(make_move(board, position, move), positions, ply)
        return leaves

    return count_leaves
