"""Laying and measuring pastures with sets of coordinates, as an independent reference for the kernels."""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, product
from random import Random

import numpy as np
from numpy.typing import NDArray

from millrace.engine.games.battlesheep.pasture import (
    ALL_CELLS,
    CELL_COLUMNS,
    CELL_ROWS,
    COLUMNS,
    DIRECTIONS,
    FACTS,
    MOST_CELLS,
    NEIGHBOURS,
    OUTER_EDGE,
    ROWS,
    SEATS,
    Coordinate,
    joined,
    touching,
)
from millrace.engine.games.battlesheep.random_pasture import TILE_SHAPES, TILES_PER_SEAT, Tile, moved_to_origin


def lay_pasture(seed: int, seats: int) -> frozenset[Coordinate]:
    """Return a connected pasture of four tiles for each seat, with first row and column 0.

    The positions of one more tile and the contacts of cells are kept from tile to tile.
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


def adjoining_tiles(cells: Tile, beside: Tile | None = None) -> set[Tile]:
    """Return every position of one more tile that covers no cells, and touches them or those of them in `beside`."""
    border = {near for cell in (cells if beside is None else beside) for near in touching(cell)} - cells
    tiles = set()
    for (row, column), shape in product(border, TILE_SHAPES):
        for anchor_row, anchor_column in shape:
            tile = frozenset([(row + r - anchor_row, column + c - anchor_column) for r, c in shape])
            if cells.isdisjoint(tile):
                tiles.add(tile)
    return tiles


def tables_of(cells: frozenset[Coordinate], extent: Coordinate, seats: int) -> NDArray[np.uint64]:
    """Return the tables of a pasture of up to 64 cells, in an array of `extent` rows and columns."""
    ordered = sorted(cells)
    number = {cell: index for index, cell in enumerate(ordered)}
    tables = np.zeros((10, MOST_CELLS), dtype=np.uint64)
    for cell, index in number.items():
        for direction, step in enumerate(DIRECTIONS):
            tables[direction, index] = bits_of(ray_from(cell, step, number), number)
        tables[NEIGHBOURS, index] = bits_of((near for near in touching(cell) if near in number), number)
        tables[[CELL_ROWS, CELL_COLUMNS], index] = cell
    tables[FACTS, [ALL_CELLS, OUTER_EDGE]] = bits_of(cells, number), bits_of(outer_edge(cells), number)
    tables[FACTS, [SEATS, ROWS, COLUMNS]] = seats, *extent
    return tables


def bits_of(cells: Iterable[Coordinate], number: dict[Coordinate, int]) -> int:
    """Return the bitboard of a set of cells."""
    return sum(1 << number[cell] for cell in cells)


def ray_from(cell: Coordinate, step: Coordinate, cells: Iterable[Coordinate]) -> list[Coordinate]:
    """Return the cells from one in a direction, up to the first that is not part of the pasture."""
    ray = []
    row, column = cell[0] + step[0], cell[1] + step[1]
    while (row, column) in cells:
        ray.append((row, column))
        row, column = row + step[0], column + step[1]
    return ray


def outer_edge(cells: frozenset[Coordinate]) -> set[Coordinate]:
    """Return the cells with a neighbour outside the pasture that is connected to the outside (3.3)."""
    top, left = min(row for row, _ in cells) - 1, min(column for _, column in cells) - 1
    bottom, right = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    frame = ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1))
    outside = joined(frozenset(frame) - cells, (top, left))
    return {cell for cell in cells if any(near in outside for near in touching(cell))}
