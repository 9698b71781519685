"""Histories passed from one search of a match to the next: each seat keeps its good moves, which age."""

import pytest

from millrace.engine.game import Game
from millrace.engine.games import find_game
from millrace.engine.search import Limits, analyse, new_histories, no_clock, renew_histories
from millrace.engine.state import State
from millrace.engine.transposition_table import Histories, new_table
from tests.engine.minimax import MORRIS

BATTLE_SHEEP = find_game("battlesheep")
MOVE = 77


def marked_experience(game: Game, seat: int, seats: int) -> Histories:
    """Return one in which each seat's move is worth twice 100 and its number."""
    histories = new_histories(game, seat)
    for turn in range(seats):
        owner = (seat + turn) % seats
        histories.history[turn, MOVE] = 2 * (100 + owner)
    return histories


@pytest.mark.parametrize(("game", "seats"), [(MORRIS, 2), (BATTLE_SHEEP, 2), (BATTLE_SHEEP, 3), (BATTLE_SHEEP, 4)])
def test_each_seat_has_its_own_history(game: Game, seats: int) -> None:
    for before in range(seats):
        for after in range(seats):
            renewed = renew_histories(marked_experience(game, before, seats), game, after, seats)
            assert renewed.seat == after
            for turn in range(seats):
                owner = (after + turn) % seats
                assert renewed.history[turn, MOVE] == 100 + owner


def test_corrections_are_kept_unchanged() -> None:
    histories = new_histories(MORRIS, 0)
    histories.corrections[0, 5] = 1234
    assert renew_histories(histories, MORRIS, 1, 2).corrections[0, 5] == 1234


def test_nothing_is_kept_from_another_game() -> None:
    renewed = renew_histories(marked_experience(MORRIS, 0, 2), BATTLE_SHEEP, 0, 2)
    assert not renewed.history.any()
    assert renewed.history.shape == new_histories(BATTLE_SHEEP, 0).history.shape


def test_a_search_starts_with_the_histories_of_the_previous_one() -> None:
    state, table, limits = State.of(MORRIS), new_table(1), Limits(depth=5)
    first = analyse(state, limits, no_clock, table=table)
    assert table.histories is not None
    assert table.histories.history.any()
    assert table.histories.corrections.any()
    table.entries.fill(0)
    again = analyse(state, limits, no_clock, table=table)
    fresh = analyse(state, limits, no_clock, table=new_table(1))
    assert fresh.nodes == first.nodes
    assert again.nodes != first.nodes, "the table was emptied, so that only the histories can have made the difference"


def test_the_same_table_and_state_give_the_same_search() -> None:
    found = []
    for _ in range(2):
        table = new_table(1)
        analyse(State.of(MORRIS), Limits(depth=4), no_clock, table=table)
        found.append(analyse(State.of(MORRIS).play_text("d6"), Limits(depth=5), no_clock, table=table).nodes)
    assert found[0] == found[1]


def test_a_search_of_selected_moves_does_not_affect_a_search_of_all() -> None:
    state, limits = State.of(MORRIS), Limits(nodes=2_000)
    table = new_table(1)
    analyse(state, limits, no_clock, table=table)
    assert table.histories is not None
    history, corrections = table.histories.history.copy(), table.histories.corrections.copy()
    analyse(state, limits, no_clock, table=table, candidates=state.legal_moves[:1])
    assert (table.histories.history == history).all()
    assert (table.histories.corrections == corrections).all()
    assert table.histories.seat == state.seat
