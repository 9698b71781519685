"""Positions from which the tests of the page begin, drawn as boards."""

from typing import NamedTuple


def position_text(drawing: str, to_move: str = "w", in_hand: tuple[int, int] = (0, 0)) -> str:
    """Return the position text of a drawn board: its lines are gone, its points are W, B or `o`."""
    points = "".join(mark for mark in drawing if mark in "WBo").replace("o", ".")
    assert len(points) == 24
    return f"{points} {to_move} {in_hand[0]} {in_hand[1]}"


MOVING = position_text("""
    o-----------o-----------B
    |   B-------o-------o   |
    |   |   W---o---o   |   |
    W---o---o       o---o---B
    |   |   o---o---o   |   |
    |   o-------o-------B   |
    W-----------W-----------o
""")
"""Everyone has four men, none in hand; White moves."""

MEN_OF_MOVING = {"a4": 0, "c5": 0, "a1": 0, "d1": 0, "b6": 1, "g7": 1, "g4": 1, "f2": 1}
"""By cell, the seat whose man stands there in `MOVING`."""

ABOUT_TO_END = position_text("""
    W-----------W-----------o
    |   o-------o-------o   |
    |   |   o---o---o   |   |
    o---B---o       o---B---W
    |   |   o---o---o   |   |
    |   o-------B-------o   |
    W-----------o-----------o
""")
"""White closes a mill by g4-g7 and takes one of Black's last three men."""


ABOUT_TO_BLOCK = position_text("""
    B-----------B-----------B
    |   W-------B-------W   |
    |   |   W---o---o   |   |
    W---o---o       o---o---W
    |   |   o---o---o   |   |
    |   o-------o-------o   |
    o-----------o-----------o
""")
"""White blocks all of Black's men by c5-d5."""


class WholeMatch(NamedTuple):
    """A match from the start to its end."""

    moves: tuple[str, ...]
    men_at_the_end: dict[str, int]
    """By cell, the seat whose man stands there."""


WHITE_WINS = WholeMatch(
    (
        *("d6", "b4", "b6", "e5", "f6xb4", "f2", "b2", "c4", "b4xf2", "f2", "e3", "g7", "d7", "g4", "d5xe5"),
        *("a1", "e4", "a4", "d5-e5xc4", "g4-g1", "e5-d5xa4", "a1-d1", "d5-e5xf2", "g1-a7", "e5-d5xg7"),
    ),
    {"a7": 1, "d7": 0, "d1": 1, "b6": 0, "d6": 0, "f6": 0, "b2": 0, "b4": 0, "d5": 0, "e4": 0, "e3": 0},
)
"""25 plies with seven takings, in placing and in moving, and one move by flying."""

FOUR_MEN_PLACED = ("a7", "g1", "d7", "g4")
"""A beginning of two moves each, without a mill."""

PASTURE_FOR_FOUR = f"{'/'.join(['0,0,0,0,0'] * 5)} r 4"
"""A small pasture before the first placement of four seats."""
