"""`millrace sheep`: Battle Sheep by pasted boards."""

import re

import pytest
from typer.testing import CliRunner

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.server.app.cli import app

BOARD = """
       0   0   0   0
     0   0   0   0   0   0
   0   0   0   0   0  -16
 0  +16  0   0       0   0
       0   0   0   0   0   0
     0   0   0   0
"""
SHEEP = find_game("battlesheep")
WATCHED = ("watch", "--depth", "2")
PLAYED = ("play", "--depth", "2")


def say(arguments: tuple[str, ...], *boards: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["sheep", *arguments], input="\n\n".join(boards), catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.output


def boards_in(output: str) -> list[str]:
    return re.findall(r"(?:^[-+0-9 ]+\n)+", output, re.MULTILINE)


def moved_by_blue(board: str) -> str:
    """Return the board after any move of Blue."""
    setup = State.of(SHEEP, board).position_text
    state = State.of(SHEEP, setup.replace(" r 2", " b 2"))
    return state.play(state.legal_moves[0]).write_position("older")


def test_a_watched_match_goes_on_by_the_rules_to_its_end() -> None:
    output = say(WATCHED, BOARD)
    boards = boards_in(output)
    state = State.of(SHEEP, BOARD)
    assert boards[0].rstrip("\n") == state.write_position("older")
    for move in re.findall(r"moves: (\S+)", output):
        while state.forced_pass is not None:
            state = state.play(state.forced_pass)
        state = state.play_text(move)
    while state.outcome is None:
        assert state.forced_pass is not None
        state = state.play(state.forced_pass)
    assert boards[-1].rstrip("\n") == state.write_position("older")
    winner = state.outcome.winner
    assert ("The match is drawn." if winner is None else f"{('Red (-)', 'Blue (+)')[winner]} wins.") in output


def test_a_played_match_answers_each_pasted_board_with_the_next() -> None:
    first = boards_in(say(PLAYED, BOARD))
    pasted = moved_by_blue(first[-1])
    second = boards_in(say(PLAYED, BOARD, pasted))
    assert second[: len(first)] == first
    assert second[len(first)].rstrip("\n") == pasted
    assert len(second) == len(first) + 2


def test_the_margin_of_a_pasted_board_does_not_matter() -> None:
    pasted = moved_by_blue(boards_in(say(PLAYED, BOARD))[-1])
    shifted = "\n".join(f"    {line}" for line in pasted.splitlines())
    assert boards_in(say(PLAYED, BOARD, shifted)) == boards_in(say(PLAYED, BOARD, pasted))


@pytest.mark.parametrize(
    "board",
    [
        BOARD.replace("-", "\u2212"),
        BOARD.replace(" ", "\u00a0"),
        BOARD.replace("\n", "\r\n"),
        "\ufeff" + BOARD.strip("\n"),
    ],
    ids=["minus", "spaces", "ends of lines", "byte order mark"],
)
def test_a_board_is_read_with_the_signs_of_pages_and_files(board: str) -> None:
    assert "Red (-) moves" in say(PLAYED, board)


def test_faulty_boards_and_impossible_moves_are_explained_and_asked_for_again() -> None:
    output = say(PLAYED, "no board", BOARD, "0 0 x", BOARD)
    assert output.count("Enter another board.") == 2
    assert "No move of Blue (+) leads to this board." in output


def test_a_board_without_stacks_begins_with_placing() -> None:
    empty = BOARD.replace("-16", " 0 ").replace("+16", " 0 ")
    assert len(boards_in(say(WATCHED, empty))) > 3
    assert "-16" in boards_in(say(PLAYED, empty))[1]


def test_the_published_weights_may_be_chosen() -> None:
    assert boards_in(say((*PLAYED, "--weights", "published"), BOARD))


def test_input_without_a_board_is_an_error() -> None:
    assert "The input ended before a board." in say(PLAYED, "", code=1)
