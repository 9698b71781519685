"""The drawn board of Nine Men's Morris, and its sixteen symmetries."""

import numpy as np
import pytest

from millrace.engine.game import Geometry
from millrace.engine.games.morris import GAME
from millrace.engine.games.morris.notation import POINT_NAMES
from millrace.engine.games.morris.points import READING_ORDER
from millrace.engine.games.morris.position import MorrisBoard
from millrace.engine.games.morris.symmetries import board_symmetries, image_of, ring_images
from millrace.engine.kernel_cache import only_loading
from millrace.engine.perft import perft
from millrace.engine.state import State


def test_thirty_two_lines_join_neighbours() -> None:
    geometry = State.of(GAME).geometry
    assert isinstance(geometry, Geometry)
    assert len(geometry.cells) == 24
    assert len({frozenset(line) for line in geometry.lines}) == 32
    for start, end in geometry.lines:
        first, second = geometry.cells[start], geometry.cells[end]
        assert (first.x == second.x) != (first.y == second.y)
    assert {name for name, _x, _y in geometry.cells} == set(POINT_NAMES)


def symmetries() -> list[list[int]]:
    """Return the 16 rearrangements of points in reading order that keep lines: turns, flips, rings swapped."""
    places = [(ord(POINT_NAMES[point][0]) - ord("d"), int(POINT_NAMES[point][1]) - 4) for point in READING_ORDER]

    def swap_rings(x: int, y: int) -> tuple[int, int]:
        ring = max(abs(x), abs(y))
        return x * (4 - ring) // ring, y * (4 - ring) // ring

    maps = []
    for turns in range(4):
        for is_flipped in (False, True):
            for is_swapped in (False, True):
                images = []
                for x, y in places:
                    image = (-x, y) if is_flipped else (x, y)
                    for _ in range(turns):
                        image = (-image[1], image[0])
                    images.append(swap_rings(*image) if is_swapped else image)
                maps.append([places.index(image) for image in images])
    return maps


@pytest.mark.parametrize(
    "text", ["WW.B........B.WB...B...W w 5 5", "W.BB.W...W.BB.WB...BW..W b 0 0", "WWW.......B.....B......B b 0 0"]
)
def test_the_sixteen_symmetric_positions_have_equal_perft(text: str) -> None:
    points, rest = text.split(" ", 1)
    images = {"".join(points[index] for index in image) for image in symmetries()}
    assert len(images) == 16
    assert len({perft(State.of(GAME, f"{image} {rest}"), 4) for image in images}) == 1


def test_symmetries_of_points_are_those_of_sets_of_points_and_compile_nothing() -> None:
    images, board = ring_images(), MorrisBoard(np.ones(1, dtype=np.uint64))
    with only_loading():
        found = board_symmetries(board)
    for symmetry, row in enumerate(found):
        for point, image in enumerate(row):
            assert int(image_of(images, np.uint64(1 << point), symmetry)) == 1 << image
