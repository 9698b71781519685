"""Searching and playing with tables: wins are played to their end, and draws are kept."""

import numpy as np
import pytest

from millrace.engine.bindings import bindings_of
from millrace.engine.games.morris.tablebase_index import Numbering
from millrace.engine.search import Analysis, Limits, analyse, no_clock, value_of_code
from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, WON_AT_ONCE, is_lost, is_won
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.transposition_table import PROVEN, WIN
from tests.engine.move_choice import choose_move
from tests.engine.tablebase.small_tables import MORRIS, QUIET_LIMIT, TRUTHS, Solved, state_of


def result_in_time(state: State, tablebase: Tablebase) -> int:
    """Return the result for the side to move with best play, 1, 0 or -1, by searching to the limit of quiet plies.

    Positions after a capture are looked up, since the restarted count is far from its limit.
    """
    if state.outcome is not None:
        return 0 if state.outcome.winner is None else -1
    if state.quiet_plies == 0:
        code = tablebase.unlimited_code_of(state)
        assert code is not None
        return 0 if code == DRAWN else 1 if is_won(code) else -1
    best = -1
    for move in state.legal_moves:
        best = max(best, -result_in_time(state.after(move), tablebase))
        if best == 1:
            break
    return best


def search_with(tablebase: Tablebase, state: State, depth: int) -> Analysis:
    return analyse(state, Limits(depth=depth), no_clock, tablebase=tablebase)


@pytest.mark.parametrize("men", TRUTHS)
def test_both_sides_play_the_longest_wins_in_the_exact_number_of_plies(
    numbering: Numbering, solved: Solved, tablebase: Tablebase, men: tuple[int, int]
) -> None:
    codes = solved[men]
    wins = np.where(codes % 2 == 0, codes, 0)
    state = state_of(numbering, men, int(np.argmax(wins)))
    plies = TRUTHS[men].longest_win
    solution = tablebase.solve(state)
    assert solution is not None
    assert solution.code == plies + 1
    for left in range(plies, 0, -1):
        found = analyse(state, Limits(depth=1), no_clock, tablebase=tablebase)
        assert abs(found.value) == WIN - left
        assert len(found.principal_variation) == left
        state = state.play_text(found.best_move or "")
    assert state.outcome is not None
    assert state.outcome.winner == 0


def test_a_search_scores_lines_into_solved_endings_by_the_tables(tablebase: Tablebase) -> None:
    state = State.of(MORRIS, "WW.......B.B.....B.B.W.W w 0 0")
    found = analyse(state, Limits(depth=3), no_clock, tablebase=tablebase)
    blind = analyse(state, Limits(depth=3), no_clock)
    assert found.value != blind.value


@pytest.mark.parametrize("men", [(4, 3), (3, 4)])
def test_results_near_a_draw_by_quiet_plies_are_true_if_captures_restart_the_count(
    numbering: Numbering, solved: Solved, tablebase: Tablebase, men: tuple[int, int]
) -> None:
    far_off = np.flatnonzero(solved[men] > WON_AT_ONCE)
    proven = 0
    for entry in far_off[:: len(far_off) // 60]:
        for quiet_plies in (QUIET_LIMIT - 2, QUIET_LIMIT - 1):
            state = state_of(numbering, men, int(entry), quiet_plies)
            truth = result_in_time(state, tablebase)
            solution = tablebase.solve(state)
            if solution is not None:
                assert np.sign(value_of_code(solution.code, 0)) == truth, state.position_text
            found = search_with(tablebase, state, depth=3)
            if abs(found.value) > PROVEN:
                proven += 1
                assert np.sign(found.value) == truth, state.position_text
    assert proven > 0


def test_a_search_stopped_near_a_draw_by_quiet_plies_keeps_its_win(
    tablebase: Tablebase,
) -> None:
    state = State.of(MORRIS, "..W...W...B...B..B....WB w 0 0 90")
    assert tablebase.solve(state) is None, "it takes 27 plies, but not all of them quiet"
    found = analyse(state, Limits(nodes=20_000), no_clock, tablebase=tablebase)
    assert found.value > PROVEN
    after = tablebase.unlimited_code_of(state.play_text(found.best_move or ""))
    assert after is not None
    assert is_lost(after)


def test_a_drawn_ending_is_kept_drawn(numbering: Numbering, solved: Solved, tablebase: Tablebase) -> None:
    drawn = np.flatnonzero(solved[3, 3] == DRAWN)
    for entry in drawn[:: len(drawn) // 5]:
        state = state_of(numbering, (3, 3), int(entry))
        found = analyse(state, Limits(depth=2), no_clock, tablebase=tablebase)
        assert tablebase.code_of(state.play_text(found.best_move or "")) == DRAWN


def test_only_the_strongest_level_probes_endings(numbering: Numbering, solved: Solved, tablebase: Tablebase) -> None:
    codes = solved[3, 4]
    state = state_of(numbering, (3, 4), int(np.argmax(np.where(codes % 2 == 0, codes, 0))))
    solution = tablebase.solve(state)
    assert solution is not None
    best = {state.format_move(move) for move in solution.moves}
    strongest = {choose_move("morris", state.position_text, [], 8, seed, no_clock, 1, tablebase) for seed in range(3)}
    assert strongest <= best
    weak = {choose_move("morris", state.position_text, [], 1, seed, no_clock, None, tablebase) for seed in range(9)}
    assert not weak <= best


def test_each_kernel_of_the_endings_is_compiled_once(tablebase: Tablebase) -> None:
    endings = MORRIS.strength.tablebase
    assert endings is not None
    kernels = (endings.probe, endings.reach, endings.size)
    # Positions for other weights may have further words, and then kernels of their own.
    before = [len(getattr(compiled, "signatures", [])) for compiled in kernels]
    state = State.of(MORRIS, "WW.......B.B.....B.B.W.W w 0 0")
    analyse(state, Limits(depth=2), no_clock, tablebase=tablebase)
    analyse(state, Limits(depth=2), no_clock)
    bindings_of(MORRIS)
    for compiled, signatures in zip(kernels, before, strict=True):
        assert len(getattr(compiled, "signatures", [])) <= signatures + 1, compiled
