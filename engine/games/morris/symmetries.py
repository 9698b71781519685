"""The 16 symmetries of the board, which leave every line and mill in place: the square's eight, with or without the
inner and the outer ring swapped.

No rules and no positions here.

A symmetry is a number: bits 0 and 1 count quarter turns clockwise, bit 2 says whether the board was reflected before,
bit 3 whether the rings are swapped.
"""

import numpy as np
from numpy.typing import NDArray

from ...bits import Bitboard, kernel, lowest_cell, to_count
from ...game import Symmetry
from .points import POINTS
from .position import MorrisBoard

SYMMETRIES = 16

RingImages = NDArray[np.uint8]
"""What each turn and reflection makes of the eight points of a ring: shape `(8, 256)`."""

RING = np.uint64(0xFF)


def ring_images() -> RingImages:
    """Return what the eight symmetries of the square make of each set of points of one ring."""
    images = np.zeros((8, 256), dtype=np.uint8)
    points = np.arange(256)
    for symmetry in range(8):
        for point in range(8):
            image = (-point if symmetry & 4 else point) + 2 * (symmetry & 3)
            images[symmetry] |= ((points >> point & 1) << image % 8).astype(np.uint8)
    return images


@kernel
def image_of(images: RingImages, points: Bitboard, symmetry: int) -> Bitboard:
    """Return where a symmetry puts a set of points."""
    square = symmetry & 7
    outer = np.uint64(images[square, to_count(points & RING)])
    middle = np.uint64(images[square, to_count(points >> np.uint64(8) & RING)])
    inner = np.uint64(images[square, to_count(points >> np.uint64(16) & RING)])
    if symmetry & 8:
        return inner | middle << np.uint64(8) | outer << np.uint64(16)
    return outer | middle << np.uint64(8) | inner << np.uint64(16)


def board_symmetries(_board: MorrisBoard) -> tuple[Symmetry, ...]:
    """Return for each symmetry where it puts each point."""
    images = ring_images()
    return tuple(
        tuple(int(lowest_cell(image_of(images, np.uint64(1 << point), symmetry))) for point in range(POINTS))
        for symmetry in range(SYMMETRIES)
    )
