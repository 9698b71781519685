"""Kernels as compiled code: the same results as interpreted, one signature each, bit tricks that agree with plain
Python.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.engine.bindings import bindings_of
from millrace.engine.bits import cell_bit, count_cells, highest_cell, kernel, lowest_cell, to_count
from millrace.engine.game import Game
from millrace.engine.games import GAMES
from millrace.engine.state import State
from tests.engine.kernel_processes import interpreted_lines
from tests.engine.kernel_transcripts import setups_of, transcript


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.usefixtures("processes")
def test_compiled_kernels_agree_with_interpreted_ones(game: Game) -> None:
    program = (
        "from millrace.engine.games import GAMES; from tests.engine.kernel_transcripts import transcript; "
        f"print(*[line for setup in {setups_of(game)} for line in transcript(GAMES[{game.name!r}], setup)], sep='\\n')"
    )
    assert interpreted_lines(program) == [line for setup in setups_of(game) for line in transcript(game, setup)]


@pytest.mark.parametrize(
    ("game", "setup"),
    [pytest.param(game, setup, id=f"{game.name}-{setup}") for game in GAMES.values() for setup in setups_of(game)],
)
def test_each_kernel_is_compiled_once(game: Game, setup: str) -> None:
    transcript(game, setup)
    game = State.of(game, setup).game
    # For the mover, a game may have its worth for any seat compiled apart.
    for_setups = [entry.kernel for entry in game.rules.setup_kernels]
    for compiled in (*game.rules.kernels._replace(evaluate_for=None), *bindings_of(game), *for_setups):
        # Variants of a game with positions of another class share kernels.
        classes = [tuple(map(class_of, signature)) for signature in getattr(compiled, "signatures", [])]
        assert len(classes) == len(set(classes)), compiled


def class_of(kind: Any) -> type | None:
    """Return the class of an argument that is a named tuple."""
    found: type | None = getattr(kind, "instance_class", None)
    return found


@kernel
def all_bit_tricks(bits: np.uint64, cell: int) -> tuple[int, int, int, np.uint64, int]:
    return count_cells(bits), lowest_cell(bits), highest_cell(bits), cell_bit(cell), to_count(bits >> np.uint64(1))


@given(st.integers(0, (1 << 64) - 1), st.integers(0, 63))
def test_bit_tricks_agree_with_plain_python(number: int, cell: int) -> None:
    expected = (
        number.bit_count(),
        (number & -number).bit_length() - 1 if number else 64,
        number.bit_length() - 1,
        1 << cell,
        number >> 1,
    )
    assert tuple(int(result) for result in all_bit_tricks(np.uint64(number), cell)) == expected
    bits = np.uint64(number)
    plain = (count_cells(bits), lowest_cell(bits), highest_cell(bits), int(cell_bit(cell)), to_count(bits) >> 1)
    assert plain == expected
