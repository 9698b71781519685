"""How a match of Battle Sheep ends, and who has won it (ruling 3.6)."""

from millrace.engine.game import Outcome, Tally
from tests.engine.battlesheep.board_text import pasture


def test_play_ends_when_no_seat_can_move_and_most_cells_win() -> None:
    state = pasture("r2 0 b1").play_text("a1-b1:1")
    assert state.legal_moves == ()
    assert state.outcome == Outcome((1, 2), "most_cells")


def test_a_tie_of_cells_goes_to_the_largest_connected_group() -> None:
    state = pasture("r1 b1 b1 r1")
    assert state.outcome == Outcome((2, 1), "largest_group")


def test_remaining_ties_are_shared() -> None:
    state = pasture("r16 b16")
    assert state.outcome == Outcome((1, 1), "shared")
    assert state.outcome.winner is None


def test_three_seats_have_full_ranks() -> None:
    state = pasture(
        """
        b1 b1 b2
        r1 g1 g1
        """,
        "g",
        3,
    )
    assert state.outcome == Outcome((3, 1, 2), "most_cells")


def test_two_of_four_seats_may_share_the_first_place() -> None:
    state = pasture("b1 b1 r2 r1 g1 y1", "y", 4)
    assert state.outcome == Outcome((1, 1, 3, 3), "shared")


def test_the_winner_is_decided_by_cells_not_by_remaining_sheep() -> None:
    state = pasture("b16 r1 r1")
    assert state.outcome == Outcome((1, 2), "most_cells")


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
