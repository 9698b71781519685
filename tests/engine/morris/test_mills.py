"""Mills and takings in Nine Men's Morris (rulings 1.5 and 1.6)."""

import re
from itertools import combinations

from millrace.engine.games.morris import GAME
from millrace.engine.games.morris.notation import POINT_NAMES
from millrace.engine.games.morris.points import READING_ORDER
from millrace.engine.state import State
from tests.engine.morris.board_text import board, takings
from tests.engine.move_texts import texts

TWO_MILLS_TO_CLOSE = """
    W--------W--------.
    |  .-----.-----.  |
    |  |  .--.--.  |  |
    B--B--.     .--B--W
    |  |  .--.--.  |  |
    |  .-----.-----.  |
    .--------.--------W
"""
"""White closes two mills by placing a man on g7."""


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


def test_moving_a_man_out_of_a_mill_takes_nothing_even_if_others_stay_in_one() -> None:
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
    state = board(TWO_MILLS_TO_CLOSE, hands=(5, 5))
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


def test_the_mills_that_a_ply_closes_are_highlighted() -> None:
    state = board(TWO_MILLS_TO_CLOSE, hands=(5, 5))
    assert _lit(state.play_text("g7xf4")) == {("a7", "d7", "g7"), ("g7", "g4", "g1")}
    assert _lit(state.play_text("d6")) == set()
    assert _lit(state.play_text("g7xf4").play_text("f4")) == set()


def test_a_mill_is_highlighted_before_the_man_to_take_is_chosen() -> None:
    state = board("""
        W--------W--------.
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--B--.     .--B--W
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        W--------.--------.
    """)
    achieved = state.highlights_by_clicks()
    assert set(achieved) == {("g4", "g7")}
    assert achieved["g4", "g7"] == state.play_text("g4-g7xf4").highlights


def _lit(state: State) -> set[tuple[str, ...]]:
    assert all(highlight.text == "closed a mill" for highlight in state.highlights)
    return {tuple(POINT_NAMES[point] for point in highlight.cells) for highlight in state.highlights}
