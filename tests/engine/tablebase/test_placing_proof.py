"""The value of positions with men in hand: the same as by trying all moves, for either side."""

from collections.abc import Iterator

import pytest

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, is_won
from millrace.engine.tablebase.placing_proof import (
    DRAW,
    MISSING_TABLE,
    STOPPED,
    WIN,
    new_search,
    position_in,
    reaches,
    tables_needed,
    value_of,
)
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.result_coding import compress
from millrace.engine.tablebase.small_edition import NOT_FOUND, find_difference, open_endings, probe_result
from millrace.engine.tablebase.tables import codes_of
from millrace.engine.tablebase.verification import FLYING

MORRIS = find_game("morris")

POSITIONS = [
    "W....................... b 2 3",
    "WB...................... w 2 2",
    "W.B.........W.........B. w 1 1",
    "WW.......B.......B...... w 1 1",
    "WW...............B...... b 1 2",
    "W..W.....B.......B...... b 1 1",
    "WWW.......BB............ w 1 1",
    "WWWB......BB............ b 0 1",
]


def value_by_all_moves(state: State, tablebase: Tablebase, seen: dict[bytes, int]) -> int:
    """Return the value for the side to move."""
    if state.outcome is not None:
        return 0 if state.outcome.winner is None else -1
    if int(state.words[2]) == 0:
        code = tablebase.unlimited_code_of(state)
        if code is None:
            assert bin(int(state.words[1])).count("1") < 3
            return 1
        return 0 if code == DRAWN else 1 if is_won(code) else -1
    key = state.words.tobytes()
    if key not in seen:
        values = (-value_by_all_moves(state.after(move), tablebase, seen) for move in state.legal_moves)
        seen[key] = max_until_won(values)
    return seen[key]


def max_until_won(values: Iterator[int]) -> int:
    best = -1
    for value in values:
        best = max(best, value)
        if best == 1:
            break
    return best


def value_by_search(state: State, tablebase: Tablebase, megabytes: int = 1) -> int | None:
    answers = [
        reaches(open_endings(tablebase.tables, {}), FLYING, new_search(megabytes), position_in(state.words), least)
        for least in (DRAW, WIN)
    ]
    return value_of(answers[0], answers[1])


@pytest.mark.parametrize("text", POSITIONS[2:])
def test_a_search_agrees_with_minimax_over_all_moves(full: Tablebase, text: str) -> None:
    state = State.of(MORRIS, text)
    assert value_by_search(state, full) == value_by_all_moves(state, full, {})


def test_the_values_differ(full: Tablebase) -> None:
    assert {value_by_search(State.of(MORRIS, text), full) for text in POSITIONS} == {1, 0, -1}


@pytest.mark.parametrize("megabytes", [0, 1])
def test_a_board_with_four_men_a_side_is_drawn(full: Tablebase, megabytes: int) -> None:
    assert value_by_search(State.of(MORRIS, "........................ w 4 4"), full, megabytes) == 0


def test_the_leaves_of_a_position_are_in_the_tables_that_it_needs(full: Tablebase) -> None:
    start = State.of(MORRIS, "........................ w 4 4")
    needed = tables_needed(position_in(start.words))
    assert set(needed) == {"3-3", "3-4", "4-3", "4-4"}
    part = open_endings({"4-4": full.tables["4-4"]}, {})
    search = new_search(1)
    assert reaches(part, FLYING, search, position_in(start.words), DRAW) == STOPPED
    assert search.counters[MISSING_TABLE] in (33, 34, 43)


def test_the_small_edition_has_the_same_results(full: Tablebase) -> None:
    small = {name: compress(codes_of(table, len(table))) for name, table in full.tables.items()}
    assert sum(map(len, small.values())) < sum(map(len, full.tables.values())) / 4
    for name, table in full.tables.items():
        assert find_difference(small[name], codes_of(table, len(table))) is None
    other = full.tables["3-3"].copy()
    other[123_456] = 0 if other[123_456] else 2
    assert find_difference(small["3-3"], codes_of(other, len(other))) == 123_456


def test_a_proof_needs_only_the_small_edition(full: Tablebase) -> None:
    small = {name: compress(codes_of(table, len(table))) for name, table in full.tables.items()}
    endings = open_endings({}, small)
    for text in POSITIONS[2:]:
        state = State.of(MORRIS, text)
        answers = [reaches(endings, FLYING, new_search(1), position_in(state.words), each) for each in (DRAW, WIN)]
        assert value_of(answers[0], answers[1]) == value_by_search(state, full)


def test_a_position_in_no_table_is_not_found(full: Tablebase) -> None:
    position = position_in(State.of(MORRIS, "WWWW.....BBB............ w 0 0").words)
    assert probe_result(open_endings({}, {}), FLYING, position) == NOT_FOUND
    table = full.tables["4-3"]
    small = {"4-3": compress(codes_of(table, len(table)))}
    expected = probe_result(open_endings(full.tables, {}), FLYING, position)
    assert probe_result(open_endings({}, small), FLYING, position) == expected
