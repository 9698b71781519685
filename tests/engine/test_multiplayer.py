"""The search with three and four seats, compared with a plain minimax, and played by every level."""

from itertools import product

import numpy as np
import pytest

from millrace.engine.game.techniques import DEFAULT_TECHNIQUES, EXACT_TECHNIQUES, Techniques
from millrace.engine.games import find_game
from millrace.engine.search import Analysis, Handicap, Limits, OpponentModel, analyse, no_clock, value_of_ranks
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN
from tests.engine.move_choice import choose_move

GAME = find_game("battlesheep")

POSITIONS = [
    "seats=3",
    "r5,0,0,g3/0,b4,0,0/.,0,y2,0 r 4",
    "r3,0,0,g3/0,b4,0,./.,0,0,0 g 3",
    "0,r9,0,0,0/0,0,b9,0,0/g9,0,0,0,0 b 3",
    "0,r2,0,0,0/0,0,b3,0,y2/g2,0,0,0,0 y 4",
]
"""The start, the middle, and pastures where lines end before the search; in two each seat can move twice."""


def search(state: State, depth: int, opponent_model: OpponentModel, techniques: Techniques) -> Analysis:
    return analyse(
        state,
        Limits(depth=depth),
        no_clock,
        handicap=Handicap(quiescence=0),
        techniques=techniques,
        opponent_model=opponent_model,
    )


def worth_for(state: State, seat: int) -> int:
    """Return the value of a position for a seat, regardless of who is to move."""
    evaluate_for = GAME.rules.kernels.evaluate_for
    assert evaluate_for is not None
    turn = (seat - state.seat) % state.start.seats
    return int(evaluate_for(state.start.board, GAME.rules.position_type(*state.words), turn))


def standing_of(ranks: tuple[int, ...], seat: int) -> int:
    return sum((rank > ranks[seat]) - (rank < ranks[seat]) for rank in ranks)


def paranoid_value(state: State, depth: int, root: int, ply: int = 0) -> int:
    """Return the value for a seat if all others play against it, by the plainest means."""
    if state.outcome is not None:
        standing = standing_of(state.outcome.ranks, root)
        if abs(standing) == state.start.seats - 1:
            return WIN - ply if standing > 0 else ply - WIN
        return 100 * standing
    if depth == 0:
        return worth_for(state, root)
    values = [paranoid_value(state.after(move), depth - 1, root, ply + 1) for move in state.legal_moves]
    return max(values) if state.seat == root else min(values)


@pytest.mark.parametrize(("position", "depth"), [*product(POSITIONS, (1, 2, 3)), (POSITIONS[2], 6), (POSITIONS[4], 7)])
def test_paranoid_search_finds_the_value_of_a_plain_minimax(position: str, depth: int) -> None:
    state = State.of(GAME, position)
    found = search(state, depth, OpponentModel.PARANOID, EXACT_TECHNIQUES)
    assert found.value == paranoid_value(state, depth, state.seat)


@pytest.mark.parametrize("depth", [2, 4])
def test_with_one_other_seat_able_to_move_best_reply_equals_paranoid_search(depth: int) -> None:
    state = State.of(GAME, "r5,0,0,0,0/0,b4,0,0,0/0,0,0,0,g1 r 3")
    found = search(state, depth, OpponentModel.BEST_REPLY, EXACT_TECHNIQUES._replace(table=False))
    assert found.value == paranoid_value(state, depth // 2 * 3, 0)


def test_with_two_seats_there_is_no_difference() -> None:
    state = State.of(GAME, "0,r9,0,0,0/0,0,b9,0,0/0,0,0,0,0 r 2")
    paranoid, usual = (search(state, 5, opponent_model, DEFAULT_TECHNIQUES) for opponent_model in OpponentModel)
    assert (paranoid.value, paranoid.nodes) == (usual.value, usual.nodes)


@pytest.mark.parametrize("position", POSITIONS)
def test_two_choices_a_round_take_fewer_nodes_than_all(position: str) -> None:
    state = State.of(GAME, position)
    rounds = 2
    best_reply = search(state, 2 * rounds, OpponentModel.BEST_REPLY, DEFAULT_TECHNIQUES)
    paranoid = search(state, state.start.seats * rounds, OpponentModel.PARANOID, DEFAULT_TECHNIQUES)
    assert best_reply.nodes < paranoid.nodes
    assert State.from_moves(GAME, position, best_reply.principal_variation).ply >= 2 * rounds


@pytest.mark.parametrize(
    ("ranks", "values"),
    [((1, 2, 3), (WIN, 0, -WIN)), ((1, 1, 3), (100, 100, -WIN)), ((1, 2, 2, 2), (WIN, -100, -100, -100))],
)
def test_ends_are_scored_by_the_seats_behind_and_ahead(ranks: tuple[int, ...], values: tuple[int, ...]) -> None:
    shared = np.array(ranks, dtype=np.int32)
    assert tuple(value_of_ranks(shared, seat, len(ranks), 0) for seat in range(len(ranks))) == values


@pytest.mark.parametrize("position", ["r1,b2/g1,0 r 3", "r1,0/b1,g1 b 3"])
def test_a_finished_or_nearly_finished_match_is_judged_for_the_seat_to_move(position: str) -> None:
    state = State.of(GAME, position)
    found = search(state, 3, OpponentModel.PARANOID, DEFAULT_TECHNIQUES)
    assert found.value == paranoid_value(state, 3, state.seat)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_match_of_engines_is_played_to_its_end(seats: int) -> None:
    setup, moves = f"seats={seats} seed=5", list[str]()
    state = State.of(GAME, setup)
    while state.outcome is None:
        moves.append(choose_move("battlesheep", setup, moves, 1 + state.seat, 1, no_clock))
        state = state.play_text(moves[-1])
    assert len(state.outcome.ranks) == seats
