"""Nine Men's Morris, ruling by ruling (section 1 of the rulings), and the traps that other programs fell into."""

import re
from itertools import combinations

import pytest

from engine.game import Geometry, IllegalMoveError, MoveSyntaxError, Outcome, SetupError
from engine.games.morris import GAME
from engine.games.morris.notation import POINT_NAMES, READING_ORDER
from engine.perft import perft
from engine.state import State

DRAWN_START = """
    .--------.--------.
    |  .-----.-----.  |
    |  |  .--.--.  |  |
    .--.--.     .--.--.
    |  |  .--.--.  |  |
    |  .-----.-----.  |
    .--------.--------.
"""

EIGHTEEN_PLACINGS = "a4 e4 e5 g1 d2 e3 g7 a7 c4 b6 b2 a1 d6 d5 c3 c5 d3 g4"


def board(drawing: str, side: str = "w", hands: tuple[int, int] = (0, 0), extra: str = "") -> State:
    """Set up a drawn board; lines between points are for the eye only."""
    points = "".join(re.findall(r"[WB.]", drawing))
    return State.of(GAME, f"{points} {side} {hands[0]} {hands[1]} {extra}")


def texts(state: State) -> set[str]:
    return {state.format_move(move) for move in state.legal_moves}


def takings(state: State, stem: str) -> set[str]:
    """Return whom a placing or moving may take."""
    return {text.split("x")[1] for text in texts(state) if text.startswith(f"{stem}x")}


# --- 1.1, 1.2: placing ---


def test_white_begins_and_each_side_has_nine_men_in_hand() -> None:
    state = State.of(GAME)
    assert (state.seat, GAME.seat_names[0]) == (0, "White")
    assert state.drawing.reserves == (9, 9)
    assert board(DRAWN_START, hands=(9, 9)).position_text == state.position_text


def test_a_man_in_hand_goes_to_any_empty_point() -> None:
    state = State.of(GAME).play_text("d6")
    assert texts(state) == set(POINT_NAMES) - {"d6"}
    assert state.drawing.reserves == (8, 9)


def test_no_man_moves_while_men_are_in_hand() -> None:
    state = State.of(GAME).play_text("d6").play_text("f4")
    assert all("-" not in text for text in texts(state))
    with pytest.raises(IllegalMoveError):
        state.play_text("d6-d5")


def test_eighteen_plies_place_all_men() -> None:
    state = State.from_moves(GAME, "", EIGHTEEN_PLACINGS.split())
    assert state.drawing.reserves == (0, 0)
    assert all("-" in text for text in texts(state))


# --- 1.3, 1.4: moving and flying ---


def test_a_man_moves_along_a_line_to_an_empty_neighbour() -> None:
    state = board("""
        W--------.--------.
        |  .-----B-----.  |
        |  |  .--W--.  |  |
        .--.--.     .--.--W
        |  |  .--.--.  |  |
        |  B-----.-----B  |
        .--------W--------.
    """)
    assert texts(state) == {
        *("a7-d7", "a7-a4"),
        *("d5-c5", "d5-e5"),
        *("g4-g7", "g4-f4", "g4-g1"),
        *("d1-a1", "d1-g1", "d1-d2"),
    }


def test_no_lines_join_diagonally_or_across_the_centre() -> None:
    state = board("""
        W--------.--------.
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--W--.     .--.--W
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        B--------.--------W
    """)
    assert {text for text in texts(state) if text.startswith("a7-")} == {"a7-d7"}
    assert {text for text in texts(state) if text.startswith("b4-")} == {"b4-b6", "b4-b2", "b4-c4"}


THREE_AGAINST_FOUR = """
    W--------.--------W
    |  .-----B-----.  |
    |  |  .--.--.  |  |
    .--.--B     B--.--.
    |  |  .--.--.  |  |
    |  .-----.-----.  |
    W--------.--------B
"""


def test_a_side_with_exactly_three_men_flies_to_any_empty_point() -> None:
    state = board(THREE_AGAINST_FOUR)
    targets = {text.split("-")[1].split("x")[0] for text in texts(state)}
    assert len(targets) == 24 - 7
    assert "a7-d3" in texts(state)


def test_four_men_do_not_fly() -> None:
    assert "d6-d5" in texts(board(THREE_AGAINST_FOUR, "b"))
    assert "d6-d3" not in texts(board(THREE_AGAINST_FOUR, "b"))


def test_with_the_option_off_three_men_do_not_fly() -> None:
    state = board(THREE_AGAINST_FOUR, extra="flying=off")
    assert {text for text in texts(state) if text.startswith("g7-")} == {"g7-d7", "g7-g4"}
    assert state.position_text.endswith("flying=off")


def test_three_men_on_the_board_with_others_in_hand_place_and_do_not_fly() -> None:
    state = board(THREE_AGAINST_FOUR, hands=(1, 0))
    assert all("-" not in text for text in texts(state))


# --- 1.5, 1.6: mills and takings ---


def test_a_placing_that_completes_a_mill_takes_a_man_in_the_same_ply() -> None:
    state = board(
        """
        W--------W--------.
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--.--.     .--.--.
        |  |  .--.--.  |  |
        |  .-----B-----.  |
        .--------.--------.
    """,
        hands=(7, 7),
    )
    assert takings(state, "g7") == {"a4", "d2"}
    assert "g7" not in texts(state)
    after = state.play_text("g7xd2")
    assert after.seat == 1
    assert after.position_text == "WWW......B.............. b 6 7"


def test_a_move_that_completes_a_mill_takes_a_man() -> None:
    state = board("""
        W--------W--------.
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--B--.     .--.--W
        |  |  .--.--.  |  |
        |  .-----B-----.  |
        .--------W--------B
    """)
    assert takings(state, "g4-g7") == {"a4", "b4", "d2", "g1"}


def test_moving_a_man_out_of_a_mill_and_leaving_others_in_one_takes_nothing() -> None:
    state = board("""
        W--------W--------W
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        .--B--.     .--.--.
        |  |  .--B--.  |  |
        |  .-----B-----.  |
        .--------W--------B
    """)
    assert {text for text in texts(state) if text.startswith("d7")} == {"d7-d6"}


def test_two_mills_closed_by_one_ply_take_one_man() -> None:
    state = board(
        """
        W--------W--------.
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--B--.     .--B--W
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        .--------.--------W
    """,
        hands=(5, 5),
    )
    after = state.play_text("g7xf4")
    assert after.drawing.piles.count(None) == 24 - 5 - 2
    assert takings(state, "g7") == {"a4", "b4", "f4"}


def test_a_man_in_a_mill_is_safe_while_others_are_free() -> None:
    state = board(
        """
        W--------W--------.
        |  B-----B-----B  |
        |  |  .--.--.  |  |
        .--.--.     .--.--.
        |  |  .--.--.  |  |
        |  .-----.-----B  |
        .--------.--------.
    """,
        hands=(7, 5),
    )
    assert takings(state, "g7") == {"f2"}


def test_a_man_in_a_mill_may_be_taken_if_every_opposing_man_stands_in_one() -> None:
    state = board(
        """
        W--------W--------.
        |  B-----B-----B  |
        |  |  .--.--.  |  |
        .--.--.     .--B--.
        |  |  .--.--.  |  |
        |  .-----.-----B  |
        .--------.--------.
    """,
        hands=(7, 4),
    )
    assert takings(state, "g7") == {"b6", "d6", "f6", "f4", "f2"}


def test_a_mill_takes_nothing_if_the_opponent_has_no_man_on_the_board() -> None:
    state = board(
        """
        W--------W--------.
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        .--.--.     .--.--.
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        .--------.--------.
    """,
        hands=(7, 9),
    )
    assert "g7" in texts(state)
    assert takings(state, "g7") == set()


def test_the_sixteen_rows_and_columns_are_the_mills() -> None:
    rows = ["a7d7g7", "b6d6f6", "c5d5e5", "a4b4c4", "e4f4g4", "c3d3e3", "b2d2f2", "a1d1g1"]
    columns = ["a1a4a7", "b2b4b6", "c3c4c5", "d1d2d3", "d5d6d7", "e3e4e5", "f2f4f6", "g1g4g7"]
    mills = {frozenset(re.findall("..", mill)) for mill in rows + columns}
    found = set()
    for first, second in combinations(POINT_NAMES, 2):
        for black in {"d6", "d2", "b4"} - {first, second}:
            men = dict.fromkeys(POINT_NAMES, ".") | {first: "W", second: "W", black: "B"}
            state = State.of(GAME, "".join(men[POINT_NAMES[point]] for point in READING_ORDER) + " w 7 8")
            found |= {frozenset({first, second, text.split("x")[0]}) for text in texts(state) if "x" in text}
    assert found == mills


# --- 1.7: loss ---


def test_a_side_with_fewer_than_three_men_has_lost() -> None:
    state = board("""
        W--------W--------.
        |  .-----.-----.  |
        |  |  .--.--B  |  |
        .--.--.     .--.--W
        |  |  .--B--.  |  |
        |  .-----.-----.  |
        .--------.--------B
    """).play_text("g4-g7xe5")
    assert state.seat == 1
    assert state.outcome == Outcome((1, 2), "too_few_men")


def test_a_side_without_a_legal_ply_has_lost() -> None:
    blocked = board(
        """
        W--------B--------W
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--.--.     .--.--B
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        W--------B--------W
    """
    )
    assert blocked.legal_moves == ()
    assert blocked.outcome == Outcome((2, 1), "blocked")


def test_a_side_with_men_in_hand_always_has_a_ply() -> None:
    state = board(
        """
        W--------B--------W
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--.--.     .--.--B
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        W--------B--------W
    """,
        hands=(1, 1),
    )
    assert state.outcome is None
    assert len(state.legal_moves) == 16


def test_two_men_on_the_board_and_one_in_hand_are_no_loss() -> None:
    assert State.of(GAME, "WW...................BBB w 1 0").outcome is None


# --- 1.8: draws ---

SHUTTLE = ["a7-d7", "g1-d1", "d7-a7", "d1-g1"]


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    state = board(THREE_AGAINST_FOUR)
    for text in SHUTTLE * 2:
        assert state.outcome is None
        state = state.play_text(text)
    assert state.outcome == Outcome((1, 1), "repetition")


def test_the_same_men_with_the_other_side_to_move_are_no_repetition() -> None:
    state = board(THREE_AGAINST_FOUR)
    for text in ["a7-d7", "g1-d1", "d7-b6", "d1-g1", "b6-a7"]:
        state = state.play_text(text)
    assert (state.seat, state.repeats) == (1, 0)


def test_a_hundred_plies_without_a_placing_or_a_taking_are_a_draw() -> None:
    state = board(THREE_AGAINST_FOUR, extra="99")
    assert state.outcome is None
    assert state.play_text("a7-b6").outcome == Outcome((1, 1), "quiet_limit")


def test_a_taking_starts_the_count_of_quiet_plies_anew() -> None:
    state = board(THREE_AGAINST_FOUR, extra="99").play_text("a1-d7xd6")
    assert (state.quiet_plies, state.outcome) == (0, None)


def test_a_loss_at_the_hundredth_quiet_ply_is_a_loss() -> None:
    lost = State.of(GAME, "WW...................BBB w 0 0 100")
    assert lost.outcome == Outcome((2, 1), "too_few_men")


# --- 1.9, 1.10: texts ---


@pytest.mark.parametrize("text", ["d6", "d6xb4", "a4-a7", "a4-a7xd6"])
def test_move_texts_are_read_and_written(text: str) -> None:
    start = State.of(GAME).start.board
    assert GAME.format_move(start, GAME.parse_move(start, text)) == text


@pytest.mark.parametrize("text", ["", "D6", "d4", "h1", "d6x", "a4a7", "a4-", "a4-a7-d7", "d6xb4xb4", "d6 ", "pass"])
def test_what_is_no_move_text_is_refused(text: str) -> None:
    with pytest.raises(MoveSyntaxError):
        GAME.parse_move(State.of(GAME).start.board, text)


def test_a_position_text_lists_points_from_the_top_left() -> None:
    names = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()  # noqa: SIM905
    state = State.of(GAME)
    for index, name in enumerate(names):
        assert state.play_text(name).position_text.split()[0] == "." * index + "W" + "." * (23 - index)
    assert State.of(GAME, "........................ w 9 9").position_text == state.position_text


def test_plies_since_the_last_placing_or_taking_are_a_fourth_number() -> None:
    state = State.of(GAME, "WWW..................BBB w 0 0 7")
    assert state.quiet_plies == 7
    assert state.position_text == "WWW..................BBB w 0 0 7"
    assert State.of(GAME, "WWW..................BBB w 0 0").quiet_plies == 0


@pytest.mark.parametrize(
    "text",
    [
        "w 9 9",
        "....................... w 9 9",
        "......................... w 9 9",
        "X....................... w 9 9",
        "........................ W 9 9",
        "........................ w 9",
        "........................ w 9 9 0 0",
        "........................ w 10 9",
        "W....................... w 9 9",
        "........................ w -1 9",
        "........................ w ٣ 9",
        "........................ w 9 9 flying=maybe",
        "........................ w 9 9 size=2",
    ],
)
def test_a_faulty_position_text_is_refused(text: str) -> None:
    with pytest.raises(SetupError):
        State.of(GAME, text)


# --- known traps ---


def test_a_mill_closed_against_two_men_and_a_full_hand_leaves_one_man() -> None:
    state = State.of(GAME, "WW.......B....B......... w 6 6").play_text("g7xa4")
    assert state.outcome is None
    assert state.drawing.piles.count(None) == 24 - 4


def test_the_last_placing_takes_its_man() -> None:
    state = State.of(GAME, "BB.W.W.W.W.W.B.B.W.B.B.. b 0 1")
    assert takings(state, "g7")
    after = state.play_text(f"g7x{min(takings(state, 'g7'))}")
    assert after.drawing.reserves == (0, 0)
    assert sum(pile is not None and pile.seat == 0 for pile in after.drawing.piles) == 5


def test_a_side_that_is_not_to_move_may_be_blocked() -> None:
    state = board(
        """
        W--------B--------W
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--.--.     .--.--B
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        W--------B--------W
    """,
        "b",
    )
    assert state.outcome is None
    assert state.play_text("d7-d6").outcome is None, "the ply has set a man free"


def test_two_sides_that_only_shuttle_end_in_a_draw() -> None:
    state = board(THREE_AGAINST_FOUR)
    plies = 0
    while state.outcome is None:
        state = state.play_text(SHUTTLE[plies % 4])
        plies += 1
    assert (plies, state.outcome.reason) == (8, "repetition")


# --- geometry and symmetry ---


def test_thirty_two_lines_join_neighbours() -> None:
    geometry = GAME.geometry(State.of(GAME).start.board)
    assert isinstance(geometry, Geometry)
    assert len(geometry.cells) == 24
    assert len({frozenset(line) for line in geometry.lines}) == 32
    for start, end in geometry.lines:
        first, second = geometry.cells[start], geometry.cells[end]
        assert (first.x == second.x) != (first.y == second.y)
    assert {name for name, _x, _y in geometry.cells} == set(POINT_NAMES)


def symmetries() -> list[list[int]]:
    """Return the 16 rearrangements of points in reading order that keep lines: turns, flips, rings swapped."""
    places = [(ord(POINT_NAMES[point][0]) - ord("d"), int(POINT_NAMES[point][1]) - 4) for point in READING_ORDER]

    def swap_rings(x: int, y: int) -> tuple[int, int]:
        ring = max(abs(x), abs(y))
        return x * (4 - ring) // ring, y * (4 - ring) // ring

    maps = []
    for turns in range(4):
        for is_flipped in (False, True):
            for is_swapped in (False, True):
                images = []
                for x, y in places:
                    image = (-x, y) if is_flipped else (x, y)
                    for _ in range(turns):
                        image = (-image[1], image[0])
                    images.append(swap_rings(*image) if is_swapped else image)
                maps.append([places.index(image) for image in images])
    return maps


@pytest.mark.parametrize(
    "text", ["WW.B........B.WB...B...W w 5 5", "W.BB.W...W.BB.WB...BW..W b 0 0", "WWW.......B.....B......B b 0 0"]
)
def test_the_sixteen_symmetric_positions_have_equal_perft(text: str) -> None:
    points, rest = text.split(" ", 1)
    images = {"".join(points[index] for index in image) for image in symmetries()}
    assert len(images) == 16
    assert len({perft(State.of(GAME, f"{image} {rest}"), 4) for image in images}) == 1


def test_symmetries_keep_every_line() -> None:
    lines = {frozenset(line) for line in GAME.geometry(State.of(GAME).start.board).lines}
    for image in symmetries():
        moved = {READING_ORDER[index]: READING_ORDER[image[index]] for index in range(24)}
        assert {frozenset(moved[end] for end in line) for line in lines} == lines
    assert len(set(map(tuple, symmetries()))) == 16
