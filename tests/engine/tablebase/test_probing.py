"""Results from the tables: those that come before repetition and the limit of quiet plies."""

import numpy as np
import pytest

from millrace.engine.games import find_game
from millrace.engine.games.morris.tablebase_index import Numbering
from millrace.engine.search import value_of_code
from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, LOST_NOW, WON_AT_ONCE
from millrace.engine.tablebase.probing import Solution, Tablebase
from millrace.engine.tablebase.tables import code_at, codes_of, table_of
from millrace.engine.transposition_table import WIN
from tests.engine.minimax import search
from tests.engine.tablebase.small_tables import MORRIS, QUIET_LIMIT, Solved, state_of


@pytest.mark.parametrize(
    "setup",
    [
        "WWB.......B....B..B...W. w 0 0 flying=off",
        "WWB.......B....B..B..... w 1 0",
        "WWBW......B....B..B...W. w 0 0",
        "",
    ],
    ids=["without flying", "a man in hand", "no such table", "the start"],
)
def test_a_position_in_no_table_is_unknown(tablebase: Tablebase, setup: str) -> None:
    assert tablebase.solve(State.of(MORRIS, setup)) is None


def test_another_game_is_unknown(tablebase: Tablebase) -> None:
    assert tablebase.solve(State.of(find_game("mingmang"))) is None


def test_codes_beyond_a_byte_are_found(numbering: Numbering, solved: Solved, tablebase: Tablebase) -> None:
    codes = solved[3, 3].astype(np.int64)
    far_off = np.flatnonzero(codes)[::9_973]
    codes[far_off] += 500
    table = table_of(codes)
    assert len(table) == len(codes) + 8 * len(far_off)
    others = Tablebase(MORRIS, {"3-4": solved[3, 4], "3-3": table})
    for entry in (*far_off, *(far_off + 1)):
        state = state_of(numbering, (3, 3), int(entry))
        assert code_at(codes_of(table, len(codes)), int(entry)) == codes[entry]
        assert others.index.exceptions.size == len(far_off)
        assert others.unlimited_code_of(state) == codes[entry]


def test_a_move_to_a_third_repetition_does_not_count_as_winning(tablebase: Tablebase) -> None:
    # White has lost in four plies; both have gone to and fro, and Black's a1-f4 would bring the same back again.
    rounds = ["a7-g4", "f4-a1", "g4-a7", "a1-f4"] * 2
    state = State.from_moves(MORRIS, "WWB..B.......B........W. w 0 0", rounds[:-1])
    repeating = state.parse_move(rounds[-1])
    repeated = state.after(repeating)
    assert repeated.outcome is not None
    assert repeated.outcome.reason == "repetition"
    assert tablebase.code_of(repeated) == 4 + 1
    solution = tablebase.solve(state)
    assert solution is not None
    assert solution.code == 7 + 1
    assert repeating not in solution.moves


@pytest.mark.parametrize("plies", [1, 2, 3, 4, 5])
def test_a_result_is_reported_only_if_it_comes_before_the_draw_by_quiet_plies(
    numbering: Numbering, solved: Solved, tablebase: Tablebase, plies: int
) -> None:
    entries = np.flatnonzero(solved[3, 3] == plies + 1)
    for entry in entries[:: len(entries) // 12 + 1]:
        for quiet_plies in range(QUIET_LIMIT - plies - 1, min(QUIET_LIMIT - plies + 4, QUIET_LIMIT)):
            state = state_of(numbering, (3, 3), int(entry), quiet_plies)
            found = search(state, min(plies, QUIET_LIMIT - quiet_plies))
            assert abs(found.value) == (WIN - plies if quiet_plies + plies <= QUIET_LIMIT else 0), state.position_text
            solution = tablebase.solve(state)
            assert solution is not None
            assert value_of_code(solution.code, 0) == found.value, state.position_text
            if solution.code != DRAWN:
                assert tablebase.solve(state_of(numbering, (3, 3), int(entry))) == solution


def test_the_ply_at_which_the_limit_is_reached_may_still_win_by_blocking(solved: Solved) -> None:
    tablebase = Tablebase(MORRIS, {"4-4": solved[4, 4]})
    state = State.of(MORRIS, "BBBWW....B....W......W.. w 0 0 99")
    assert search(state, 1).value == WIN - 1
    solution = tablebase.solve(state)
    assert solution == Solution(WON_AT_ONCE, (state.parse_move("b6-b4"),))
    after = state.play_text("b6-b4")
    assert after.quiet_plies == QUIET_LIMIT
    assert tablebase.solve(after) == Solution(LOST_NOW, ())
