"""The plies of Battle Sheep: placings, splits and passes (rulings 3.2 to 3.5)."""

import pytest

from millrace.engine.game import IllegalMoveError
from millrace.engine.games.battlesheep import GAME
from millrace.engine.state import State
from tests.engine.battlesheep.board_text import BLOCKED, ROW, pasture, rows
from tests.engine.move_texts import texts

# --- 3.2, 3.3: turns and placing ---


def test_each_seat_has_sixteen_sheep_to_place_and_red_begins() -> None:
    state = State.of(GAME, "seats=4")
    assert state.drawing.reserves == (16, 16, 16, 16)
    assert state.seat == 0
    state = state.play(state.legal_moves[0])
    assert state.drawing.reserves == (0, 16, 16, 16)
    assert [pile for pile in state.drawing.piles if pile] == [(0, 16)]
    assert state.seat == 1


def test_a_stack_is_placed_on_an_empty_cell_of_the_outer_edge() -> None:
    state = pasture("""
        0 0 0 . .
        0 0 0 0 .
        0 0 0 0 0
        . 0 0 0 0
        . . 0 0 0
    """)
    assert {"b2", "c3", "d4", "b3", "c2", "c4", "d3"}.isdisjoint(texts(state))
    assert len(texts(state)) == 12
    assert "a1" not in texts(state.play_text("a1"))
    assert len(texts(state.play_text("a1"))) == 11


def test_a_cell_that_borders_only_a_hole_is_not_on_the_outer_edge() -> None:
    ring = pasture("""
        0 0 0 0 . . .
        0 0 0 0 0 . .
        0 0 0 0 0 0 .
        0 0 0 . 0 0 0
        . 0 0 0 0 0 0
        . . 0 0 0 0 0
        . . . 0 0 0 0
    """)
    assert {"c3", "d3", "c4", "e4", "d5", "e5"}.isdisjoint(texts(ring))
    assert len(texts(ring)) == 18


def test_the_outer_edge_has_each_cell_of_narrow_necks_exactly_once() -> None:
    dumbbell = pasture("""
        0 0 . . . . .
        0 0 0 0 0 0 0
        . . . . . 0 0
    """)
    assert sorted(texts(dumbbell)) == sorted({"a1", "b1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "f3", "g3"})


def test_a_hole_that_opens_through_a_gap_is_outside() -> None:
    bay = pasture("""
        0 0 . . .
        0 0 . 0 .
        0 0 0 0 0
        . 0 0 0 0
        . . 0 0 0
    """)
    assert "b2" in texts(bay)
    assert "c3" in texts(bay)


def test_a_seat_without_an_edge_cell_to_place_on_passes() -> None:
    state = pasture(
        """
        b1 b1 .
        b1 0  r3
        .  b1 0
        """,
        "r",
        3,
    )
    state = state.play_text("c2-c3:1").play_text("pass")
    assert state.drawing.reserves == (0, 0, 16)
    assert texts(state) == {"pass"}
    assert texts(state.play_text("pass")) == {"c2-b2:1"}


def test_one_to_all_but_one_sheep_slide_to_the_last_empty_cell() -> None:
    assert texts(pasture(ROW)) == {f"a1-d1:{sheep}" for sheep in range(1, 16)}
    assert rows(pasture(ROW).play_text("a1-d1:7")) == ["r9,0,0,r7,b16"]


def test_sheep_do_not_stop_halfway() -> None:
    with pytest.raises(IllegalMoveError, match="not allowed"):
        pasture(ROW).play_text("a1-c1:7")


@pytest.mark.parametrize(
    ("drawing", "moves"),
    [
        ("r3 0 0 b1 0 0 b9", {"a1-c1:1", "a1-c1:2"}),
        ("b9 0 0 b1 0 0 r3", {"g1-e1:1", "g1-e1:2"}),
        ("r2 0 0 . 0\n.  0 0 0 0", {"a1-c1:1", "a1-b2:1"}),
        ("r2 r1 0 0 b9", {"pass"}),
    ],
    ids=["the nearest stack", "the nearest stack backwards", "a hole", "a stack of its own, with which none merges"],
)
def test_sheep_stop_before_what_is_in_their_way(drawing: str, moves: set[str]) -> None:
    assert texts(pasture(drawing)) == moves


def test_sheep_slide_in_six_directions() -> None:
    state = pasture("""
        0 0 0 . .
        0 0 0 0 .
        0 0 r2 0 0
        . 0 0 0 0
        . . 0 0 b1
    """)
    assert texts(state) == {f"c3-{target}:1" for target in ["e3", "d4", "c5", "a3", "a1", "c1"]}


def test_the_other_diagonal_has_no_neighbours() -> None:
    state = pasture("""
        0 0 0
        0 r2 0
        0 0 b9
    """)
    assert {"b2-c1:1", "b2-a3:1"}.isdisjoint(texts(state))


def test_a_stack_of_one_cannot_move() -> None:
    state = pasture("""
        r1 0 0 r2
        .  0 0 b9
    """)
    assert {text.split("-")[0] for text in texts(state)} == {"d1"}


def test_a_seat_without_a_move_passes_and_the_match_continues() -> None:
    state = pasture(BLOCKED)
    assert texts(state) == {"pass"}
    assert state.outcome is None
    assert state.forced_pass == state.legal_moves[0]
    after = state.play_text("pass")
    assert rows(after) == rows(state)
    assert after.seat == 1
    assert texts(after) == {f"e1-c1:{sheep}" for sheep in range(1, 15)}


def test_a_seat_that_can_move_may_not_pass() -> None:
    state = pasture(ROW)
    assert state.forced_pass is None
    with pytest.raises(IllegalMoveError):
        state.play_text("pass")


def test_a_blocked_seat_of_three_is_skipped_every_round() -> None:
    state = pasture(
        """
        b9 r16 g1 0 0 0 g15
        """,
        "b",
        3,
    )
    state = state.play_text("pass").play_text("g1-d1:2").play_text("pass").play_text("pass")
    assert state.seat == 2
    assert rows(state) == ["b9,r16,g1,g2,0,0,g13"]
    assert state.play_text("g1-e1:1").seat == 0
