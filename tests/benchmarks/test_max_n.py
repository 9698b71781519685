"""Max-n against the plainest means."""

import pytest

from benchmarks.max_n import RANK_WORTH, search
from millrace.engine.games import find_game
from millrace.engine.state import State

GAME = find_game("battlesheep")


def plain_values(state: State, depth: int) -> tuple[int, ...]:
    """Return the value of a state for each seat, seat 0 first, by looking at everything."""
    seats = range(state.start.seats)
    if state.outcome is not None:
        ranks = state.outcome.ranks
        return tuple(
            RANK_WORTH * (min(rank for other, rank in enumerate(ranks) if other != seat) - ranks[seat])
            for seat in seats
        )
    if depth == 0:
        evaluate_for = GAME.rules.kernels.evaluate_for
        assert evaluate_for is not None
        position = GAME.rules.position_type(*state.words)
        return tuple(int(evaluate_for(state.start.board, position, (seat - state.seat) % len(seats))) for seat in seats)
    return max((plain_values(state.after(move), depth - 1) for move in state.legal_moves), key=lambda v: v[state.seat])


@pytest.mark.parametrize(
    ("position", "depth"),
    [
        ("r5,0,0,g3/0,b4,0,0/.,0,y2,0 r 4", 3),
        ("r3,0,0,g3/0,b4,0,./.,0,0,0 g 3", 4),
        ("0,r2,0,0,0/0,0,b3,0,y2/g2,0,0,0,0 y 4", 3),
        ("r2,0,b2/g1,0,. r 3", 8),
    ],
)
def test_the_seat_to_move_gets_what_plain_max_n_gives_it(position: str, depth: int) -> None:
    state = State.of(GAME, position)
    assert search(state, 10**9, depth).values[0] == plain_values(state, depth)[state.seat]


def test_it_keeps_to_its_nodes_and_is_repeatable() -> None:
    state = State.of(GAME, "seats=4")
    found = search(state, 2_000)
    assert found.nodes <= 2_000
    assert found.move in state.legal_moves
    assert search(state, 2_000) == found
