"""Lines of text about solved positions."""

import pytest

from millrace.client.terminal.formatting import WITHOUT_DISTANCES, solution_lines
from millrace.protocol import CommandId, SolvedMove, SolvedPosition, TablebaseProbed


def lines_of(*moves: SolvedMove, result: int = 0, plies: int | None = None) -> list[str]:
    return list(solution_lines(TablebaseProbed(CommandId("1"), ("4-3",), SolvedPosition(result, plies, moves))))


def test_the_best_move_takes_as_long_as_the_position() -> None:
    moves = (SolvedMove("a7-d7", 1, 0), SolvedMove("a7-d6", 1, 2), SolvedMove("b6-d6", -1, 33))
    first, *others = lines_of(*moves, result=1, plies=1)
    assert first == "With perfect play the seat to move wins in 1 ply."
    assert [line.split(maxsplit=1)[1] for line in others] == ["wins in 1 ply", "wins in 3 plies", "loses in 34 plies"]


def test_results_without_distances_say_what_they_leave_out() -> None:
    moves = (SolvedMove("a7-d6", 1, None), SolvedMove("a7-d7", 0, None), SolvedMove("b6-d6", -1, None))
    first, *others, last = lines_of(*moves, result=1)
    assert first == "With perfect play the seat to move wins."
    assert [line.split()[1] for line in others] == ["wins", "draws", "loses"]
    assert last == WITHOUT_DISTANCES


@pytest.mark.parametrize(("result", "words"), [(0, "draws"), (-1, "has lost")])
def test_draws_and_finished_matches_have_no_ply_count(result: int, words: str) -> None:
    plies = 0 if result else None
    assert lines_of(result=result, plies=plies) == [f"With perfect play the seat to move {words}."]
