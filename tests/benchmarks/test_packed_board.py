"""Nine Men's Morris on the packed board of published programs, which a benchmark compares with ours."""

import random

import pytest

from benchmarks.packed_board import POSITIONS, packed_game
from millrace.engine.games.morris import GAME
from millrace.engine.perft import perft
from millrace.engine.state import State


@pytest.mark.parametrize("position", POSITIONS)
def test_both_boards_have_the_same_moves(position: str) -> None:
    packed, usual = State.of(packed_game(), position), State.of(GAME, position)
    assert sorted(packed.generated_moves) == sorted(usual.generated_moves)
    assert perft(packed, 4) == perft(usual, 4)


@pytest.mark.parametrize("seed", range(3))
def test_moves_keep_the_counts_and_steps_of_the_packed_board(seed: int) -> None:
    chance, state, packed = random.Random(seed), State.of(GAME), State.of(packed_game())
    while state.outcome is None and state.ply < 80:
        move = chance.choice(state.legal_moves)
        state, packed = state.play(move), packed.after(move)
        assert int(packed.words[0]) == int(state.write_position("packed").split()[0], 16)
