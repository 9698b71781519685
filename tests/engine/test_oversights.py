"""A weak bot's oversights, and a search among selected moves."""

import numpy as np
import pytest

from millrace.engine.bindings import bindings_of
from millrace.engine.game.techniques import EXACT_TECHNIQUES
from millrace.engine.games import find_game
from millrace.engine.search import Handicap, Limits, analyse, no_clock
from millrace.engine.search.oversights import CERTAIN, is_overlooked, make_oversights
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN
from tests.engine.minimax import MORRIS, MOVING, PLACING, minimax, search
from tests.engine.move_texts import texts


@pytest.mark.parametrize("position", [*PLACING, *MOVING])
def test_a_level_without_oversights_plays_as_always(position: str) -> None:
    state = State.of(MORRIS, position)
    assert search(state, 3, Handicap(seed=5)) == search(state, 3)


@pytest.mark.parametrize("position", [*PLACING, *MOVING])
def test_with_any_oversights_a_legal_move_is_played_repeatably(position: str) -> None:
    state = State.of(MORRIS, position)
    for oversights in (1, 300, CERTAIN):
        found = search(state, 3, Handicap(seed=5, oversights=oversights))
        assert found.best_move in texts(state)
        assert search(state, 3, Handicap(seed=5, oversights=oversights)) == found


def test_captures_are_never_overlooked_but_replies_may_be() -> None:
    own_mill = State.of(MORRIS, "......B..BW.......BW..W. w 6 6")
    assert all(
        (search(own_mill, 1, Handicap(seed=seed, oversights=900)).best_move or "")[:3] == "d3x" for seed in range(20)
    )
    threatened = State.of(MORRIS, ".W..WB...W..W.....B...B. b 5 6")
    answers = [search(threatened, 2, Handicap(seed=seed, oversights=300)).best_move for seed in range(40)]
    assert 0 < answers.count("d5") < 40


def test_in_ming_mang_too_captures_are_seen_and_replies_may_be_overlooked() -> None:
    game = find_game("mingmang")
    taking = State.of(game, "8/8/8/8/bw1b4/8/6ww/8 b 0")
    assert all(search(taking, 1, Handicap(seed=seed, oversights=900)).best_move == "d4-c4" for seed in range(20))
    threatened = State.of(game, "bb6/8/8/8/8/8/wbbb1w2/8 b 0")
    assert search(threatened, 2).best_move == "c2-c6", "the line of three is parted before f2-e2 takes it"
    answers = [search(threatened, 2, Handicap(seed=seed, oversights=300)).best_move for seed in range(40)]
    exposed = [move for move in answers if takes_something(threatened.play_text(move or ""))]
    assert 0 < len(exposed) < 40


def takes_something(state: State) -> bool:
    is_noisy = bindings_of(state.game).is_noisy
    return any(is_noisy(state.start.board, state.words, move) for move in state.legal_moves)


def test_moves_are_overlooked_at_the_given_rate_evenly_over_seeds() -> None:
    keys = [np.uint64(number * 0x9E3779B97F4A7C15 % (1 << 64)) for number in range(40)]
    for oversights in (0, 100, 500, CERTAIN):
        missed = [is_overlooked(key, move, 7, oversights) for key in keys for move in range(1, 101)]
        assert abs(sum(missed) / len(missed) - oversights / CERTAIN) < 0.03


def test_a_pass_is_not_overlooked_if_all_other_seen_moves_are_refused() -> None:
    # After a few plies of the search a side sees one move, which would bring back what was before the pass: taken for a
    # loss at once, that was a win which no window could hold.
    game = find_game("mingmang")
    state = State.from_moves(game, "w1wwb1bw/bwbb1bbw/bb2b1bb/1b3bb1/5b2/5bbb/6bb/b7 b 0", ["pass", "a8-b8"])
    handicap = Handicap(noise=25, seed=4555206740103072969, quiescence=2, oversights=110)
    found = analyse(state, Limits(depth=3, nodes=100_000), no_clock, handicap=handicap)
    assert found.depth == 3
    assert abs(found.value) < WIN


def test_a_free_pass_is_seen_if_nothing_else_is() -> None:
    # What takes is overlooked every other time, and all that slides for certain.
    game = find_game("mingmang")
    state = State.of(game, "8/8/8/8/bw1b4/8/wb1w4/8 b 0")
    position, moves = game.rules.position_type(*state.words), np.zeros(game.rules.kernels.max_moves, dtype=np.int32)
    overlook = make_oversights(game)
    for seed in range(20):
        count = game.rules.kernels.generate_moves(state.start.board, position, moves)
        seen = overlook(state.start.board, position, moves, count, np.uint64(1), seed, CERTAIN, 1)
        assert game.rules.free_pass in moves[:seen]


def test_only_the_candidates_are_searched() -> None:
    state = State.of(MORRIS, "......B..BW.......BW..W. w 6 6")
    quiet = tuple(move for move in state.legal_moves if "x" not in state.format_move(move))
    worths = {state.format_move(move): -minimax(state.after(move), 2, 0, ply=1) for move in quiet}
    found = analyse(
        state, Limits(depth=3), no_clock, handicap=Handicap(quiescence=0), techniques=EXACT_TECHNIQUES, candidates=quiet
    )
    assert found.value == max(worths.values()) == worths[found.best_move or ""]
