"""The option `judged=PLIES`: after so many plies, the side with more men wins."""

import pytest

from millrace.engine.game import IllegalMoveError, SetupError
from millrace.engine.game.game import Outcome
from millrace.engine.games.morris import GAME
from millrace.engine.state import State

PLAY = ["a7", "a1", "d7", "g1", "g7xa1", "a4"]
"""White closes a mill on its third ply."""


@pytest.mark.parametrize(
    ("plies", "ranks"), [(4, (1, 1)), (5, (1, 2)), (6, (1, 2))], ids=["equal men", "at the capture", "a ply later"]
)
def test_the_side_with_more_men_wins_after_the_last_ply(plies: int, ranks: tuple[int, int]) -> None:
    state = State.of(GAME, f"judged={plies}")
    for move in PLAY[:plies]:
        assert state.outcome is None
        state = state.play_text(move)
    assert state.outcome == Outcome(ranks, "more_men")
    assert state.move_tree() == {}
    with pytest.raises(IllegalMoveError):
        state.play_text(PLAY[-1])


def test_men_in_hand_count_and_black_may_win() -> None:
    state = State.of(GAME, "WWW..................... b 0 4 judged=1")
    assert state.play_text("g4").outcome == Outcome((2, 1), "more_men")


def test_an_end_on_the_board_comes_first() -> None:
    state = State.of(GAME, "WW............W..B.B.B.. w 0 0 judged=1").play_text("g4-g7xe3")
    assert state.outcome == Outcome((1, 2), "too_few_men")


@pytest.mark.parametrize("options", ["judged=200", "flying=off judged=30"])
@pytest.mark.parametrize("notation", ["", "fen", "packed", "letters"])
def test_the_option_is_kept_in_every_notation(notation: str, options: str) -> None:
    written = State.of(GAME, options).play_text("d6").write_position(notation)
    assert written.endswith(f" {options}")
    assert State.of(GAME, written).position_text.endswith(f" {options}")


@pytest.mark.parametrize("option", ["judged=0", "judged=-1", "judged=1000", "judged=x", "judged="])
def test_a_faulty_number_is_refused(option: str) -> None:
    with pytest.raises(SetupError, match="1 to 999"):
        State.of(GAME, option)


def test_other_matches_are_not_judged() -> None:
    state = State.of(GAME)
    for move in PLAY:
        state = state.play_text(move)
    assert state.outcome is None
