"""Laying tiles in turn before a match of Battle Sheep, as kernels: the option `opening=tiles` (3.1).

After the last tile the match continues with `kernels` on the pasture. The canvas has more cells than a word has bits,
so that the laid cells are three words, which belong to no seat. A move is the index of a tile, a rhombus at a position,
plus one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import NO_CELLS, Bitboard, count_cells, kernel, to_count
from ...game import ClickBuffer, Kernels, MoveBuffer

CANVAS_WORDS = 3
MAX_MOVES = 3 * 64 * CANVAS_WORDS
"""Each cell of the canvas is the first of at most three tiles."""

TILES_TO_LAY = 0
MIDDLE = 1
TILE = 0
BORDER = 3


class CanvasBoard(NamedTuple):
    """The canvas for tiles, and how many are laid."""

    tiles: NDArray[np.uint64]
    """Shape (tiles, 6): three words with the four cells of each tile, then three with the cells that touch them."""
    facts: NDArray[np.uint64]
    """Shape (4,): the number of tiles of a pasture, then the middle cell of the canvas as three words."""
    corners: NDArray[np.uint64]
    """Shape (tiles, 2): the two far corners of each tile, first in reading order."""


class LaidTiles(NamedTuple):
    """The cells laid so far. There is no mover's view, since they belong to all."""

    first: Bitboard
    second: Bitboard
    third: Bitboard


@kernel
def tiles_laid(position: LaidTiles) -> int:
    """Return the number of tiles laid."""
    return (count_cells(position.first) + count_cells(position.second) + count_cells(position.third)) // 4


@kernel
def meets(position: LaidTiles, masks: NDArray[np.uint64], start: int) -> bool:
    """Return whether any cell of the three words of a mask is laid."""
    common = position.first & masks[start] | position.second & masks[start + 1] | position.third & masks[start + 2]
    return bool(common != NO_CELLS)


@kernel
def covers_middle(board: CanvasBoard, tile: int) -> bool:
    """Return whether a tile covers the middle of the canvas."""
    common = (
        board.tiles[tile, 0] & board.facts[MIDDLE]
        | board.tiles[tile, 1] & board.facts[MIDDLE + 1]
        | board.tiles[tile, 2] & board.facts[MIDDLE + 2]
    )
    return bool(common != NO_CELLS)


@kernel
def fits(board: CanvasBoard, position: LaidTiles, tile: int) -> bool:
    """Return whether a tile touches laid cells and covers none; the first tile covers the middle."""
    if tiles_laid(position) == 0:
        return covers_middle(board, tile)
    masks = board.tiles[tile]
    return meets(position, masks, BORDER) and not meets(position, masks, TILE)


@kernel
def generate_moves(board: CanvasBoard, position: LaidTiles, moves: MoveBuffer) -> int:
    """Write the tiles that fit."""
    count = 0
    if tiles_laid(position) < to_count(board.facts[TILES_TO_LAY]):
        for tile in range(board.tiles.shape[0]):
            if fits(board, position, tile):
                moves[count] = tile + 1
                count += 1
    return count


@kernel
def count_moves(board: CanvasBoard, position: LaidTiles) -> int:
    """Return the number of moves that `generate_moves` writes."""
    count = 0
    if tiles_laid(position) < to_count(board.facts[TILES_TO_LAY]):
        for tile in range(board.tiles.shape[0]):
            count += int(fits(board, position, tile))
    return count


@kernel
def make_move(board: CanvasBoard, position: LaidTiles, move: int) -> LaidTiles:
    """Return the position with one more tile."""
    tile = board.tiles[move - 1]
    return LaidTiles(position.first | tile[0], position.second | tile[1], position.third | tile[2])


@kernel
def outcome(_board: CanvasBoard, _position: LaidTiles, ranks: NDArray[np.int32]) -> int:
    """Write equal ranks: laying decides nothing by itself."""
    ranks[:] = 1
    return 0


@kernel
def write_clicks(board: CanvasBoard, _position: LaidTiles, move: int, clicks: ClickBuffer) -> int:
    """Write the tile's two far corners."""
    clicks[0] = to_count(board.corners[move - 1, 0])
    clicks[1] = to_count(board.corners[move - 1, 1])
    return 2


KERNELS = Kernels(
    generate_moves=generate_moves,
    count_moves=count_moves,
    make_move=make_move,
    outcome=outcome,
    write_clicks=write_clicks,
    max_moves=MAX_MOVES,
    max_clicks=2,
)
