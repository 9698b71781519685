"""The points of Nine Men's Morris as bitboards: steps, lines and mills, for the men of either side.

Points are bits 0..23, ring by ring from the outside, each ring clockwise from its upper left corner, so that a step
along a ring is a rotation within a byte, a step along a spoke is a shift by eight, and the 16 symmetries of the board
are rotations, reflections and swaps of bytes:

     0 --------- 1 --------- 2        ring r holds bits 8r .. 8r+7
     |   8 ----- 9 ---- 10   |        corners are even, midpoints odd
     |   |  16- 17 -18   |   |        spokes join the midpoints of neighbouring rings
     7--15--23      19--11-- 3
     |   |  22- 21 -20   |   |
     |  14 ---- 13 ---- 12   |
     6 --------- 5 --------- 4
"""

import numpy as np

from ...bits import NO_CELLS, Bitboard, count_cells, kernel

POINTS = 24

READING_ORDER = (0, 1, 2, 8, 9, 10, 16, 17, 18, 7, 15, 23, 19, 11, 3, 22, 21, 20, 14, 13, 12, 6, 5, 4)
"""The points as a position text lists them: row by row from the top, left to right (1.10)."""

ALL_POINTS = np.uint64(0xFFFFFF)
MIDPOINTS = np.uint64(0xAAAAAA)
CORNERS = np.uint64(0x555555)


@kernel
def clockwise(points: Bitboard) -> Bitboard:
    """Move every point one step clockwise along its ring."""
    return ((points << np.uint64(1)) & np.uint64(0xFEFEFE)) | ((points >> np.uint64(7)) & np.uint64(0x010101))


@kernel
def anticlockwise(points: Bitboard) -> Bitboard:
    """Move every point one step anticlockwise along its ring."""
    return ((points >> np.uint64(1)) & np.uint64(0x7F7F7F)) | ((points << np.uint64(7)) & np.uint64(0x808080))


@kernel
def neighbours(points: Bitboard) -> Bitboard:
    """Return the points that a line joins to any of `points`."""
    midpoints = points & MIDPOINTS
    spokes = (midpoints << np.uint64(8)) | (midpoints >> np.uint64(8))
    return (clockwise(points) | anticlockwise(points) | spokes) & ALL_POINTS


@kernel
def closing_points(men: Bitboard) -> Bitboard:
    """Return the points whose two companions in at least one mill both hold one of `men`."""
    ahead, behind = anticlockwise(men), clockwise(men)
    midpoint_sides = ahead & behind & MIDPOINTS
    corner_sides = ((ahead & anticlockwise(ahead)) | (behind & clockwise(behind))) & CORNERS
    one_ring_on = (men << np.uint64(8)) | (men >> np.uint64(16))
    two_rings_on = (men << np.uint64(16)) | (men >> np.uint64(8))
    return midpoint_sides | corner_sides | (one_ring_on & two_rings_on & MIDPOINTS)


@kernel
def capturable_men(men: Bitboard) -> Bitboard:
    """Return the men that may be taken: those outside mills, or all if there is none outside (1.6)."""
    free = men & ~closing_points(men)
    return free if free != NO_CELLS else men


@kernel
def count_steps(men: Bitboard, empties: Bitboard) -> int:
    """Return how many steps along a line to an empty neighbour `men` have."""
    midpoints = men & MIDPOINTS
    return (
        count_cells(clockwise(men) & empties)
        + count_cells(anticlockwise(men) & empties)
        + count_cells((midpoints << np.uint64(8)) & empties)
        + count_cells((midpoints >> np.uint64(8)) & empties)
    )
