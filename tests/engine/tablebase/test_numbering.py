"""The numbering of positions of Nine Men's Morris in the tables: complete, without gaps, and read back."""

from math import comb

import numpy as np
import pytest

from millrace.engine.games.morris.points import ALL_POINTS
from millrace.engine.games.morris.symmetries import SYMMETRIES, image_of
from millrace.engine.games.morris.tablebase_index import (
    LEAST_MEN,
    entries_of,
    entry_of,
    make_numbering,
    pack_points,
    rank_of,
    spread_points,
)
from millrace.engine.tablebase.verification import position_of


@pytest.mark.interpreted
def test_sets_of_points_are_numbered_from_0_without_gaps() -> None:
    numbering = make_numbering(LEAST_MEN)
    sets = [np.uint64(points) for points in range(1 << 10) if points.bit_count() == 4]
    assert [int(rank_of(numbering, points)) for points in sets] == list(range(comb(10, 4)))


@pytest.mark.interpreted
def test_an_entrys_position_has_the_entrys_index() -> None:
    numbering = make_numbering(LEAST_MEN)
    men = (3, 3)
    for entry in range(0, entries_of(numbering, *men), 30_011):
        mover, opponent, _ = position_of(numbering, men, entry)
        assert entry_of(numbering, np.uint64(mover), np.uint64(opponent)) == entry


@pytest.mark.interpreted
def test_packed_sets_are_unpacked_again() -> None:
    numbering = make_numbering(LEAST_MEN)
    kept = np.uint64(0b1011_0110_0101_1110_1111_0001)
    for points in (kept, np.uint64(int(kept) & 0xF0F0F), np.uint64(0)):
        assert spread_points(numbering, pack_points(numbering, points, kept), kept) == points


@pytest.mark.interpreted
def test_symmetries_are_16_and_keep_lines() -> None:
    numbering = make_numbering(LEAST_MEN)
    step = np.uint64(0b11)
    images = {int(image_of(numbering.images, step, symmetry)) for symmetry in range(SYMMETRIES)}
    assert len(images) == 16
    assert all(image & int(ALL_POINTS) == image and image.bit_count() == 2 for image in images)
