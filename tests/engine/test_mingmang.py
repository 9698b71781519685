"""Ming Mang, ruling by ruling (section 2 of the rulings), and its kernels against a slow reference in plain Python."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis import Limits, analyse
from engine.game import Geometry, IllegalMoveError, MoveSyntaxError, Outcome, RepetitionError, SetupError
from engine.games.mingmang import GAME
from engine.games.mingmang.kernels import MAX_MOVES
from engine.rules import rules_of
from engine.state import State

START = "wwwwwwww/w6b/w6b/w6b/w6b/w6b/w6b/bbbbbbbb b 0"
EMPTY_RANK = "........"
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

Men = dict[tuple[int, int], str]
"""Letter of the man by file and rank, both from 0."""


def board(drawing: str, side: str = "b", passes: int = 0) -> State:
    """Set up a drawn board; ranks above the drawn ones are empty."""
    ranks = drawing.split()
    ranks = [EMPTY_RANK] * (8 - len(ranks)) + ranks
    text = "/".join(ranks)
    for run in range(8, 0, -1):
        text = text.replace("." * run, str(run))
    return State.of(GAME, f"{text} {side} {passes}")


def drawn(state: State) -> list[str]:
    """Return the ranks of a state that hold a man, from the top."""
    letters = ["." if pile is None else "bw"[pile.seat] for pile in state.drawing.piles]
    ranks = ["".join(letters[8 * rank : 8 * rank + 8]) for rank in reversed(range(8))]
    return [rank for rank in ranks if rank != EMPTY_RANK]


def texts(state: State) -> set[str]:
    return {state.format_move(move) for move in state.legal_moves}


# --- the slow reference ---


def men_of(state: State) -> Men:
    return {
        (index % 8, index // 8): "bw"[pile.seat] for index, pile in enumerate(state.drawing.piles) if pile is not None
    }


def on_board(square: tuple[int, int]) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


def name(square: tuple[int, int]) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def reference_slides(men: Men, side: str) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    slides = set()
    for origin in [square for square, letter in men.items() if letter == side]:
        for step in STEPS:
            target = (origin[0] + step[0], origin[1] + step[1])
            while on_board(target) and target not in men:
                slides.add((origin, target))
                target = (target[0] + step[0], target[1] + step[1])
    return slides


def reference_play(men: Men, side: str, origin: tuple[int, int], target: tuple[int, int]) -> Men:
    after = {square: letter for square, letter in men.items() if square != origin} | {target: side}
    changed: list[tuple[int, int]] = []
    for step in STEPS:
        line = []
        square = (target[0] + step[0], target[1] + step[1])
        while after.get(square, side) != side:
            line.append(square)
            square = (square[0] + step[0], square[1] + step[1])
        if after.get(square) == side:
            changed += line
    return after | dict.fromkeys(changed, side)


def reference_reach(men: Men, side: str) -> set[tuple[int, int]]:
    reached = {square for square, letter in men.items() if letter == side}
    frontier = list(reached)
    while frontier:
        file, rank = frontier.pop()
        for step in STEPS:
            square = (file + step[0], rank + step[1])
            if on_board(square) and square not in men and square not in reached:
                reached.add(square)
                frontier.append(square)
    return reached


@st.composite
def strewn_boards(draw: st.DrawFn) -> State:
    count = draw(st.integers(1, 28))
    squares = draw(st.permutations(range(64)))[:count]
    blacks = draw(st.integers(0, count))
    letters = {square: "b" if index < blacks else "w" for index, square in enumerate(squares)}
    ranks = ["".join(letters.get(8 * rank + file, ".") for file in range(8)) for rank in reversed(range(8))]
    return board(" ".join(ranks), draw(st.sampled_from("bw")))


@settings(max_examples=150, deadline=None)
@given(strewn_boards())
def test_moves_takings_and_territory_are_those_of_the_rulings(state: State) -> None:
    men, side = men_of(state), "bw"[state.seat]
    slides = reference_slides(men, side)
    is_over = not slides or len(set(men.values())) < 2
    expected = set() if is_over else {f"{name(origin)}-{name(target)}" for origin, target in slides} | {"pass"}
    assert texts(state) == expected
    assert len(state.legal_moves) == len(expected)
    for origin, target in [] if is_over else slides:
        after = state.play_text(f"{name(origin)}-{name(target)}")
        played = reference_play(men, side, origin, target)
        assert men_of(after) == played
        takes = any(played[square] != letter for square, letter in men.items() if square in played)
        kernels_take = GAME.kernels.is_noisy(state.start.board, GAME.position_type(*state.words), after.move)
        assert kernels_take == takes
    black, white = reference_reach(men, "b"), reference_reach(men, "w")
    squares = [(index % 8, index // 8) for index in range(64)]
    assert state.territory == tuple(
        0 if square in black - white else 1 if square in white - black else None for square in squares
    )


@settings(max_examples=150, deadline=None)
@given(strewn_boards())
def test_counting_moves_equals_generating_them(state: State) -> None:
    position = GAME.position_type(*state.words)
    assert GAME.kernels.count_moves(state.start.board, position) == len(state.generated_moves)


@settings(max_examples=50, deadline=None)
@given(strewn_boards())
def test_worth_is_the_same_turned_upside_down(state: State) -> None:
    worth = rules_of(GAME).evaluate(state.start.board, state.words)
    turned = np.array([int(f"{word:064b}"[::-1], 2) for word in state.words[:2].tolist()] + [0], dtype=np.uint64)
    assert rules_of(GAME).evaluate(state.start.board, turned) == worth
    assert abs(worth) <= 20_000


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


def test_slides_do_not_go_round_the_edge_of_the_board() -> None:
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


def test_the_edge_closes_nothing() -> None:
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


def test_a_change_starts_no_further_taking() -> None:
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


def test_only_the_moving_side_takes() -> None:
    state = board("""
        ...b....
        ..w.w...
        .......w
    """)
    after = state.play_text("d3-d2").play_text("h1-h2")
    assert drawn(after) == ["..wbw..w"]


# --- 2.4, 2.5: repetition and passing ---


SHUTTLE = ["e1-e2", "a5-b5", "e2-e1"]


def shuttled() -> State:
    state = board("""
        w.......
        ........
        ........
        ........
        ....b...
    """)
    for text in SHUTTLE:
        state = state.play_text(text)
    return state


def test_a_move_may_not_bring_back_an_earlier_position_with_the_same_side_to_move() -> None:
    state = shuttled()
    assert "b5-a5" not in texts(state)
    assert [state.format_move(move) for move in state.refused_moves] == ["b5-a5"]
    with pytest.raises(RepetitionError, match="b5-a5 would bring back an earlier position"):
        state.play_text("b5-a5")


def test_the_same_board_with_the_other_side_to_move_is_no_repetition() -> None:
    state = State.of(GAME).play_text("b1-b2").play_text("pass").play_text("b2-b1")
    assert state.position_text == START.replace(" b 0", " w 0")


def test_a_refused_move_is_not_offered_as_clicks() -> None:
    assert "a5" not in (shuttled().move_tree()["b5"] or {})


def test_the_whole_match_counts_for_repetition() -> None:
    state = shuttled()
    for text in ["b5-b6", "e1-f1", "b6-b7", "f1-g1", "b7-a7", "g1-f1", "a7-a6", "f1-e1"]:
        state = state.play_text(text)
    assert "a6-a5" not in texts(state)


def test_a_position_reached_by_a_pass_may_not_be_brought_back_by_a_move() -> None:
    state = State.from_moves(GAME, "", ["pass", "a2-b2", "g1-g2", "b2-a2"])
    assert "g2-g1" not in texts(state)
    assert "g2-g3" in texts(state)


def test_a_pass_is_never_refused() -> None:
    state = State.from_moves(GAME, "", ["b1-b2", "pass", "b2-b1"])
    assert state.position_text == START.replace(" b 0", " w 0")
    assert state.play_text("pass").position_text == START.replace(" b 0", " b 1")


def test_a_side_whose_every_move_is_refused_must_pass() -> None:
    state = board("""
        .......b
        ........
        ........
        ........
        ........
        b.......
        .b......
        wb......
    """)
    for text in ["h8-h7", "a1-a2", "h7-h8"]:
        state = state.play_text(text)
    assert texts(state) == {"pass"}
    assert state.outcome is None
    assert state.play_text("pass").outcome is None


def test_a_pass_changes_nothing_but_the_turn() -> None:
    state = State.of(GAME).play_text("pass")
    assert drawn(state) == drawn(State.of(GAME))
    assert state.seat == 1


def test_the_history_for_the_search_holds_every_earlier_position_without_its_passes() -> None:
    state = State.of(GAME).play_text("pass").play_text("a2-b2")
    history = state.history()
    assert history.shape == (2, 3)
    assert history[:, 2].tolist() == [0, 0]
    assert history[1, :2].tolist() == history[0, 1::-1].tolist()


# --- 2.6, 2.7: endings ---


def test_a_side_without_men_has_lost() -> None:
    state = board("""
        ........
        bw.b....
    """)
    over = state.play_text("d1-c1")
    assert over.outcome == Outcome((1, 2), "elimination")
    assert over.legal_moves == ()
    with pytest.raises(IllegalMoveError, match="over"):
        over.play_text("pass")


def test_a_side_on_its_turn_without_a_man_that_can_move_has_lost() -> None:
    state = board(
        """
        b.......
        wb......
    """,
        "w",
    )
    assert state.outcome == Outcome((1, 2), "stalemate")


def test_the_side_that_is_not_to_move_may_be_blocked() -> None:
    state = board(
        """
        b.......
        wb......
    """,
        "b",
    )
    assert state.outcome is None
    assert "pass" in texts(state)


def test_two_passes_in_a_row_end_the_match_by_territory() -> None:
    passed = State.of(GAME).play_text("pass")
    assert passed.outcome is None
    assert passed.play_text("pass").outcome == Outcome((1, 1), "territory")


def test_a_move_between_two_passes_keeps_the_match_going() -> None:
    state = State.of(GAME).play_text("pass").play_text("b8-b7").play_text("pass")
    assert state.outcome is None


WALL = """
    ...bw...
    ...bw...
    ...bw...
    ...bw...
    ...bw...
    ...bw...
    ..bw....
    ..bw....
"""


def test_squares_that_only_one_side_can_reach_are_its_territory() -> None:
    state = board(WALL).play_text("pass").play_text("pass")
    assert state.outcome == Outcome((2, 1), "territory")
    assert state.territory is not None
    assert (state.territory.count(0), state.territory.count(1)) == (30, 34)


def test_squares_that_both_sides_can_reach_belong_to_neither() -> None:
    territory = board("""
        ........
        bbbbbbbb
        ........
        wwwwwwww
        ........
    """).territory
    assert territory is not None
    ranks = [set(territory[8 * rank : 8 * rank + 8]) for rank in range(8)]
    assert ranks == [{1}, {1}, {None}, {0}, {0}, {0}, {0}, {0}]


def test_a_match_that_reaches_its_time_limit_is_judged_by_territory() -> None:
    state = board(WALL)
    assert state.outcome is None
    assert state.adjudication == Outcome((2, 1), "territory")


def test_a_match_that_is_over_is_not_judged_anew() -> None:
    state = board(
        """
        b.......
        wb......
    """,
        "w",
    )
    assert state.adjudication == state.outcome


def test_endings_are_seen_from_both_seats() -> None:
    assert board(WALL, "w").adjudication == board(WALL, "b").adjudication


# --- 2.8, 2.9: texts, clicks, drawing ---


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_texts_and_clicks_round_trip_through_a_match(chance: random.Random) -> None:
    state = State.of(GAME)
    while state.outcome is None and state.ply < 60:
        moves = state.legal_moves
        assert [state.parse_move(state.format_move(move)) for move in moves] == list(moves)
        assert len({GAME.clicks(state.start.board, move) for move in moves}) == len(moves)
        state = state.play(chance.choice(moves))
        again = State.of(GAME, state.position_text)
        assert (again.words.tolist(), again.seat) == (state.words.tolist(), state.seat)
        assert again.position_text == state.position_text
        men = [pile for pile in state.drawing.piles if pile is not None]
        assert len(men) == 28


@pytest.mark.parametrize("text", ["", "a1", "a1-a1", "a1-i1", "a0-a1", "a1-a4 ", "a1a4", "PASS", "a1-a4xb2"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MoveSyntaxError):
        GAME.parse_move(None, text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("8/8 b 0", "eight ranks"),
        (START.replace("w6b", "w5b", 1), "instead of 8"),
        (START.replace("w6b", "w6x", 1), "written with b, w"),
        (START.replace(" b 0", " r 0"), "side to move"),
        (START.replace(" b 0", " b 3"), "passes"),
        (START.replace(" b 0", " b"), "eight ranks, b or w"),
        ("8/8/8/8/8/8/8/8 b 0", "men on the board"),
        (START.replace("w6b", "wb5b", 1), "no more than 28"),
    ],
)
def test_a_faulty_position_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)


def test_the_board_is_drawn_with_a1_at_the_bottom_left() -> None:
    geometry: Geometry = GAME.geometry(State.of(GAME).start.board)
    places = {cell.name: (cell.x, cell.y) for cell in geometry.cells}
    assert (places["a1"], places["h1"], places["a8"]) == ((0.0, 7.0), (7.0, 7.0), (0.0, 0.0))
    assert geometry.shape == "squares"


# --- known traps of search ---


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_the_search_never_counts_on_a_refused_repetition(chance: random.Random, plies: int) -> None:
    state = board("""
        .......b
        ........
        ........
        ........
        ........
        b.......
        .b......
        wb......
    """)
    for _ in range(plies):
        if state.outcome is None:
            state = state.play(chance.choice(state.legal_moves))
    if state.outcome is None:
        for text in analyse(state, Limits(depth=5), clock=lambda: 0.0).principal_variation:
            state = state.play_text(text)


def test_the_root_of_a_search_is_remembered_without_the_passes_just_made() -> None:
    state = State.of(GAME).play_text("pass")
    assert state.words[2] == 1
    assert state.settled_words.tolist() == [*state.words[:2].tolist(), 0]


def test_chains_of_takings_do_not_make_the_search_endless() -> None:
    state = State.of(GAME, "bwbwbwbw/1w1b1w1b/b1w1b1w1/8/1b1w1b1w/w1b1w1b1/8/8 b 0")
    assert analyse(state, Limits(depth=2), clock=lambda: 0.0).depth == 2
