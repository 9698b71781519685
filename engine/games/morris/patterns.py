"""Patterns of Nine Men's Morris: groups of points that are evaluated together, and which ways to fill them are equal.

Their weights are data (`weights.json`); the other terms are in `engine.games.morris.evaluation`. Three shapes lie on
the board eleven times:

    ring     the eight points of a ring, the middle ring with weights of its own: its four rows and what is between
    side     a spoke with the rows that it halves, nine points: four lines
    corner   a corner of all three rings with the midpoints next to it, nine points: the rows that meet there

A way to fill a shape is a number in base 3, with a digit for each point: 0 empty, 1 the mover's, 2 the opponent's. It
has the same weight when rotated, reflected or turned inside out, and the negative weight with the sides swapped.
"""

from itertools import product

import numpy as np

from ...bits import Bitboard, kernel, to_count
from ...game.evaluation_terms import Shape
from ...game.pattern_shapes import patterns_of
from .points import clockwise
from .position import MorrisBoard, MorrisPosition

PHASES = ("moving", "placing")
MOVING, PLACING = range(len(PHASES))

RING_POINTS, BLOCK_POINTS = 8, 9
RING_CODES, BLOCK_CODES = 3**RING_POINTS, 3**BLOCK_POINTS
MIDDLE_RING = RING_CODES
SIDES = 2 * RING_CODES
CORNERS = SIDES + BLOCK_CODES
"""The first column of each shape but the ring, which comes first; a corner and a side are *blocks*, three points on
each ring."""

TERNARY = np.array(
    [sum(3**point for point in range(BLOCK_POINTS) if points >> point & 1) for points in range(1 << BLOCK_POINTS)]
)
"""A set of points in base 3, with digits 0 and 1."""

RING_MASK = np.uint64(0xFF)
TRIPLE_MASK = np.uint64(7)
ONE_RING, TWO_RINGS = np.uint64(8), np.uint64(16)
ONE_TRIPLE, TWO_TRIPLES = np.uint64(3), np.uint64(6)


@kernel
def code_of(mover: Bitboard, opponent: Bitboard) -> int:
    """Return the number in base 3 of how a shape is filled."""
    return TERNARY[to_count(mover)] + 2 * TERNARY[to_count(opponent)]  # type: ignore[no-any-return]


@kernel
def block(points: Bitboard) -> Bitboard:
    """Return which of the first three points of each ring are among some points, as nine bits."""
    return (
        points & TRIPLE_MASK
        | (points >> ONE_RING & TRIPLE_MASK) << ONE_TRIPLE
        | (points >> TWO_RINGS & TRIPLE_MASK) << TWO_TRIPLES
    )


@kernel
def blocks_of(points: Bitboard) -> tuple[Bitboard, Bitboard, Bitboard, Bitboard]:
    """Return `block` of the points from the first, the third, the fifth and the seventh of each ring on."""
    return (
        block(points),
        block(points >> np.uint64(2)),
        block(points >> np.uint64(4)),
        block(clockwise(clockwise(points))),
    )


@kernel
def columns_of(_board: MorrisBoard, position: MorrisPosition) -> tuple[int, ...]:
    """Return the columns of the three rings, the four sides and the four corners."""
    mover, opponent = position.mover, position.opponent
    # A side begins at a corner of the board, and a corner at the midpoint before it.
    sides, opposing_sides = blocks_of(mover), blocks_of(opponent)
    corners, opposing_corners = blocks_of(clockwise(mover)), blocks_of(clockwise(opponent))
    return (
        code_of(mover & RING_MASK, opponent & RING_MASK),
        MIDDLE_RING + code_of(mover >> ONE_RING & RING_MASK, opponent >> ONE_RING & RING_MASK),
        code_of(mover >> TWO_RINGS, opponent >> TWO_RINGS),
        SIDES + code_of(sides[0], opposing_sides[0]),
        SIDES + code_of(sides[1], opposing_sides[1]),
        SIDES + code_of(sides[2], opposing_sides[2]),
        SIDES + code_of(sides[3], opposing_sides[3]),
        CORNERS + code_of(corners[0], opposing_corners[0]),
        CORNERS + code_of(corners[1], opposing_corners[1]),
        CORNERS + code_of(corners[2], opposing_corners[2]),
        CORNERS + code_of(corners[3], opposing_corners[3]),
    )


@kernel
def phase_of(_board: MorrisBoard, position: MorrisPosition) -> int:
    """Return whether men are still being placed."""
    return PLACING if position.hands > np.uint64(0) else MOVING


def ring_symmetries() -> list[list[int]]:
    """Return the eight ways to map a ring onto itself, each as where the digit of each point comes from."""
    turns = range(0, RING_POINTS, 2)
    return [[(turn + step * point) % RING_POINTS for point in range(RING_POINTS)] for turn in turns for step in (1, -1)]


def block_symmetries() -> list[list[int]]:
    """Return the four ways to map a block onto itself."""
    ways = product((range(3), range(2, -1, -1)), repeat=2)
    return [[3 * ring + point for ring in rings for point in points] for rings, points in ways]


RING, BLOCK = Shape(RING_POINTS, np.array(ring_symmetries())), Shape(BLOCK_POINTS, np.array(block_symmetries()))

PATTERNS = patterns_of(PHASES, (RING, RING, BLOCK, BLOCK), columns_of, phase_of)
