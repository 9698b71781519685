"""The techniques of the search, each switched on and off alone, with kernels as plain Python."""

import pytest

from millrace.engine.game.techniques import EXACT_TECHNIQUES, TECHNIQUES, Techniques
from millrace.engine.games import find_game
from millrace.engine.search import Handicap
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN
from tests.engine.kernel_processes import interpreted_lines
from tests.engine.minimax import MORRIS, minimax, search
from tests.engine.technique_cases import (
    CASES,
    CASES_OF,
    DECIDED,
    DECIDED_PLIES,
    EVERY_KIND,
    EXACT,
    SELECTIVE,
)


def lines_of(function: str) -> list[str]:
    """Return what a function of `technique_cases` prints: no search is compiled for it."""
    return interpreted_lines(f"from tests.engine import technique_cases; technique_cases.{function}()")


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_each_exact_technique_alone_finds_the_value_of_a_plain_minimax() -> None:
    lines = iter(lines_of("print_exact_values"))
    looked_at: dict[str, list[str]] = {}
    for name in ("none", *EXACT, "all"):
        for case in CASES_OF.get(name, CASES):
            printed, value, nodes = next(lines).split()
            assert printed == name
            follows_noise = name in {"quiescence", "all"}
            state = State.of(find_game(case.game), case.position)
            assert int(value) == minimax(state, case.depth, case.quiescence if follows_noise else 0), (name, case)
            looked_at.setdefault(name, []).append(nodes)
    assert next(lines, None) is None
    for name in {*EXACT} - {"contempt"}:
        base = (*TECHNIQUES[name].needs, "none")[-1]
        assert looked_at[name] != looked_at[base][: len(looked_at[name])], f"{name} did nothing here"


@pytest.mark.parametrize("depth", [2, 3])
def test_contempt_agrees_with_a_minimax_that_draws_on_repetition(depth: int) -> None:
    shuffling = ("g7-g4", "g1-d1", "g4-g7", "d1-g1")
    state = State.from_moves(MORRIS, "W.WW.W.W.W...B.WB...BB.B w 0 0", shuffling)
    with_it, without = (
        search(state, depth, Handicap(quiescence=0), EXACT_TECHNIQUES._replace(table=False, contempt=has_contempt))
        for has_contempt in (True, False)
    )
    assert with_it.value == minimax(state, depth, 0, drawn_at=1)
    assert without.value == minimax(state, depth, 0)
    assert with_it.nodes != without.nodes


def loses_within(state: State, plies: int) -> bool:
    """Return whether the side to move has lost after this many plies, against any play."""
    if not state.generated_moves:
        return state.outcome is not None and state.outcome.winner == 1 - state.seat
    return plies > 0 and all(wins_within(state.after(move), plies - 1) for move in state.legal_moves)


def wins_within(state: State, plies: int) -> bool:
    """Return whether the side to move can have won after this many plies, against any play."""
    if not state.generated_moves:
        return state.outcome is not None and state.outcome.winner == state.seat
    return plies > 0 and any(loses_within(state.after(move), plies - 1) for move in state.legal_moves)


@pytest.mark.usefixtures("processes")
def test_a_win_or_loss_found_with_a_selective_technique_is_true() -> None:
    lines = [line.split() for line in lines_of("print_decided_values")]
    assert len(lines) == len(SELECTIVE) * len(DECIDED)
    for (game, position), (name, value, move) in zip(DECIDED * len(SELECTIVE), lines, strict=True):
        state = State.of(find_game(game), position)
        assert state.parse_move(move) in state.legal_moves
        plies = WIN - abs(int(value))
        assert plies <= DECIDED_PLIES, (name, position, "is decided")
        assert wins_within(state, plies) if int(value) > 0 else loses_within(state, plies), (name, position)


@pytest.mark.usefixtures("processes")
def test_each_technique_can_be_switched_off_for_every_game_and_number_of_seats() -> None:
    lines = lines_of("print_moves_of_each_technique")
    assert len(lines) == 2 * len(TECHNIQUES) * len(EVERY_KIND)
    assert [line for line in lines if not line.startswith("True")] == []


def test_every_technique_is_described() -> None:
    assert tuple(TECHNIQUES) == Techniques._fields
