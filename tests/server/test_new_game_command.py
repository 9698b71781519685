"""The package that `millrace new-game` writes: renamed throughout, and refused in words."""

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from millrace.server.app.cli import app


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["new-game", *arguments])
    return done.exit_code, done.output


def test_a_package_bears_its_name_throughout(tmp_path: Path) -> None:
    code, said = run("knights_tour", str(tmp_path / "game"))
    assert code == 0
    assert f"pip install --editable '{tmp_path}/game[test]'" in said
    names = {path.relative_to(tmp_path / "game").as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {"pyproject.toml", "knights_tour/rules.py", "knights_tour/notation.py", "tests/test_conformance.py"} <= names
    assert not [name for name in names if "pycache" in name]
    written = "".join((tmp_path / "game" / name).read_text("utf-8") for name in names)
    assert not [old for old in ("tic_tac_toe", "tic-tac-toe", "Tic-tac-toe") if old in written]
    project = tomllib.loads((tmp_path / "game" / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "knights-tour"
    assert project["entry-points"]["millrace.games"] == {"knights_tour": "knights_tour:GAME"}
    german = json.loads((tmp_path / "game" / "knights_tour" / "languages" / "de.json").read_text("utf-8"))
    assert german["Knights tour"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("morris", "already a game called morris"),
        ("json", "Choose another name, such as json_game"),
        ("class", "Choose another name, such as class_game"),
        ("numba", "Choose another name, such as numba_game"),
        ("Tic-Tac", "'Tic-Tac' cannot be a game's name"),
        ("../escape", "'../escape' cannot be a game's name"),
        ("x", "2 to 30 lowercase letters"),
        ("", "'' cannot be a game's name"),
        ("x" * 300, "2 to 30 lowercase letters"),
    ],
)
def test_a_name_that_a_game_cannot_have_is_refused(name: str, reason: str, tmp_path: Path) -> None:
    for folder in ([], [str(tmp_path / "game")]):
        code, said = run(name, *folder)
        assert code == 2
        assert reason in said
        assert "Traceback" not in said
    assert not (tmp_path / "game").exists()


def test_a_folder_that_is_there_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    for folder in (tmp_path, tmp_path / "mine"):
        code, said = run("knights_tour", str(folder))
        assert code == 2
        assert f"{folder} already exists" in said
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_folder_that_cannot_be_made_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, said = run("knights_tour", str(tmp_path / "file" / "game"))
    assert code == 1
    assert "is a file" in said or "not a folder" in said
