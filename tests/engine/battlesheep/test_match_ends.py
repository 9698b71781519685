"""How a match of Battle Sheep ends, and who has won it (ruling 3.6)."""

from millrace.engine.game import Outcome
from tests.engine.battlesheep.board_text import pasture


def test_play_ends_when_no_seat_can_move_and_most_cells_win() -> None:
    state = pasture("r2 0 b1").play_text("a1-b1:1")
    assert state.legal_moves == ()
    assert state.outcome == Outcome((1, 2), "most_cells")


def test_a_tie_of_cells_goes_to_the_largest_connected_group() -> None:
    state = pasture("r1 b1 b1 r1")
    assert state.outcome == Outcome((2, 1), "largest_group")


def test_what_is_still_tied_is_shared() -> None:
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


def test_the_winner_is_found_by_cells_and_not_by_sheep_left() -> None:
    state = pasture("b16 r1 r1")
    assert state.outcome == Outcome((1, 2), "most_cells")
