"""The benchmark of searches that end when their move is settled."""

from benchmarks.settled import Choice, early_end, table_row
from millrace.engine.games import find_game
from millrace.engine.search import Analysis

MORRIS = find_game("morris")


def iteration(depth: int, move: str, nodes: int, value: int = 0) -> Analysis:
    return Analysis(depth, value, nodes, 2.0 * nodes, (move,))


def test_a_search_ends_at_the_iteration_by_which_its_move_has_stood_long_enough() -> None:
    changing = [iteration(1, "d6", 1), iteration(2, "f4", 20), iteration(3, "f4", 200), iteration(4, "f4", 400)]
    assert early_end(MORRIS, changing, 1_000) == changing[3]
    assert early_end(MORRIS, changing[:3], 1_000) is None
    stable = [iteration(1, "d6", 1), iteration(2, "d6", 20), iteration(3, "d6", 200)]
    assert early_end(MORRIS, stable, 1_000) == stable[2]
    decided = [iteration(1, "d6", 1, 900), iteration(2, "d6", 60, 900)]
    assert early_end(MORRIS, decided, 1_000) == decided[1]


def test_a_row_sums_up_costs_and_the_loss_of_a_side_in_a_match() -> None:
    same = Choice(iteration(3, "d6", 100), iteration(5, "d6", 1_000), 0.0)
    other = Choice(iteration(3, "d6", 300), iteration(5, "f4", 1_000), 0.01)
    assert table_row("morris", [[same, other], [same, other]]).split() == [
        *("morris", "4", "20.0%", "20.0%", "50.0%"),
        *("5.0", "+-", "0.0"),
    ]
