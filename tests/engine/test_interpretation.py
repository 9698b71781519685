"""Rules interpreted until they are compiled; `engine.conformance` shows that their results are the same."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from millrace.engine.bindings import interpret_rules, use_compiled_rules
from millrace.engine.bits import kernel
from millrace.engine.games import GAMES
from millrace.engine.games.battlesheep.pasture import build_board
from millrace.engine.kernel_cache import NotCompiledError, only_loading
from millrace.engine.state import State
from tests.engine.kernel_transcripts import setups_of


@pytest.fixture
def interpreted_rules() -> Iterator[None]:
    """Interprets the rules of all games, as in a server that has just started."""
    games = {State.of(game, setup).game for game in GAMES.values() for setup in setups_of(game)}
    for game in games:
        interpret_rules(game)
    yield
    for game in games:
        use_compiled_rules(game)


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


def test_a_process_that_only_loads_kernels_refuses_to_compile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # Elsewhere it has been kept since the last run.
    monkeypatch.setattr("millrace.engine.kernel_cache.kernels_folder", lambda: tmp_path)
    with only_loading(), pytest.raises(NotCompiledError, match="twice"):
        twice(np.uint64(2))
    assert twice(np.uint64(2)) == 4
