"""How a match of Battle Sheep ends, and who has won it (ruling 3.6)."""

import pytest

from millrace.engine.game import Outcome, Tally
from tests.engine.battlesheep.board_text import pasture


def test_play_ends_when_no_seat_can_move_and_most_cells_win() -> None:
    state = pasture("r2 0 b1").play_text("a1-b1:1")
    assert state.legal_moves == ()
    assert state.outcome == Outcome((1, 2), "most_cells")


@pytest.mark.parametrize(
    ("drawing", "seat", "ranks", "reason"),
    [
        ("r1 b1 b1 r1", "r", (2, 1), "largest_group"),
        ("r16 b16", "r", (1, 1), "shared"),
        ("b1 b1 b2\nr1 g1 g1", "g", (3, 1, 2), "most_cells"),
        ("b1 b1 r2 r1 g1 y1", "y", (1, 1, 3, 3), "shared"),
        ("b16 r1 r1", "r", (1, 2), "most_cells"),
    ],
    ids=[
        "a tie of cells goes to the largest connected group",
        "remaining ties are shared",
        "three seats have full ranks",
        "two of four seats may share the first place",
        "cells decide, not remaining sheep",
    ],
)
def test_the_seats_are_ranked_by_cells_and_then_by_groups(
    drawing: str, seat: str, ranks: tuple[int, ...], reason: str
) -> None:
    outcome = pasture(drawing, seat, len(ranks)).outcome
    assert outcome == Outcome(ranks, reason)
    assert outcome.winner == (None if ranks.count(1) > 1 else ranks.index(1))


def test_cells_and_largest_groups_are_counted_for_each_seat() -> None:
    state = pasture(
        """
        b1 b1 r2 0
        r1 g1 b1 b1
        g1 r1 r1 b1
        """,
        "g",
        3,
    )
    assert state.tallies == (Tally("Cells", (4, 5, 2)), Tally("Largest group", (3, 5, 1)))


def test_before_the_first_stack_the_counts_are_zero() -> None:
    state = pasture("0 0 0 0")
    assert state.tallies == (Tally("Cells", (0, 0)), Tally("Largest group", (0, 0)))
    assert state.play_text("a1").tallies[0].counts == (1, 0)
