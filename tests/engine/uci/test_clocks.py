"""The engine's line protocol: when answers come, by clocks and while pondering."""

import pytest

from millrace.engine.games import find_game
from millrace.engine.transposition_table import TranspositionTable, new_table
from millrace.engine.uci import command_loop
from tests.engine.uci.conversation import best_moves, converse, speak

MORRIS = find_game("morris")


def test_with_more_than_two_seats_a_clock_is_that_of_the_seat_to_move() -> None:
    chosen = "setoption name Setup value seats=3"
    assert speak(chosen, "go wtime 10 btime 10", game="battlesheep")[0].startswith("info string error")
    answers = converse((0, chosen), (1_000, "isready"), (2_000, "go time 3000 inc 10"), game="battlesheep")
    assert best_moves(answers)[0][0] < 3_500


def test_a_table_is_allocated_when_its_size_is_set_not_while_time_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []

    def lay_out(megabytes: int) -> TranspositionTable:
        laid_out.append(megabytes)
        return new_table(megabytes)

    monkeypatch.setattr(command_loop, "new_table", lay_out)
    speak("setoption name Hash value 8")
    assert laid_out == [8]
    speak("setoption name Hash value 8", "go depth 1", "go depth 1")
    assert laid_out.count(8) == 2


def test_the_remaining_clock_time_bounds_the_search_time() -> None:
    took_ms = {
        left: best_moves(converse((1_000, "isready"), (2_000, f"go time {left}")))[0][0] - 2_000
        for left in (0, 300, 3_000, 12_000)
    }
    assert took_ms[0] <= 40
    assert took_ms[0] <= took_ms[300] <= took_ms[3_000] < took_ms[12_000]
    assert all(took <= left / 2 for left, took in took_ms.items() if left)


@pytest.mark.parametrize(("moves", "own"), [("", "wtime"), (" moves d6", "btime")])
def test_of_two_clocks_the_one_of_the_seat_to_move_counts(moves: str, own: str) -> None:
    other = {"wtime": "btime", "btime": "wtime"}[own]

    def took_ms(order: str) -> int:
        position = f"position startpos{moves}"
        return best_moves(converse((1_000, position), (1_001, "isready"), (2_000, order)))[0][0] - 2_000

    assert took_ms(f"go {own} 1000 {other} 900000") == took_ms("go time 1000")
    assert (
        took_ms(f"go {own} 1000 {other} 0 {own[0]}inc 500") == took_ms("go time 1000 inc 500") > took_ms("go time 1000")
    )
    assert took_ms(f"go {own} -30 {other} 900000") == took_ms("go time 0")


def test_the_time_of_an_answer_counts_from_ponderhit() -> None:
    answers = converse((1_000, "isready"), (2_000, "go ponder movetime 100"), (3_000, "ponderhit"))
    ((at_ms, _),) = best_moves(answers)
    assert 3_100 <= at_ms <= 3_125
    assert any(2_100 < at_ms < 3_000 for at_ms, _ in answers), "it thought meanwhile"


def test_the_time_of_an_answer_on_a_clock_counts_from_ponderhit() -> None:
    ((at_ms, _),) = best_moves(converse((1_000, "isready"), (2_000, "go ponder time 3000"), (5_000, "ponderhit")))
    assert 5_000 < at_ms <= 5_000 + 1_500


@pytest.mark.parametrize("word", ["ponderhit", "stop"])
def test_pondering_without_a_limit_is_answered_as_soon_as_it_ends(word: str) -> None:
    answers = converse((1_000, "isready"), (2_000, "go ponder"), (9_000, word))
    ((at_ms, answer),) = best_moves(answers)
    assert 9_000 <= at_ms <= 9_025
    assert answer != "bestmove (none)"
    assert any(2_100 < at_ms < 9_000 for at_ms, _ in answers), "it thought meanwhile"


def test_results_found_before_ponderhit_are_kept() -> None:
    answers = converse((1_000, "isready"), (2_000, "go ponder depth 6"), (90_000, "ponderhit"))
    depths = [line.split()[2] for _, line in answers if line.startswith("info depth")]
    assert depths == ["1", "2", "3", "4", "5", "6"]
    ((at_ms, _),) = best_moves(answers)
    assert 90_000 <= at_ms <= 90_020, "it was done long before, and said nothing"


def test_a_forced_move_is_answered_at_ponderhit_and_not_before() -> None:
    forced = "position text WWWWWBWBW.BBBBB.BW...... w 0 0"
    answers = converse((1_000, forced), (1_001, "isready"), (2_000, "go ponder movetime 500"), (4_000, "ponderhit"))
    ((at_ms, line),) = best_moves(answers)
    assert line.split()[1] == "a7-a4"
    assert 4_000 <= at_ms <= 4_020


def test_the_expected_reply_is_reported_with_two_seats() -> None:
    *infos, best = speak("position startpos moves d6", "go depth 3")
    assert best.split()[2:] == ["ponder", infos[-1].partition(" pv ")[2].split()[1]]
    assert len(speak("setoption name Setup value seats=3", "go depth 3", game="battlesheep")[-1].split()) == 2


def test_by_a_twentieth_of_the_clock_each_move_takes_at_most_that() -> None:
    for left_ms, option in ((2_000, "TimePlan value twentieth"), (10_000, "Level value timekeeper")):
        took_ms = (
            best_moves(converse((0, f"setoption name {option}"), (1_000, "isready"), (2_000, f"go time {left_ms}")))[0][
                0
            ]
            - 2_000
        )
        assert left_ms / 40 <= took_ms <= left_ms / 20 + 40
