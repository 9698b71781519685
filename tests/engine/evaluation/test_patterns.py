"""The patterns of Nine Men's Morris, compared with reading them point by point."""

import pytest
from hypothesis import given, settings

from millrace.engine.games.morris.notation import POINT_NAMES
from millrace.engine.games.morris.patterns import (
    BLOCK_POINTS,
    CORNERS,
    MIDDLE_RING,
    PATTERNS,
    RING_CODES,
    RING_POINTS,
    SIDES,
)
from millrace.engine.games.morris.symmetries import SYMMETRIES, image_of, ring_images
from millrace.engine.state import State
from millrace.engine.tuning.self_play import find_patterns
from tests.engine.evaluation.morris_boards import GAME, strewn_boards

RINGS = ["a7 d7 g7 g4 g1 d1 a1 a4", "b6 d6 f6 f4 f2 d2 b2 b4", "c5 d5 e5 e4 e3 d3 c3 c4"]
SIDE_BLOCKS = [
    "a7 d7 g7 b6 d6 f6 c5 d5 e5",
    "g7 g4 g1 f6 f4 f2 e5 e4 e3",
    "g1 d1 a1 f2 d2 b2 e3 d3 c3",
    "a1 a4 a7 b2 b4 b6 c3 c4 c5",
]
CORNER_BLOCKS = [
    "a4 a7 d7 b4 b6 d6 c4 c5 d5",
    "d7 g7 g4 d6 f6 f4 d5 e5 e4",
    "g4 g1 d1 f4 f2 d2 e4 e3 d3",
    "d1 a1 a4 d2 b2 b4 d3 c3 c4",
]
FIRST_COLUMNS = [0, MIDDLE_RING, 0, *[SIDES] * 4, *[CORNERS] * 4]


def columns_of(state: State) -> list[int]:
    (columns,) = find_patterns(GAME, [state])[1].tolist()
    return list(columns)


def worth_by_kinds(columns: list[int]) -> dict[int, int]:
    """Return how often each kind of pattern counts for the mover, omitting those that cancel."""
    total: dict[int, int] = {}
    for column in columns:
        kind = int(PATTERNS.kinds[column])
        total[kind] = total.get(kind, 0) + int(PATTERNS.signs[column])
    return {kind: count for kind, count in total.items() if count}


@settings(max_examples=100, deadline=None)
@given(state=strewn_boards())
def test_a_column_is_its_points_read_in_base_3(state: State) -> None:
    mover, opponent = int(state.words[0]), int(state.words[1])
    digit = {
        name: 1 if mover >> point & 1 else 2 if opponent >> point & 1 else 0 for point, name in enumerate(POINT_NAMES)
    }
    expected = [
        first + sum(digit[name] * 3**place for place, name in enumerate(shape.split()))
        for first, shape in zip(FIRST_COLUMNS, [*RINGS, *SIDE_BLOCKS, *CORNER_BLOCKS], strict=True)
    ]
    assert columns_of(state) == expected


@settings(max_examples=50, deadline=None)
@given(state=strewn_boards())
def test_symmetric_positions_show_the_same_kinds_and_swapped_sides_the_opposite(state: State) -> None:
    expected = worth_by_kinds(columns_of(state))
    images = ring_images()
    mover, opponent, hands = state.words
    for symmetry in range(SYMMETRIES):
        words = image_of(images, mover, symmetry), image_of(images, opponent, symmetry)
        image, swapped = (
            list(PATTERNS.columns_of(state.start.board, GAME.rules.position_type(*sides, hands)))
            for sides in (words, words[::-1])
        )
        assert worth_by_kinds(image) == expected
        assert worth_by_kinds(swapped) == {kind: -count for kind, count in expected.items()}


@pytest.mark.parametrize(
    ("first", "points", "symmetries"),
    [(0, RING_POINTS, 8), (MIDDLE_RING, RING_POINTS, 8), (SIDES, BLOCK_POINTS, 4), (CORNERS, BLOCK_POINTS, 4)],
)
def test_a_kind_has_no_more_columns_than_there_are_symmetries(first: int, points: int, symmetries: int) -> None:
    kinds = PATTERNS.kinds[first : first + 3**points].tolist()
    assert kinds[0] == min(kinds), "an empty board is the first kind"
    assert max(map(kinds.count, set(kinds))) == 2 * symmetries, "each for either side"
    assert set(kinds) == set(range(min(kinds), max(kinds) + 1))
    others = set(PATTERNS.kinds.tolist()) - set(kinds)
    assert len(others) + len(set(kinds)) == PATTERNS.kinds.max() + 1, "no two shapes share a kind"


def test_the_first_columns_result_from_the_sizes_of_the_shapes() -> None:
    assert [MIDDLE_RING, SIDES, CORNERS] == [RING_CODES, 2 * RING_CODES, 2 * RING_CODES + 3**BLOCK_POINTS]
    assert len(PATTERNS.kinds) == len(PATTERNS.signs) == CORNERS + 3**BLOCK_POINTS
