"""Random pastures, laid tile by tile from a seed (3.1): the same seed always gives the same pasture."""

from bisect import bisect
from collections import Counter
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

    Positions with more contact are more likely, so that pastures are compact but varied. The positions and contacts are
    kept from tile to tile, since finding all of them again takes five times as long.
    """
    chance = Random(seed)
    tile: Tile = frozenset(TILE_SHAPES[int(chance.random() * len(TILE_SHAPES))])
    cells = frozenset(tile)
    contacts = Counter(near for cell in tile for near in touching(cell))
    """How many neighbours each coordinate has among the cells."""
    places: dict[Tile, list[Coordinate]] = {}
    """The positions of one more tile, each with its cells in order."""
    for _ in range(TILES_PER_SEAT * seats - 1):
        places = {place: order for place, order in places.items() if not place & tile}
        places.update((place, sorted(place)) for place in adjoining_tiles(cells, tile) if place not in places)
        ordered = sorted(places, key=places.__getitem__)
        marks = list(accumulate(sum([contacts[cell] for cell in place]) ** 3 for place in ordered))
        tile = ordered[bisect(marks, int(chance.random() * marks[-1]))]
        cells |= tile
        contacts.update(near for cell in tile for near in touching(cell))
    return moved_to_origin(cells)


def adjoining_tiles(cells: frozenset[Coordinate], beside: frozenset[Coordinate] | None = None) -> set[Tile]:
    """Return every position of one more tile that covers no cells, and touches them or those of them in `beside`."""
    border = {near for cell in (cells if beside is None else beside) for near in touching(cell)} - cells
    tiles = set()
    for (row, column), shape in product(border, TILE_SHAPES):
        for anchor_row, anchor_column in shape:
            tile = frozenset([(row + r - anchor_row, column + c - anchor_column) for r, c in shape])
            if cells.isdisjoint(tile):
                tiles.add(tile)
    return tiles


def moved_to_origin(cells: frozenset[Coordinate]) -> frozenset[Coordinate]:
    """Return the same shape with first row and column 0."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return frozenset((row - top, column - left) for row, column in cells)
