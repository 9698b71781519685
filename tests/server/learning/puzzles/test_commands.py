"""The commands that build and check puzzles."""

from pathlib import Path

import pytest

from millrace.engine.games import SHIPPED, find_game
from millrace.engine.puzzles import parse_puzzles
from millrace.server.learning.puzzles.build import quota_of
from millrace.server.learning.puzzles.puzzle_files import read_puzzles, shipped_puzzles, write_puzzles
from tests.commands import output_of, run

MINGMANG = find_game("mingmang")


@pytest.mark.slow
def test_a_build_adds_to_existing_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    code, output = run("puzzles", "build", "mingmang", "--count", "3", "--file", str(path))
    assert (code, len(read_puzzles(path))) == (0, 3), output
    assert "3 puzzles, 3 of them new" in output
    before = read_puzzles(path)
    code, output = run("puzzles", "build", "mingmang", "--count", "5", "--file", str(path))
    assert (code, read_puzzles(path)[:3], len(read_puzzles(path))) == (0, before, 5), output
    assert run("puzzles", "check", "mingmang", "--file", str(path))[0] == 0


def test_a_build_starts_with_recorded_matches(tmp_path: Path) -> None:
    path, matches = tmp_path / "puzzles.txt", tmp_path / "matches.txt"
    setup = "7w/8/8/8/bw6/8/8/2b4w b 0"
    matches.write_text(f'[Game "mingmang"]\n[Position "{setup}"]\n\n1. c1-c4 h1-h2 *\n', encoding="utf-8")
    output_of("puzzles", "build", "mingmang", "--count", "1", "--file", str(path), "--matches", str(matches))
    (puzzle,) = read_puzzles(path)
    assert puzzle.position.endswith(("b 0", "w 0"))
    assert sum(letter.isalpha() for letter in puzzle.position.split()[0]) <= 5, "as few men as in the recorded match"


@pytest.mark.parametrize("wanted", [1, 2, 400])
def test_the_shares_of_the_themes_leave_room_for_every_puzzle(wanted: int) -> None:
    for game in SHIPPED:
        assert game.puzzles is not None
        quota = quota_of(game, wanted)
        assert quota.theme * len(game.puzzles.themes) >= wanted
        assert quota.easy >= 1


def test_an_unsound_puzzle_fails_the_check(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    good = shipped_puzzles(MINGMANG)[0]
    write_puzzles(path, [good, good._replace(solution=("a1-a2",))])
    assert good.position in output_of("puzzles", "check", "mingmang", "--file", str(path), code=1)


def test_a_damaged_file_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text("no puzzle\n", encoding="utf-8")
    for command in ("build", "check"):
        code, output = run("puzzles", command, "mingmang", "--file", str(path))
        assert code != 0
        assert "Line 1 is not a position" in output


def test_the_shipped_files_are_in_canonical_form(tmp_path: Path) -> None:
    puzzles = shipped_puzzles(MINGMANG)
    path = tmp_path / "puzzles.txt"
    write_puzzles(path, puzzles)
    assert tuple(parse_puzzles(path.read_text(encoding="utf-8"))) == puzzles


def test_an_unknown_game_is_refused(tmp_path: Path) -> None:
    output = output_of("puzzles", "build", "chess", "--file", str(tmp_path / "puzzles.txt"), code=2)
    assert "no game called 'chess'" in output
