"""Random pastures, laid tile by tile from a seed (3.1): the same seed always gives the same pasture."""

from bisect import bisect
from itertools import accumulate, product
from random import Random

from .pasture import Coordinate, touching

TILES_PER_SEAT = 4

TILE_SHAPES: tuple[tuple[Coordinate, ...], ...] = (
    ((0, 0), (0, 1), (1, 1), (1, 2)),
    ((0, 0), (1, 0), (1, 1), (2, 1)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
)
"""The rhombus of four cells in its three orientations, relative to its first cell in reading order."""

Tile = frozenset[Coordinate]
"""The four cells that a tile covers."""


def lay_pasture(seed: int, seats: int) -> frozenset[Coordinate]:
    """Return a connected pasture of four tiles for each seat, with first row and column 0.

    Positions with more contact are more likely, so that pastures are compact but varied.
    """
    chance = Random(seed)
    cells = frozenset(TILE_SHAPES[int(chance.random() * len(TILE_SHAPES))])
    for _ in range(TILES_PER_SEAT * seats - 1):
        places = sorted(adjoining_tiles(cells), key=sorted)
        marks = list(accumulate(contacts(tile, cells) ** 3 for tile in places))
        cells |= places[bisect(marks, int(chance.random() * marks[-1]))]
    return moved_to_origin(cells)


def adjoining_tiles(cells: frozenset[Coordinate]) -> set[Tile]:
    """Return every position of one more tile that touches the cells and covers none of them."""
    border = {near for cell in cells for near in touching(cell)} - cells
    tiles = set()
    for (row, column), shape in product(border, TILE_SHAPES):
        for anchor_row, anchor_column in shape:
            tile = frozenset((row + r - anchor_row, column + c - anchor_column) for r, c in shape)
            if not tile & cells:
                tiles.add(tile)
    return tiles


def contacts(tile: Tile, cells: frozenset[Coordinate]) -> int:
    """Return the number of pairs of neighbours between a tile and the cells laid before it."""
    return sum(near in cells for cell in tile for near in touching(cell))


def moved_to_origin(cells: frozenset[Coordinate]) -> frozenset[Coordinate]:
    """Return the same shape with first row and column 0."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return frozenset((row - top, column - left) for row, column in cells)
