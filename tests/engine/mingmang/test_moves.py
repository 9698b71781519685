"""The plies of Ming Mang: slides and takings (rulings 2.1 to 2.3)."""

from millrace.engine.games.mingmang import GAME
from millrace.engine.games.mingmang.kernels import MAX_MOVES
from millrace.engine.state import State
from tests.engine.mingmang.board_text import START, board, drawn
from tests.engine.move_texts import texts

# --- 2.1, 2.2: the board and the moves ---


def test_each_side_starts_with_fourteen_men_on_two_edges_and_black_begins() -> None:
    state = State.of(GAME)
    assert drawn(state) == ["wwwwwwww", *["w......b"] * 6, "bbbbbbbb"]
    assert [len([pile for pile in state.drawing.piles if pile and pile.seat == seat]) for seat in (0, 1)] == [14, 14]
    assert state.seat == 0
    assert state.position_text == START


def test_a_man_slides_like_a_rook_over_empty_squares_only() -> None:
    state = board("""
        .....w..
        ........
        ..b..b.w
        ........
    """)
    assert {text for text in texts(state) if text.startswith("f2")} == {"f2-e2", "f2-d2", "f2-g2", "f2-f1", "f2-f3"}


def test_slides_do_not_wrap_around_the_board() -> None:
    state = board("""
        w.......
        b......b
    """)
    assert {text for text in texts(state) if text.startswith("h1")} == {
        *(f"h1-h{rank}" for rank in range(2, 9)),
        *(f"h1-{file}1" for file in "bcdefg"),
    }


def test_two_men_may_reach_one_square() -> None:
    state = board("""
        w.......
        b..b....
    """)
    assert {"a1-b1", "d1-b1"} <= texts(state)


def test_no_position_has_more_moves_than_the_buffer_holds() -> None:
    edges = board("""
        .bbbbbb.
        b......b
        b......b
        b......b
        b......b
        b......b
        b......b
        .bwbbbb.
    """)
    assert len(edges.legal_moves) < MAX_MOVES


# --- 2.3: taking ---


def test_lines_in_all_four_directions_change_colour_at_once() -> None:
    state = board("""
        ...b....
        ...w....
        ...w....
        bww.b...
        ...w....
        ...b....
    """)
    assert drawn(state.play_text("e3-d3")) == ["...b....", "...b....", "...b....", "bbbb....", "...b....", "...b...."]
    state = board("""
        ...b....
        bww.wwwb
        ...w....
        ...b....
    """)
    assert drawn(state.play_text("d4-d3")) == ["bbbbbbbb", "...b....", "...b...."]


def test_a_line_is_taken_behind_and_ahead_of_the_arriving_man() -> None:
    state = board("""
        ...b....
        ........
        .bww.wb.
        ....b...
    """)
    assert drawn(state.play_text("e1-e2")) == ["...b....", ".bbbbbb."]


def test_the_edge_does_not_close_a_line() -> None:
    state = board("""
        ....b...
        wwww....
    """)
    assert drawn(state.play_text("e2-e1")) == ["wwwwb..."]


def test_a_line_with_a_gap_is_not_taken() -> None:
    state = board("""
        .....b..
        bw.ww...
    """)
    assert drawn(state.play_text("f2-f1")) == ["bw.wwb.."]


def test_a_capture_causes_no_further_capture() -> None:
    state = board("""
        ..b.....
        ..w.....
        .bw..b..
        ..w.....
        ..b.....
    """)
    assert drawn(state.play_text("f3-d3")) == ["..b.....", "..w.....", ".bbb....", "..w.....", "..b....."]


def test_moving_in_between_opposing_men_is_safe() -> None:
    state = board("""
        ...b....
        ..w.w...
    """)
    assert drawn(state.play_text("d2-d1")) == ["..wbw..."]


def test_only_the_moving_side_captures() -> None:
    state = board("""
        ...b....
        ..w.w...
        .......w
    """)
    after = state.play_text("d3-d2").play_text("h1-h2")
    assert drawn(after) == ["..wbw..w"]
