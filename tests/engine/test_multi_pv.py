"""Several moves of a state compared by searches of the same depth."""

from millrace.engine.games import find_game
from millrace.engine.search import Limits, compare_moves, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN

WINS_AT_ONCE = "WW.....W...B....BB...... w 0 0"
OVER = "WWW.......BB............ b 0 0"


def test_the_best_moves_come_first_and_none_twice() -> None:
    state = State.of(find_game("mingmang"))
    compared = compare_moves(state, Limits(nodes=20_000), no_clock, variations=3)
    values = [each.value for each in compared.best]
    assert values == sorted(values, reverse=True)
    assert len({each.best_move for each in compared.best}) == 3
    assert all(each.depth <= compared.best[0].depth for each in compared.best)


def test_a_requested_move_is_searched_as_deeply_as_the_best() -> None:
    state = State.of(find_game("morris"))
    compared = compare_moves(state, Limits(depth=4), no_clock, also="a7")
    assert compared.also is not None
    assert compared.also.best_move == "a7"
    assert compared.also.depth == compared.best[0].depth == 4
    assert compared.also.value <= compared.best[0].value


def test_the_best_move_itself_may_be_requested() -> None:
    state = State.of(find_game("morris"))
    best = compare_moves(state, Limits(depth=3), no_clock).best[0]
    compared = compare_moves(state, Limits(depth=3), no_clock, also=best.best_move or "")
    assert compared.also == compared.best[0]
    assert compared.best[0].best_move == best.best_move


def test_a_certain_win_ends_the_search() -> None:
    state = State.of(find_game("morris"), WINS_AT_ONCE)
    compared = compare_moves(state, Limits(depth=6), no_clock, variations=2)
    assert compared.best[0].value > WIN - 10
    assert compared.is_settled


def test_nothing_is_compared_when_play_is_over() -> None:
    state = State.of(find_game("morris"), OVER)
    compared = compare_moves(state, Limits(depth=3), no_clock, variations=3)
    assert [each.value for each in compared.best] == [-WIN]
    assert compared.best[0].best_move is None
    assert compared.is_settled


def test_fewer_moves_than_requested_are_all_reported() -> None:
    state = State.of(find_game("battlesheep"), "r3,0,b3 r 2")
    compared = compare_moves(state, Limits(depth=2), no_clock, variations=3)
    assert {each.best_move for each in compared.best} == {"a1-b1:1", "a1-b1:2"}
