"""How a match of Nine Men's Morris ends: losses and draws (rulings 1.7 and 1.8)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.game import Outcome
from millrace.engine.games.morris import GAME
from millrace.engine.games.morris.points import neighbours
from millrace.engine.games.morris.position import MEN, MorrisPosition
from millrace.engine.state import State
from tests.engine.morris.board_text import SHUTTLE, THREE_AGAINST_FOUR, board

CORNERED = """
        W--------B--------W
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--.--.     .--.--B
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        W--------B--------W
"""
"""White has no ply but to place men in hand."""


def test_a_side_with_fewer_than_three_men_has_lost() -> None:
    state = board("""
        W--------W--------.
        |  .-----.-----.  |
        |  |  .--.--B  |  |
        .--.--.     .--.--W
        |  |  .--B--.  |  |
        |  .-----.-----.  |
        .--------.--------B
    """).play_text("g4-g7xe5")
    assert state.seat == 1
    assert state.outcome == Outcome((1, 2), "too_few_men")


def test_a_side_without_a_legal_ply_has_lost() -> None:
    blocked = board(CORNERED)
    assert blocked.legal_moves == ()
    assert blocked.outcome == Outcome((2, 1), "blocked")


@pytest.mark.parametrize("setup", ["", "flying=off"])
@settings(max_examples=300, deadline=None)
@given(
    points=st.permutations(range(24)),
    men=st.integers(0, MEN),
    hand=st.sampled_from([0, 0, 0, 2]),
    is_shut_in=st.booleans(),
)
def test_play_is_over_exactly_when_the_mover_has_no_ply(
    setup: str, points: list[int], men: int, hand: int, is_shut_in: bool
) -> None:
    own, others = points[:men], points[men:]
    mover = np.uint64(sum(1 << point for point in own))
    if is_shut_in:
        near = int(neighbours(mover))
        others.sort(key=lambda point: not near >> point & 1)
    position = MorrisPosition(mover, np.uint64(sum(1 << point for point in others[:MEN])), np.uint64(hand))
    board, kernels = State.of(GAME, setup).start.board, GAME.rules.kernels
    count = kernels.generate_moves(board, position, np.zeros(kernels.max_moves, dtype=np.int32))
    assert kernels.count_moves(board, position) == count
    assert kernels.is_over is not None
    assert kernels.is_over(board, position) == (count == 0)


def test_a_side_with_men_in_hand_always_has_a_ply() -> None:
    state = board(CORNERED, hands=(1, 1))
    assert state.outcome is None
    assert len(state.legal_moves) == 16


def test_two_men_on_the_board_and_one_in_hand_are_not_a_loss() -> None:
    assert State.of(GAME, "WW...................BBB w 1 0").outcome is None


def test_a_side_that_is_not_to_move_may_be_blocked() -> None:
    state = board(CORNERED, "b")
    assert state.outcome is None
    assert state.play_text("d7-d6").outcome is None, "the ply has set a man free"


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    state = board(THREE_AGAINST_FOUR)
    for text in SHUTTLE * 2:
        assert state.outcome is None
        state = state.play_text(text)
    assert state.outcome == Outcome((1, 1), "repetition")


def test_the_same_men_with_the_other_side_to_move_are_not_a_repetition() -> None:
    state = board(THREE_AGAINST_FOUR)
    for text in ["a7-d7", "g1-d1", "d7-b6", "d1-g1", "b6-a7"]:
        state = state.play_text(text)
    assert (state.seat, state.repetitions) == (1, 0)


def test_a_hundred_plies_without_a_placing_or_a_capture_are_a_draw() -> None:
    state = board(THREE_AGAINST_FOUR, extra="99")
    assert state.outcome is None
    assert state.play_text("a7-b6").outcome == Outcome((1, 1), "quiet_limit")


def test_a_capture_restarts_the_count_of_quiet_plies() -> None:
    state = board(THREE_AGAINST_FOUR, extra="99").play_text("a1-d7xd6")
    assert (state.quiet_plies, state.outcome) == (0, None)


def test_a_loss_at_the_hundredth_quiet_ply_is_a_loss() -> None:
    lost = State.of(GAME, "WW...................BBB w 0 0 100")
    assert lost.outcome == Outcome((2, 1), "too_few_men")
