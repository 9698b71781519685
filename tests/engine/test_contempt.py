"""Contempt: a leading side does not return to earlier positions of the match."""

import pytest

from millrace.engine.games import find_game
from millrace.engine.search import Analysis, Limits, analyse, no_clock
from millrace.engine.state import State

SIX_AGAINST_FIVE = "W.WW.W.W.W...B.WB...BB.B w 0 0"
FIVE_AGAINST_FOUR = "W.WW.W...W...B..B...B..B w 0 0"
SHUFFLE = ("g1-g4", "g4-g1")


def search(state: State, depth: int, *, has_contempt: bool) -> Analysis:
    techniques = state.game.strength.techniques._replace(contempt=has_contempt)
    return analyse(state, Limits(depth=depth), no_clock, techniques=techniques)


@pytest.mark.parametrize("depth", [3, 4, 5, 6])
@pytest.mark.parametrize("text", [SIX_AGAINST_FIVE, FIVE_AGAINST_FOUR])
def test_a_leading_side_makes_progress_instead_of_repeating(text: str, depth: int) -> None:
    state = State.of(find_game("morris"), text)
    best = search(state, depth, has_contempt=True)
    assert best.best_move is not None
    assert best.value > 0
    there, back = best.best_move, "-".join(reversed(best.best_move.split("-")))
    for move in (there, SHUFFLE[0], back, SHUFFLE[1]):
        state = state.play_text(move)
    assert state.repetitions == 1
    again = search(state, depth, has_contempt=True)
    assert again.best_move != there
    assert again.value > 0
    assert search(state, depth, has_contempt=False).best_move == there


def test_a_draw_costs_the_side_to_move_at_the_root_its_penalty_whoever_repeats() -> None:
    state = State.of(find_game("morris"), SIX_AGAINST_FIVE)
    for move in ("a7-d7", "g1-g4", "d7-a7", "g4-g1", "a7-d7", "g1-g4"):
        state = state.play_text(move)
    back = state.parse_move("d7-a7")

    def value(state: State, depth: int, move: int, penalty: int) -> int:
        return analyse(state, Limits(depth=depth), no_clock, candidates=(move,), draw_penalty=penalty).value

    after = state.after(back)
    # Black, with two men less, is content to draw by the third occurrence.
    for penalty in (0, 7, -7):
        assert value(after, 1, after.parse_move("g4-g1"), penalty) == -penalty
        assert value(state, 2, back, penalty) == -penalty
