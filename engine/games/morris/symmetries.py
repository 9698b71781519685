"""The 16 symmetries of the board, which map every line and mill to one: the eight of the square, with or without
swapping the inner and the outer ring.

A symmetry is a number: bits 0 and 1 count quarter turns clockwise, bit 2 says whether the board is reflected first, bit
3 whether the rings are swapped.
"""

import numpy as np
from numpy.typing import NDArray

from ...bits import Bitboard, kernel, to_count
from ...game import Symmetry
from .points import POINTS
from .position import MorrisBoard

SYMMETRIES = 16
RING_POINTS = 8

RingImages = NDArray[np.uint8]
"""The image of each set of points of a ring under each rotation and reflection: shape `(8, 256)`."""

RING = np.uint64(0xFF)


def ring_images() -> RingImages:
    """Return the image of each set of points of one ring under the eight symmetries of the square."""
    images = np.zeros((8, 256), dtype=np.uint8)
    points = np.arange(256)
    for symmetry in range(8):
        for point in range(8):
            image = (-point if symmetry & 4 else point) + 2 * (symmetry & 3)
            images[symmetry] |= ((points >> point & 1) << image % 8).astype(np.uint8)
    return images


@kernel
def image_of(images: RingImages, points: Bitboard, symmetry: int) -> Bitboard:
    """Return the image of a set of points under a symmetry."""
    square = symmetry & 7
    outer = np.uint64(images[square, to_count(points & RING)])
    middle = np.uint64(images[square, to_count(points >> np.uint64(8) & RING)])
    inner = np.uint64(images[square, to_count(points >> np.uint64(16) & RING)])
    if symmetry & 8:
        return inner | middle << np.uint64(8) | outer << np.uint64(16)
    return outer | middle << np.uint64(8) | inner << np.uint64(16)


def board_symmetries(_board: MorrisBoard) -> tuple[Symmetry, ...]:
    """Return the image of each point under each symmetry: as `image_of` has it, for processes that must not compile."""
    return tuple(tuple(image_of_point(point, symmetry) for point in range(POINTS)) for symmetry in range(SYMMETRIES))


def image_of_point(point: int, symmetry: int) -> int:
    """Return the image of a point under a symmetry."""
    ring, place = divmod(point, RING_POINTS)
    place = (-place if symmetry & 4 else place) + 2 * (symmetry & 3)
    return RING_POINTS * (2 - ring if symmetry & 8 else ring) + place % RING_POINTS
