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
from numpy.typing import NDArray

from .bindings import compiled_for, packing_of, read_move
from .bits import kernel
from .game import Board, Game
from .state import State

SLICE_POSITIONS = 2_000_000
"""How many positions are made between two looks at whether to go on: some 20 ms."""
SLICE_INTERPRETED = 2_000
"""The same for rules that are interpreted."""


class PerftTable(NamedTuple):
    """The reference counts of one position."""

    comment: str
    position: str
    leaves: dict[int, int]
    """By depth in plies."""


def _go_on() -> None:
    """Go on counting to the end."""


def perft(state: State, depth: int, look: Callable[[], None] = _go_on) -> int:
    """Return the number of leaves `depth` plies below a state. `look` is called now and then, and may raise to end it.

    >>> from millrace.engine.games import find_game
    >>> perft(State.of(find_game("morris")), 3)
    12144
    """
    if depth == 0:
        return 1
    look()
    if depth == 1:
        return len(state.generated_moves)
    if state.game.rules.sequel is not None:
        # The opening may end on any line, and its sequel has other kernels.
        return sum(perft(state.after(move), depth - 1, look) for move in state.generated_moves)
    count_leaves, progress, leaves = counter_of(state.game), _beginning(state, depth), 0
    most = SLICE_INTERPRETED if state.game.rules.why_interpreted else SLICE_POSITIONS
    while progress.ply[0] >= 0:
        look()
        leaves += count_leaves(state.start.board, progress, most)
    return leaves


def divide(state: State, depth: int, look: Callable[[], None] = _go_on) -> Iterator[tuple[str, int]]:
    """Yield the text of each legal move with the leaves below it, `depth` (at least 1) plies below `state`."""
    game, board = state.game, state.start.board
    for move in state.generated_moves:
        yield game.texts.format_move(board, move), perft(state.after(move), depth - 1, look)


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


class Progress(NamedTuple):
    """How far a count has come: the line it stands at, and what is left to play at each of its plies."""

    positions: NDArray[np.uint64]
    """(depth, words of a position)."""
    moves: NDArray[np.int32]
    """(depth, maximum moves)."""
    unplayed: NDArray[np.int64]
    """Moves not yet played, by ply; -1 while they have not been generated."""
    ply: NDArray[np.int64]
    """(2,): the ply to go on from, -1 once everything is counted; and the last one at which moves are made."""


def _beginning(state: State, depth: int) -> Progress:
    positions = np.zeros((depth, state.game.rules.position_words), dtype=np.uint64)
    positions[0] = state.words
    moves = np.empty((depth, state.game.rules.kernels.max_moves), dtype=np.int32)
    return Progress(positions, moves, np.full(depth, -1, dtype=np.int64), np.array([0, depth - 2]))


@cache
def counter_of(game: Game) -> Callable[[Board, Progress, int], int]:
    """Return the compiled counter for depths of at least 2. It makes about so many positions, and returns how many
    more leaves it has counted, in bulk one ply above them.

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

    @kernel
    def count_leaves(board: Board, progress: Progress, most: int) -> int:
        positions, moves, unplayed = progress.positions, progress.moves, progress.unplayed
        leaves, made, ply, above = 0, 0, progress.ply[0], progress.ply[1]
        while ply >= 0 and made < most:
            position = unpack_row(positions, ply)
            if unplayed[ply] < 0:
                unplayed[ply] = generate_moves(board, position, moves[ply])
            if ply == above:
                for index in range(unplayed[ply]):
                    leaves += count_moves(board, make_move(board, position, read_move(moves[ply], index)))
                made += unplayed[ply]
                unplayed[ply] = 0
            if unplayed[ply] == 0:
                unplayed[ply] = -1
                ply -= 1
            else:
                made += 1
                unplayed[ply] -= 1
                move = read_move(moves[ply], unplayed[ply])
                ply += 1
                pack_row(make_move(board, position, move), positions, ply)
        progress.ply[0] = ply
        return leaves

    return compiled_for(game, count_leaves)
