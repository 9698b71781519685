"""Analyses and the line protocol if only the small edition knows a state: their recommendations keep its result."""

from itertools import islice

import pytest

from millrace.engine.game import TableBytes
from millrace.engine.search import Limits, analyse, compare_moves, no_clock
from millrace.engine.state import State
from millrace.engine.tablebase.morris_results import MorrisResults
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.verdicts import known_results, verdicts_on
from tests.engine.tablebase.small_tables import MORRIS, compress_all, spoilable
from tests.engine.uci.conversation import speak

SHALLOW = Limits(depth=1)
"""A search no better than a guess."""


def result_after(tablebase: Tablebase, state: State, text: str | None) -> int:
    assert text is not None
    return known_results(tablebase, state)[state.parse_move(text)]


@pytest.mark.parametrize("value", [1, 0])
def test_a_search_recommends_a_move_that_keeps_the_result(small_edition: Tablebase, value: int) -> None:
    careless = 0
    for state, _ in islice(spoilable(small_edition, value), 20):
        found = analyse(state, SHALLOW, no_clock, tablebase=small_edition)
        assert result_after(small_edition, state, found.best_move) == value
        careless += result_after(small_edition, state, analyse(state, SHALLOW, no_clock).best_move) < value
    assert careless, "the search alone gives something away"


def test_compared_moves_are_ranked_by_their_results_first(small_edition: Tablebase) -> None:
    for state, _ in islice(spoilable(small_edition, 0, 1), 20):
        compared = compare_moves(state, SHALLOW, no_clock, variations=3, tablebase=small_edition)
        results = sorted(known_results(small_edition, state).values(), reverse=True)
        ranked = [result_after(small_edition, state, found.best_move) for found in compared.best]
        assert ranked == results[: len(ranked)]


@pytest.mark.parametrize("go", ["go depth 1", "go movetime 1000", "go nodes 50", "go infinite"])
def test_the_line_protocol_uses_and_prints_results(small_edition: Tablebase, go: str) -> None:
    for state, _ in islice(spoilable(small_edition, 0, 1), 5):
        lines = [f"position text {state.position_text}", go, *(["stop"] if go == "go infinite" else [])]
        if go == "go movetime 1000":
            lines.append("stop")
        told, *_, best = speak(*lines, tablebase=small_edition)
        verdict = verdicts_on(small_edition, state).state
        assert verdict is not None
        assert told == f"info string solved: the side to move {'wins' if verdict.result else 'draws'}"
        assert result_after(small_edition, state, best.split()[1]) == verdict.result


def test_several_lines_of_the_protocol_are_ranked_by_their_results_first(small_edition: Tablebase) -> None:
    for state, _ in islice(spoilable(small_edition, 0, 1), 5):
        position = f"position text {state.position_text}"
        answers = speak("setoption name MultiPV value 4", position, "go depth 1", tablebase=small_edition)
        moves = [answer.partition(" pv ")[2].split()[0] for answer in answers if " multipv " in answer]
        ranked = [result_after(small_edition, state, move) for move in moves]
        assert ranked == sorted(known_results(small_edition, state).values(), reverse=True)[: len(ranked)]


def test_a_weaker_level_of_the_protocol_knows_no_results(small_edition: Tablebase) -> None:
    state, _ = next(spoilable(small_edition, 0))
    position = f"position text {state.position_text}"
    answers = speak("setoption name Level value 3", position, "go depth 1", tablebase=small_edition)
    assert not any("solved" in answer for answer in answers)


def test_a_distance_is_not_replaced_by_text(tables: dict[str, TableBytes]) -> None:
    both = Tablebase(MORRIS, tables, MorrisResults(tables, compress_all(tables)))
    answers = speak("position text WWB.......B....B..B...W. w 0 0", "go depth 1", tablebase=both)
    assert answers[0].startswith("info depth 33 seldepth 33 score mate 17 ")
