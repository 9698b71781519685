"""Rules interpreted until they are compiled: the same moves and results, and nothing compiled."""

import random
import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from millrace.engine.bindings import interpret_rules, use_compiled_rules
from millrace.engine.bits import kernel
from millrace.engine.game import Game
from millrace.engine.games import GAMES
from millrace.engine.games.battlesheep.pasture import build_board
from millrace.engine.kernel_cache import NotCompiledError, only_loading
from millrace.engine.state import State
from tests.engine.kernel_transcripts import setups_of

LONGEST_LINE = 80


@pytest.fixture
def interpreted_rules() -> Iterator[None]:
    """Interprets the rules of all games, as in a server that has just started."""
    games = {State.of(game, setup).game for game in GAMES.values() for setup in setups_of(game)}
    for game in games:
        interpret_rules(game)
    yield
    for game in games:
        use_compiled_rules(game)


def random_line(game: Game, setup: str) -> tuple[str, ...]:
    chance, state = random.Random(setup), State.of(game, setup)
    while state.outcome is None and state.ply < LONGEST_LINE:
        state = state.play(chance.choice(state.legal_moves))
    return state.move_texts


def facts_along(game: Game, setup: str, moves: tuple[str, ...]) -> list[object]:
    """Return all results of the rules along a line of play."""
    line = State.from_moves(game, setup, moves).line
    return [
        (state.key, state.move_tree(), state.refused_tree(), state.outcome, state.territory, state.is_dead)
        for state in line
    ]


CASES = [pytest.param(game, setup, id=f"{game.name}-{setup}") for game in GAMES.values() for setup in setups_of(game)]


@pytest.fixture
def line(game: Game, setup: str) -> tuple[tuple[str, ...], list[object]]:
    """A line of play, and the results of the compiled rules along it."""
    moves = random_line(game, setup)
    return moves, facts_along(game, setup, moves)


@pytest.mark.parametrize(("game", "setup"), CASES)
def test_interpreted_rules_agree_with_compiled_ones_and_compile_nothing(
    game: Game, setup: str, line: tuple[tuple[str, ...], list[object]], interpreted_rules: None
) -> None:
    moves, facts = line
    with only_loading(), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert facts_along(game, setup, moves) == facts


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_interpreted_rules_lay_the_same_pasture_as_compiled_ones(seats: int, interpreted_rules: None) -> None:
    game = GAMES["battlesheep"]
    interpreted = State.of(game, f"seed=11 seats={seats}")
    assert all(entry.in_use is not entry.kernel for entry in game.rules.setup_kernels)
    use_compiled_rules(game)
    build_board.cache_clear()
    compiled = State.of(game, f"seed=11 seats={seats}")
    assert all(entry.in_use is entry.kernel for entry in game.rules.setup_kernels)
    assert interpreted.start.board is not compiled.start.board
    assert interpreted.start.board.tables.tolist() == compiled.start.board.tables.tolist()


@kernel
def twice(bits: np.uint64) -> np.uint64:
    return bits + bits


def test_a_process_that_only_loads_kernels_refuses_to_compile() -> None:
    with only_loading(), pytest.raises(NotCompiledError, match="twice"):
        twice(np.uint64(2))
    assert twice(np.uint64(2)) == 4
