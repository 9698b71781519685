"""The rules, compared with each game's reference counts, and the command that counts."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from millrace.engine import games
from millrace.engine.game import Game
from millrace.engine.games import GAMES, find_game
from millrace.engine.perft import PerftTable, divide, perft, read_tables
from millrace.engine.state import State
from millrace.server.app.cli import app

MOST_LEAVES_IN_A_USUAL_RUN = 20_000_000
TILES_OF_TWO = 8
MOST_LEAVES_INTERPRETED = 10_000_000
"""With `NUMBA_DISABLE_JIT=1`, where wrong widths and signs of integers show that compiled code hides."""


def marks_of(leaves: int) -> list[pytest.MarkDecorator]:
    if leaves > MOST_LEAVES_IN_A_USUAL_RUN:
        return [pytest.mark.slow]
    return [pytest.mark.interpreted] if leaves <= MOST_LEAVES_INTERPRETED else []


def tables_of(game: Game) -> list[PerftTable]:
    return list(read_tables(Path(games.__file__).parent / game.name / "positions.perft"))


def truths() -> list[object]:
    return [
        pytest.param(
            game,
            table.position,
            depth,
            leaves,
            id=f"{game.name}-{number}-depth-{depth}",
            marks=marks_of(leaves),
        )
        for game in GAMES.values()
        for number, table in enumerate(tables_of(game))
        for depth, leaves in table.leaves.items()
    ]


@pytest.mark.parametrize(("game", "position", "depth", "leaves"), truths())
def test_leaves_agree_with_the_tables(game: Game, position: str, depth: int, leaves: int) -> None:
    assert perft(State.of(game, position), depth) == leaves


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_game_has_tables(game: Game) -> None:
    assert sum(len(table.leaves) for table in tables_of(game)) >= 3


def played_leaves(state: State, depth: int) -> int:
    """Return the same as `perft`, by playing every line."""
    if depth == 0:
        return 1
    if not state.generated_moves:
        return 0
    return sum(played_leaves(state.after(move), depth - 1) for move in state.generated_moves)


@pytest.mark.parametrize("tiles_left", [0, pytest.param(1, marks=pytest.mark.interpreted), 2])
def test_leaves_are_counted_on_from_an_opening_into_the_match(tiles_left: int) -> None:
    state = State.of(find_game("battlesheep"), "opening=tiles")
    while state.ply < TILES_OF_TWO - tiles_left:
        state = state.play(state.legal_moves[0])
    for depth in (1, 2, 3):
        assert perft(state, depth) == played_leaves(state, depth)
    assert sum(leaves for _, leaves in divide(state, 3)) == perft(state, 3)


def test_a_forced_pass_is_a_ply_and_the_line_continues() -> None:
    # Blue can never leave the end of the row.
    state = State.of(find_game("battlesheep"), "b2,r4,0,0,0 r 2")
    after = state.play_text("b1-e1:1")
    assert after.forced_pass is not None
    assert list(divide(after, 1)) == [("pass", 1)]
    assert perft(after, 2) == len(after.skip().generated_moves) > 0
    for depth in (1, 2, 3, 4):
        assert perft(state, depth) == played_leaves(state, depth)


def test_divide_adds_up_to_perft() -> None:
    state = State.of(find_game("morris"))
    parts = dict(divide(state, 3))
    assert len(parts) == 24
    assert sum(parts.values()) == perft(state, 3)


def test_a_tables_comment_belongs_to_the_position_below_it(tmp_path: Path) -> None:
    path = tmp_path / "positions.perft"
    path.write_text("# first\nposition a b\n1 2\n2 4\n\n# second\nposition c\n1 3\n", encoding="utf-8")
    assert list(read_tables(path)) == [
        PerftTable("first", "a b", {1: 2, 2: 4}),
        PerftTable("second", "c", {1: 3}),
    ]


def test_the_command_prints_the_bare_total_last() -> None:
    result = CliRunner().invoke(app, ["perft", "morris", "--depth", "4"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "255024"
    assert [line.split()[:2] for line in result.stdout.splitlines()[1:-1]] == [
        ["1", "24"],
        ["2", "552"],
        ["3", "12144"],
        ["4", "255024"],
    ]


def test_the_command_divides_by_move() -> None:
    position = "WW.B........B.WB...B...W w 5 5"
    result = CliRunner().invoke(app, ["perft", "morris", "--depth", "2", "--position", position, "--divide"])
    *moves, total = result.stdout.splitlines()
    assert total == "289"
    assert sum(int(line.split(": ")[1]) for line in moves) == 289
    assert len(moves) == 19


def test_at_depth_0_the_position_itself_is_the_one_leaf() -> None:
    for extra in ([], ["--divide"]):
        result = CliRunner().invoke(app, ["perft", "morris", "--depth", "0", *extra])
        assert result.stdout.splitlines()[-1] == "1"


@pytest.mark.parametrize("arguments", [["chess"], ["morris", "--position", "nonsense"]])
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["perft", *arguments, "--depth", "2"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
